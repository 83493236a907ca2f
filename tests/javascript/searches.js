// Construct searches for tests: outcomes and bests, without a server.

import { Engine } from "../../prviz/player/static/run/engine.js";

const THIN = "\u202f";

/** Return the text with ordinary spaces instead of thin spaces. */
export const plain = (text) => text.replaceAll(THIN, " ");

export const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Return a generator of uniform numbers in [0, 1), reproducible from the seed (mulberry32). */
export function uniform(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Return a search of two levels. There is one letter per call, and K means kept. `bests` lists [call, cost];
 * `restarts` are the calls in which level 2 redraws. The outcomes have one byte per call, as made by
 * `encode_outcomes` in prviz/player/pictures/frames.py.
 */
export function search(letters, bests = [], restarts = [1], others = {}) {
  const restart = new Set(restarts), best = new Set(bests.map(([call]) => call));
  const outcomes = Array.from(letters, (letter, i) =>
    (restart.has(i + 1) ? 2 : 1) + (letter === "K" ? 8 : 0) + (best.has(i + 1) ? 16 : 0));
  return { outcomes, bests, state: "finished", ...others };
}

/** Return the server's answer about a search: its outcomes and bests after call `since`. */
export function headOf({ state, outcomes, bests = [] }, since = 0) {
  return {
    state, calls: outcomes.length, outcomes: Uint8Array.from(outcomes.slice(since)),
    bests: bests.filter(([call]) => call > since),
  };
}

/** Return the engine of a search; `held` are the calls with frames (by default all). */
export function engineOf(found) {
  const source = { first: 1, held: found.held && new Set(found.held) };
  const engine = new Engine(source, { onChange() {}, onTrouble() {} });
  engine.goal = found.goal ?? -Infinity;
  engine.take(headOf(found));
  return engine;
}

/** Return true if two numbers are equal up to rounding. */
export const close = (a, b, tolerance = 1e-9) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
