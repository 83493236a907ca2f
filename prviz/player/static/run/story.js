// The story of a search: the calls that it shows, their durations, and the skipped calls.
// A story begins with the first descent, a reverted redraw, a kept redraw, and a redraw on a middle level if there is
// one. Then come the most important new bests, with some reverted redraws in between. It ends on the best
// configuration. If the search takes longer than the story, the story ends on the best so far.

import { ITERATE, REDRAW } from "../base/words.js";

/** @import { Engine } from "./engine.js" */

export const FIRST = 1900; // milliseconds of the first descent
export const WHOLE = 2200; // milliseconds of a call that is shown in full
export const BRIEF = 800; // shortest time in milliseconds of a later call in a story
const SLOW = 1700; // longest time in milliseconds of a later call in a story
export const GAP = 450; // milliseconds for which the number of skipped calls is shown
const SHORTEST = 20500, LONGEST = 26000; // milliseconds of the whole story, if there is enough to show
export const LATE = 22000; // milliseconds after which a story ends with the best so far, although the search continues
const SETTLE = 1000; // longest time in milliseconds for a call's inner iterations
const LITTLE = 0.005; // share of the total improvement below which a step is invisible
const AMONG = 2; // new bests per reverted call in a story, if there are many new bests

/** Return the position before the start of a story. @returns {Told} */
export function untold() {
  return { call: 0, time: 0, reverted: false, improved: false, middle: false };
}

/**
 * Return the state of the story after one more episode.
 * @param {Told} told @param {Episode} episode @param {Engine} engine @param {number} top @returns {Told}
 */
export function after(told, episode, engine, top) {
  const { call, time } = episode;
  const restart = top > 1 && engine.level(call) === top;
  return {
    call,
    time: told.time + time + (between(told.call, call) ? GAP : 0),
    reverted: told.reverted || !restart && engine.is("reverted", call),
    improved: told.improved || told.call > 0 && engine.is("best", call),
    middle: told.middle || isMiddle(engine, top, call),
  };
}

/**
 * Return the next episodes among the calls so far. If the story ends, the last episode has the field `end`. `engine`
 * has the outcomes and the new bests; `top` is the number of levels.
 * @param {Engine} engine @param {number} top @param {Told} told
 */
export function episodes(engine, top, told) {
  const { first, calls } = engine;
  const ends = engine.over || told.time >= LATE || engine.solving !== undefined;
  /** @type {Episode[]} */
  const found = [];
  const tell = (/** @type {Episode} */ episode) => {
    found.push(episode);
    told = after(told, episode, engine, top);
  };
  if (!calls) return found;
  if (!told.call) tell({ call: first, time: FIRST });
  if (!told.reverted) {
    const call = nextRevert(engine, top, told.call + 1, calls);
    if (call) tell({ call, time: WHOLE });
    else if (!ends) return found;
  }
  if (!told.improved) {
    const best = engine.bests.find(([call]) => call > told.call && engine.holds(call));
    if (best) tell({ call: best[0], time: WHOLE });
    else if (!ends) return found;
  }
  const middle = told.middle ? null : nextMiddle(engine, top, told.call + 1);
  if (middle) tell({ call: middle, time: WHOLE });
  const rest = sequel(engine, top, told);
  const each = Math.max(BRIEF, Math.min(SLOW, (SHORTEST - told.time) / Math.max(1, rest.length) - GAP));
  rest.forEach((call) => found.push({ call, time: each }));
  if (ends) addEnd(found, engine);
  return found;
}

/**
 * Return the calls after the beginning of a story: important new bests, with reverted calls in between. The call that
 * solves the problem is the last.
 * @param {Engine} engine @param {number} top @param {Told} told
 */
function sequel(engine, top, told) {
  const room = Math.max(1, Math.floor((LONGEST - told.time) / (BRIEF + GAP)));
  const last = engine.solving?.[0] ?? Infinity;
  const known = engine.bests.filter(([call]) => call <= last && engine.holds(call));
  const ahead = known.filter(([call]) => call > told.call);
  const bests = telling(ahead, known, Math.ceil(room * AMONG / (AMONG + 1)));
  const fill = Math.ceil((SHORTEST - told.time) / (SLOW + GAP));
  const reverts = Math.max(Math.floor(bests.length / AMONG), fill - bests.length);
  const until = Math.min(last, engine.over ? engine.calls : bests.at(-1) ?? told.call);
  return [...bests, ...samples(engine, top, bests, told.call, until, reverts)].sort((a, b) => a - b);
}

/**
 * Return the call of the last new best, and the `n` − 1 calls with the largest improvements before it, in order.
 * @param {Best[]} ahead @param {Best[]} bests @param {number} n
 */
function telling(ahead, bests, n) {
  if (ahead.length <= n) return ahead.map(([call]) => call);
  const end = bests[bests.length - 1][1];
  const nothing = LITTLE * (bests[0][1] - end);
  const gap = (/** @type {Best} */ [, cost]) => cost - end + nothing;
  const before = [bests.at(-ahead.length - 1) ?? ahead[0], ...ahead];
  const falls = ahead.slice(0, -1).map((best, i) => [best[0], gap(before[i]) / gap(best)]);
  const most = falls.sort((a, b) => b[1] - a[1]).slice(0, n - 1).map(([call]) => call);
  return [...most.sort((a, b) => a - b), ahead[ahead.length - 1][0]];
}

/**
 * Return some reverted calls, as far as possible from the bests and from each other.
 * @param {Engine} engine @param {number} top @param {number[]} bests @param {number} from @param {number} until
 * @param {number} n
 */
function samples(engine, top, bests, from, until, n) {
  const taken = [from, ...bests, Math.max(from, until) + 1].sort((a, b) => a - b);
  const found = [];
  for (; n > 0; n--) {
    let widest = 0;
    for (let i = 1; i < taken.length - 1; i++) {
      if (taken[i + 1] - taken[i] > taken[widest + 1] - taken[widest]) widest = i;
    }
    const [low, high] = [taken[widest], taken[widest + 1]];
    if (high - low < 2) break;
    const middle = (low + high) >> 1;
    const call = nextRevert(engine, top, middle, high - 1) ?? nextRevert(engine, top, low + 1, middle - 1);
    taken.splice(widest + 1, 0, call ?? middle);
    if (call) found.push(call);
  }
  return found;
}

/**
 * Return the first reverted call from `call` to `last`, or null; restarts count only if all calls are restarts.
 * @param {Engine} engine @param {number} top @param {number} call @param {number} last
 */
function nextRevert(engine, top, call, last) {
  for (let c = call; c <= last; c++) {
    if ((top === 1 || engine.level(c) < top) && engine.is("reverted", c) && engine.holds(c)) return c;
  }
  return null;
}

/** Return true if a call begins with a redraw on a middle level. @param {Engine} engine @param {number} top @param {number} call */
function isMiddle(engine, top, call) {
  const level = engine.level(call);
  return 1 < level && level < top;
}

/** Return the first call, from `call` on, with a redraw on a middle level; null if the problem is solved before. @param {Engine} engine @param {number} top @param {number} call */
function nextMiddle(engine, top, call) {
  if (top < 3) return null;
  const last = Math.min(engine.calls, (engine.solving?.[0] ?? Infinity) - 1);
  for (let c = call; c <= last; c++) if (isMiddle(engine, top, c) && engine.holds(c)) return c;
  return null;
}

/** End the story on the best configuration: mark the last episode if it shows this configuration, or add an episode. @param {Episode[]} found @param {Engine} engine */
function addEnd(found, engine) {
  const best = engine.bests.at(-1)?.[0] ?? engine.first;
  const last = found.at(-1);
  if (last?.call === best) last.end = true;
  else found.push({ call: best, time: 0, end: true, still: true });
}

/** Return the number of skipped calls between two calls. @param {number} call @param {number} next */
function between(call, next) {
  return call ? Math.max(0, next - call - 1) : 0;
}

/**
 * Return the skipped calls, with the numbers of kept calls, new bests and restarts among them.
 * @param {Engine} engine @param {number} call @param {number} next @param {number} top @returns {LeftOut}
 */
export function skipped(engine, call, next, top) {
  const calls = between(call, next);
  if (!calls) return { calls, kept: 0, bests: 0, restarts: 0 };
  const bests = engine.bests.filter(([best]) => best > call && best < next).length;
  let restarts = 0;
  if (top > 1) for (let c = call + 1; c < next; c++) if (engine.level(c) === top) restarts++;
  return { calls, kept: engine.kept(next - 1) - engine.kept(call), bests, restarts };
}

/**
 * Return the duration of each frame of a call in milliseconds; the sum is the time of its episode.
 * @param {Pick<Frame, "event">[]} frames @param {number} time @param {boolean} still
 */
export function dwells(frames, time, still) {
  const kinds = frames.map(({ event }) => (event === REDRAW ? 0 : event === ITERATE ? 1 : 2));
  const numbers = [0, 1, 2].map((kind) => kinds.filter((k) => k === kind).length);
  const settle = Math.min(SETTLE, 0.45 * time, 165 * numbers[1]);
  const shares = [0.4 * (time - settle), settle, 0.6 * (time - settle)]; // users need time to read the decision
  const last = kinds.lastIndexOf(1);
  return kinds.map((kind, i) => {
    if (still && kind === 1) return i === last ? settle : 0; // with reduced motion, show only the last iteration
    return shares[kind] / numbers[kind];
  });
}
