// Algorithm 1 line by line. Each frame shows the effect of one line. The lines without a frame do not change x. They
// are derived from the frames before and after.

import { ITERATE, REDRAW, count, levelName, number } from "../base/words.js";

const CALLED = 1, CHECKPOINT = 3, LOOP = 5; // line numbers in Algorithm 1, from 1

/**
 * Return the lines since the previous frame, in order, as {line, level}; the last is the line of this frame.
 * @param {Frame} frame @param {Pick<Layout, "levels">} layout @returns {Line[]}
 */
export function linesOf(frame, layout) {
  const { event, level, iteration, line } = frame;
  const lines = [{ line, level }];
  if (event === REDRAW) {
    lines.unshift({ line: CALLED, level }, { line: CHECKPOINT, level });
    if (level < layout.levels.length) lines.unshift({ line: LOOP, level: level + 1 });
  } else if (event === ITERATE && iteration === 1) {
    lines.unshift({ line: LOOP, level: 1 }, { line: CALLED, level });
  }
  return lines;
}

/**
 * Return the state after `line`, one of the lines before the frame's own. In this state, `taken` is the level that has just
 * stored x as its checkpoint.
 * @param {Frame} frame @param {Frame | null} previous @param {Line} line
 */
export function pending(frame, previous, { line, level }) {
  const before = previous ?? nothing(frame);
  const checkpoints = before.checkpoints.slice();
  if (line === CHECKPOINT) checkpoints[level - 1] = frame.checkpoints[level - 1];
  return { ...before, call: frame.call, event: 0, level, checkpoints, taken: line === CHECKPOINT ? level : 0 };
}

/** Return the state before the first frame. @param {Frame} frame */
function nothing(frame) {
  const none = (/** @type {Frame["counters"]} */ values) => values.map(() => 0);
  return {
    ...frame, chosen: [], cost: NaN, iteration: 0,
    counters: none(frame.counters), checkpoints: frame.checkpoints.map(() => Infinity),
  };
}

/**
 * Describe a line of {@link linesOf} in one sentence; `shown` is the result of {@link pending}.
 * @param {Line} line @param {Pick<Frame, "checkpoints" | "counters">} shown @param {Layout} layout
 */
export function lineSentence({ line, level }, shown, layout) {
  const name = levelName(level, layout);
  if (line === CALLED) return level ? `${name} is called.` : `${layout.optimiser} is called.`;
  if (line === CHECKPOINT) {
    const cost = shown.checkpoints[level - 1];
    return Number.isFinite(cost) ? `${name}: x becomes its checkpoint x₀, ${layout.cost} ${number(cost)}.`
      : `${name}: there is no configuration yet for its checkpoint x₀.`;
  }
  if (level === 1) return `${name} calls the local optimiser once.`;
  const { repeats } = layout.levels[level - 2];
  const turn = count(shown.counters[level - 2] + 1);
  return `${name} calls level ${level - 1}: ${turn}${repeats ? ` of ${count(repeats)}` : ""}.`;
}
