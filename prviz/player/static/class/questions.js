// Questions about any run, their answers, and the bet of a whole class. Pure functions.

/** @typedef {import("../run/engine.js").Engine} Engine */
/** @typedef {import("./forms.js").Bet} Bet */
/** @typedef {import("./forms.js").Question} Question */
/** @typedef {{words: string, kind: "word" | "number" | "curve", choices?: string[], unit?: string, marks?: number[], high?: number, seeds?: Bet[], whose?: string}} Asked */
/** @typedef {{of: Kind, call: number}} Open the question, and the call at which it was asked */
/** @typedef {"kept" | "calls" | "winner" | "curve"} Kind */

/** @type {Kind[]} */
const KINDS = ["kept", "calls", "winner"];
const SHARES = [0.1, 0.25, 0.5, 1]; // marks of a curve, as shares of the remaining calls
const MOST_SHOWN = 100; // largest number of earlier calls shown below the bets

/**
 * Return the kind of question after another; only a run that has ended and has improved after the call has a curve.
 * @param {Kind | null} kind @param {number} call @param {Pick<Engine, "over" | "bests">} engine @returns {Kind}
 */
export function kindAfter(kind, call, { over, bests }) {
  const kinds = over && bests.some(([at]) => at > call) ? [...KINDS, /** @type {Kind} */ ("curve")] : KINDS;
  return kinds[kind ? (kinds.indexOf(kind) + 1) % kinds.length : 0];
}

/** Return the percentage of a run's whole improvement that it has reached after a call. @param {Best[]} bests @param {number} call */
function reachedAfter(bests, call) {
  const first = bests[0][1], last = bests[bests.length - 1][1];
  const cost = bests.findLast(([at]) => at <= call)?.[1] ?? first;
  return Math.round(1000 * (first - cost) / (first - last)) / 10;
}

/** @param {number} call @param {number} calls */
const marksOf = (call, calls) => SHARES.map((share) => Math.round(call + share * (calls - call)));

/**
 * Return a question about a run after a call.
 * @param {Kind} kind @param {number} call @param {Pick<Engine, "is" | "calls" | "bests">} engine @returns {Asked}
 */
export function questionOver(kind, call, engine) {
  if (kind === "winner") return { words: "Which search has the lower cost at the end?", kind: "word", choices: ["partial", "full restarts"] };
  if (kind === "calls") return { words: `After call ${call}, how many calls does it take until the next new best?`, kind: "number", unit: "calls" };
  if (kind === "curve") {
    const { calls, bests } = engine;
    return { words: `Call ${call} has reached ${reachedAfter(bests, call)} % of the improvement of the whole run. Draw the curve: what percentage do later calls reach?`,
      kind: "curve", unit: "%", marks: marksOf(call, calls), high: 100 };
  }
  const before = Array.from({ length: Math.min(call - 1, MOST_SHOWN) }, (_, i) => call - i);
  return { words: `Will the redraw of call ${call + 1} be kept, or reverted?`, kind: "word", choices: ["kept", "reverted"],
    seeds: before.map((each) => (engine.is("kept", each) ? "kept" : "reverted")), whose: `${before.length} earlier calls` };
}

/**
 * Return the answer, and the call that shows it; null until the search has reached that call.
 * @param {Open} open @param {Pick<Engine, "is" | "calls" | "over" | "bests" | "head">} engine
 * @returns {{answer: Bet, until: number} | null}
 */
export function answerOf({ of, call }, engine) {
  const { calls, over, bests, head } = engine;
  if (of === "winner") {
    const { best, full } = head;
    if (!over || best == null || full == null) return null;
    return { answer: best <= full ? "partial" : "full restarts", until: calls };
  }
  if (of === "curve") return { answer: marksOf(call, calls).map((mark) => reachedAfter(bests, mark)), until: calls };
  if (of === "calls") {
    const next = bests.find(([at]) => at > call)?.[0];
    return next ? { answer: next - call, until: next } : null;
  }
  if (calls <= call) return null;
  return { answer: engine.is("kept", call + 1) ? "kept" : "reverted", until: call + 1 };
}

/** Return the bet of the whole class: the most frequent word, or the median; null without bets. @param {Question} question @param {Bet[]} bets @returns {Bet | null} */
export function bestOfClass({ kind, choices, marks }, bets) {
  if (!bets.length) return null;
  if (kind === "word") {
    const times = (/** @type {string} */ word) => bets.filter((bet) => bet === word).length;
    return choices.reduce((best, word) => (times(word) > times(best) ? word : best));
  }
  if (kind === "number") return median(/** @type {number[]} */ (bets));
  return marks.map((_, i) => median(bets.map((bet) => /** @type {number[]} */ (bet)[i])));
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}
