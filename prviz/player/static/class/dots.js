// A histogram with one dot per person. Pure functions for the positions of columns and dots.

/** @typedef {import("./forms.js").Bet} Bet */
/** @typedef {import("./forms.js").Question} Question */
/** @typedef {{label: string, from?: number, to?: number, dots: number[], share: number}} Column the places of people, and the share of seeds; `from` and `to` are the limits of numbers */
/** @typedef {{place: number, x: number, y: number}} Dot */

const BINS = 12;

/**
 * Return one column per word, or bins of numbers. The last bin contains all larger numbers, and null ("never").
 * @param {Question} question @param {[place: number, bet: Bet][]} bets @param {(Bet | null)[]} seeds @returns {Column[]}
 */
export function columnsOf({ kind, choices }, bets, seeds) {
  const share = (/** @type {(seed: Bet | null) => boolean} */ inside) => (seeds.length ? seeds.filter(inside).length / seeds.length : 0);
  if (kind === "word") {
    return choices.map((label) => ({ label, dots: bets.filter(([, bet]) => bet === label).map(([place]) => place), share: share((seed) => seed === label) }));
  }
  const numbers = [...bets.map(([, bet]) => bet), ...seeds].filter((each) => each !== null).map(Number);
  const { step, count } = binsOf(numbers);
  const never = seeds.includes(null);
  const binOf = (/** @type {Bet | null} */ value) => (value === null ? count : Math.min(count, Math.floor(Number(value) / step)));
  const beyond = never || numbers.some((value) => value >= step * count);
  return Array.from({ length: count + Number(beyond) }, (_, bin) => ({
    label: bin === count ? `${short(step * count)} or more` : `${short(step * bin)}–${short(step * (bin + 1))}`,
    from: step * bin,
    to: bin === count ? Infinity : step * (bin + 1),
    dots: bets.filter(([, bet]) => binOf(bet) === bin).map(([place]) => place),
    share: share((seed) => binOf(seed) === bin),
  }));
}

/** Return the position of a bet on the axis of the columns, from 0 to 1. @param {Column[]} columns @param {Bet | null} bet */
export function placeOf(columns, bet) {
  const at = columns.findIndex(({ label, from, to = Infinity }) => (from === undefined ? label === bet : bet === null ? to === Infinity : Number(bet) >= from && Number(bet) < to));
  const { from, to = Infinity } = columns[at] ?? {};
  const within = from === undefined || to === Infinity ? 0.5 : (Number(bet) - from) / (to - from);
  return ((at < 0 ? columns.length - 1 : at) + within) / columns.length;
}

/** Return bins with round limits for 95 % of the numbers, so that a few huge numbers do not stretch the axis. @param {number[]} numbers */
export function binsOf(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const most = Math.max(1e-9, sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 10);
  const scale = 10 ** Math.floor(Math.log10(most / BINS));
  const step = scale * ([1, 2, 5, 10].find((each) => each * scale * BINS > most) ?? 10);
  return { step, count: Math.floor(most / step) + 1 };
}

/**
 * Return the radius and the positions of all dots. Columns have equal width, and fill from the bottom.
 * @param {number[][]} columns places of people by column @param {number} width @param {number} height
 */
export function pile(columns, width, height) {
  const wide = width / Math.max(1, columns.length) * 0.86;
  const tallest = Math.max(1, ...columns.map((each) => each.length));
  let radius = Math.min(14, wide / 2);
  while (radius > 1 && Math.ceil(tallest / Math.max(1, Math.floor(wide / (2.3 * radius)))) * 2.3 * radius > height) radius *= 0.93;
  const across = Math.max(1, Math.floor(wide / (2.3 * radius)));
  const dots = columns.flatMap((each, column) => each.map((place, i) => ({
    place,
    x: (column + 0.5) * width / columns.length + (i % across - (Math.min(across, each.length) - 1) / 2) * 2.3 * radius,
    y: height - (Math.floor(i / across) + 0.5) * 2.3 * radius,
  })));
  return { radius, dots };
}

/** @param {number} value */
export function short(value) {
  return value >= 10000 ? `${Number((value / 1000).toPrecision(3))}k` : `${Number(value.toPrecision(3))}`;
}
