// Choose the calls of a film and their durations: all calls of a range, or the most important calls. Pure functions.

import { GAP, WHOLE, skipped } from "../run/story.js";
import { restartAround } from "../timeline/ranges.js";

export const BRIEF = 500; // shortest duration of a call in milliseconds
const READ = 800; // milliseconds of a call that has skipped calls before and after it
const HOLD = 800; // milliseconds for the last picture
const IMPROVED = 2 / 3; // share of improvements among the shown calls if some calls are skipped; the other shown calls are reverted

/** @import { Engine } from "../run/engine.js" */

/**
 * Return the range of the restart that contains a call, up to the newest call.
 * @param {Engine} engine @param {Level[]} levels @param {number} call
 */
export function thisRestart(engine, levels, call) {
  return clipped(restartAround(engine, levels, call), engine);
}

/** Clip a range to the existing calls. @param {CallRange} range @param {Engine} engine */
export function clipped({ first, last }, engine) {
  const within = (/** @type {number} */ call) => Math.max(engine.first, Math.min(call, engine.calls));
  return { first: within(Math.min(first, last)), last: within(Math.max(first, last)) };
}

/** Return the last `n` kept calls with pictures, or fewer. @param {Engine} engine @param {number} n */
export function lastKept(engine, n) {
  /** @type {number[]} */
  const found = [];
  for (let call = engine.calls; call >= engine.first && found.length < n; call--) {
    if (engine.is("kept", call) && engine.holds(call)) found.unshift(call);
  }
  return found;
}

/**
 * Return the calls of a range that have pictures, but not more than can be shown in `milliseconds`.
 * @param {Engine} engine @param {number} top @param {CallRange} range @param {number} milliseconds
 */
export function ofRange(engine, top, { first, last }, milliseconds) {
  /** @type {number[]} */
  const held = [];
  for (let call = first; call <= last; call++) if (engine.holds(call)) held.push(call);
  if (held.length * BRIEF <= milliseconds - HOLD) return held;
  const room = Math.max(2, Math.floor((milliseconds - HOLD) / (READ + GAP)));
  const found = new Set([held[0]]);
  const add = (/** @type {number[]} */ calls, /** @type {number} */ n) => spread(calls.filter((call) => !found.has(call)), n).forEach((call) => found.add(call));
  const improved = Math.ceil(IMPROVED * (room - 1));
  const bests = new Set(engine.bests.map(([call]) => call));
  add(held.filter((call) => bests.has(call)), improved);
  add(held.filter((call) => engine.is("kept", call)), 1 + improved - found.size);
  add(held.filter((call) => engine.is("reverted", call) && engine.level(call) < top), room - found.size);
  return [...found].sort((a, b) => a - b);
}

/** Return `n` evenly spaced calls, including the last. @param {number[]} calls @param {number} n */
function spread(calls, n) {
  if (calls.length <= n) return calls;
  return Array.from({ length: n }, (_, i) => calls[Math.ceil(((i + 1) * calls.length) / n) - 1]);
}

/**
 * Return the calls with their durations: {call, time, left, gap, hold}. The film takes about `milliseconds`.
 * `left` describes the calls skipped before this call, in a text that is shown for `gap` milliseconds.
 * @param {Engine} engine @param {number} top @param {number[]} calls @param {number} milliseconds @returns {FilmCall[]}
 */
export function reel(engine, top, calls, milliseconds) {
  const left = calls.map((call, i) => {
    const out = i ? skipped(engine, calls[i - 1], call, top) : null;
    return out?.calls ? out : null;
  });
  const gaps = left.filter(Boolean).length * GAP;
  const time = Math.max(BRIEF, Math.min(WHOLE, (milliseconds - HOLD - gaps) / calls.length));
  return calls.map((call, i) => ({ call, time, left: left[i], gap: left[i] ? GAP : 0,
    hold: i === calls.length - 1 ? HOLD : 0 }));
}

/** Return the duration of a reel in milliseconds. @param {FilmCall[]} episodes */
export function lengthOf(episodes) {
  return episodes.reduce((sum, { gap, time, hold }) => sum + gap + time + hold, 0);
}
