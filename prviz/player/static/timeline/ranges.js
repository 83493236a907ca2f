// The visible calls of the timeline, which are a range {first, last} of all calls. Pure functions.

const FEWEST = 10; // fewest visible calls

const sizeOf = (/** @type {CallRange} */ { first, last }) => last - first + 1;

/** Return true if a range contains another range. @param {CallRange} range @param {CallRange} other */
export function covers(range, { first, last }) {
  return range.first <= first && range.last >= last;
}

/**
 * Return the range of the restart that contains a call; `each` is the number of calls per restart.
 * @param {number} call @param {number} each @returns {CallRange}
 */
export function restartOf(call, each) {
  const first = call - ((call - 1) % each);
  return { first, last: first + each - 1 };
}

/**
 * Return the range of the restart that contains a call. If the search itself decides when to restart, the range ends at
 * the next restart, or at the call `until`.
 * @param {Pick<import("../run/engine.js").Engine, "first" | "calls" | "is">} engine @param {Level[]} levels
 * @param {number} call @param {number} [until] @returns {CallRange}
 */
export function restartAround(engine, levels, call, until = engine.calls) {
  const each = levels.slice(0, -1).reduce((calls, { repeats = 1 }) => calls * repeats, 1);
  if (each) return restartOf(call, each);
  let first = call, last = call;
  while (first > engine.first && !engine.is("restart", first, levels.length)) first--;
  while (last < until && !engine.is("restart", last + 1, levels.length)) last++;
  return { first, last };
}

/**
 * Scale a range by a factor. The call stays at the same position, unless the range would leave `all`.
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
 * Move a range by its own length until it contains a call, so that a range of one restart stays a restart.
 * @param {CallRange} range @param {number} call @param {CallRange} all @returns {CallRange}
 */
export function turned(range, call, all) {
  const size = sizeOf(range);
  const first = Math.max(all.first, range.first + size * Math.floor((call - range.first) / size));
  return { first, last: first + size - 1 };
}

/**
 * Return the calls of each column as {from, to}: one column per call, or one column per pixel if there are more calls.
 * @param {CallRange} range @param {number} pixels
 */
export function columns(range, pixels) {
  const size = sizeOf(range), n = Math.min(size, Math.max(1, Math.floor(pixels)));
  const edge = (/** @type {number} */ i) => range.first + Math.floor((i * size) / n);
  return Array.from({ length: n }, (_, i) => ({ from: edge(i), to: edge(i + 1) - 1 }));
}

/**
 * Return the shares of the calls `from` … `to` that were kept, were reverted, and began a restart.
 * @param {Pick<import("../run/engine.js").Engine, "kept" | "restarts">} engine @param {{from: number, to: number}} column
 * @param {number} top the number of levels
 */
export function shares(engine, { from, to }, top) {
  const calls = to - from + 1;
  const kept = (engine.kept(to) - engine.kept(from - 1)) / calls;
  const restarts = engine.restarts(to, top) - engine.restarts(from - 1, top);
  return [kept, 1 - kept, restarts / calls];
}
