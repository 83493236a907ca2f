// Store bets in the browser, and compare them with the answers as prviz/lessons/asking.py does.

const NAME = "prviz-bets";

/** @typedef {number | string | number[]} Bet */
/** @typedef {{n: number, call: number, found: string, all: (number | null)[], middle: any, caption: string, first: number}} Answers null: infinite */
/** @typedef {{words: string, bets: "number" | "word" | "curve", unit: string, choices: string[], marks: number[]}} Question */

/** Return the stored bets by lesson. @returns {Record<string, Bet>} */
export function bets() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}");
  } catch {
    return {};
  }
}

/** Store a bet; without a bet, delete all bets. @param {string} [lesson] @param {Bet} [bet] */
export function keep(lesson, bet) {
  try {
    if (lesson) localStorage.setItem(NAME, JSON.stringify({ ...bets(), [lesson]: bet }));
    else localStorage.removeItem(NAME);
  } catch { // a browser may refuse to store anything
  }
}

/** Return a bet as text. @param {Question} question @param {Bet} bet */
export function told({ unit }, bet) {
  if (typeof bet === "string") return `You: ${bet}.`;
  if (Array.isArray(bet)) return `You: ${amount(bet[bet.length - 1], "%")} at the end.`;
  return `You: ${amount(bet, unit)}.`;
}

/** Compare a bet with the answers. @param {Question} question @param {Answers} answers @param {Bet} bet */
export function compared(question, { n, found, all, middle }, bet) {
  const begin = `${told(question, bet)} ${found}`;
  if (typeof bet === "string") return begin;
  const [low, , high] = middle;
  const within = (/** @type {number | null} */ least, /** @type {number} */ value, /** @type {number | null} */ most) => (least ?? Infinity) <= value && value <= (most ?? Infinity);
  if (Array.isArray(bet)) {
    const inside = bet.filter((value, i) => within(low[i], value, high[i])).length;
    return `${begin} Your curve lies within that half at ${inside} of ${bet.length} marks.`;
  }
  if (within(low, bet, high)) return `${begin} Your bet lies within that half.`;
  return `${begin} ${all.filter((value) => (value ?? Infinity) < bet).length} of ${n} answers are lower than your bet.`;
}

/** Format a number with its unit: "1 200 calls", "6.3 %". @param {number} value @param {string} unit */
export function amount(value, unit) {
  const whole = Number.isInteger(value) || Math.abs(value) >= 100;
  const text = whole ? Math.round(value).toLocaleString("en").replaceAll(",", "\u202f") : String(Number(value.toPrecision(3)));
  return `${text} ${value === 1 && unit !== "%" ? unit.replace(/s$/, "") : unit}`.trim();
}
