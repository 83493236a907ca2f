// Which calls the timeline shows: a range {first, last} of all there are. Pure functions.

const FEWEST = 10; // calls that zooming leaves

const sizeOf = (/** @type {CallRange} */ { first, last }) => last - first + 1;

/** Whether a range leaves out none of another's calls. @param {CallRange} range @param {CallRange} other */
export function covers(range, { first, last }) {
  return range.first <= first && range.last >= last;
}

/**
 * The restart of a call, where each takes so many calls: from one redraw of everything up to the next.
 * @param {number} call @param {number} each @returns {CallRange}
 */
export function restartOf(call, each) {
  const first = call - ((call - 1) % each);
  return { first, last: first + each - 1 };
}

/**
 * So many times as long, with a call where it was as far as `all` has room.
 * @param {CallRange} range @param {number} factor @param {number} call @param {CallRange} all @returns {CallRange}
 */
export function zoomed(range, factor, call, all) {
  const size = Math.max(FEWEST, Math.round(factor * sizeOf(range)));
  if (size >= sizeOf(all)) return all;
  const before = Math.floor(((call - range.first) / sizeOf(range)) * size);
  const first = Math.max(all.first, Math.min(call - before, all.last - size + 1));
  return { first, last: first + size - 1 };
}

/**
 * Turned like pages until it has a call: one as long as a restart goes from restart to restart.
 * @param {CallRange} range @param {number} call @param {CallRange} all @returns {CallRange}
 */
export function turned(range, call, all) {
  const size = sizeOf(range);
  const first = Math.max(all.first, range.first + size * Math.floor((call - range.first) / size));
  return { first, last: first + size - 1 };
}

/**
 * Its calls in columns {from, to}: one each, or as many as there are pixels.
 * @param {CallRange} range @param {number} pixels
 */
export function columns(range, pixels) {
  const size = sizeOf(range), n = Math.min(size, Math.max(1, Math.floor(pixels)));
  const edge = (/** @type {number} */ i) => range.first + Math.floor((i * size) / n);
  return Array.from({ length: n }, (_, i) => ({ from: edge(i), to: edge(i + 1) - 1 }));
}

/**
 * Which shares of the calls `from` … `to` were kept, were reverted, and began a restart.
 * @param {Pick<import("../run/engine.js").Engine, "kept">} engine @param {{from: number, to: number}} column
 * @param {number} each
 */
export function shares(engine, { from, to }, each) {
  const calls = to - from + 1;
  const kept = (engine.kept(to) - engine.kept(from - 1)) / calls;
  const restarts = Math.floor((to - 1) / each) - Math.floor((from - 2) / each);
  return [kept, 1 - kept, restarts / calls];
}
