// Two searches from one seed under one clock: the best that each has found after equal work.

import { decode } from "./film.js";
import { readLine } from "./source.js";

export const SECONDS = 24; // of the clock, from the first bests to the last

/**
 * {full, partial}, each with its `frames` in the order in which they were found, and how far it is.
 * @param {ArrayBuffer} buffer @param {Layout} layout @returns {Duel}
 */
export function readDuel(buffer, layout) {
  const [sides, bytes] = readLine(buffer);
  let at = 0;
  return /** @type {Duel} */ (Object.fromEntries(Object.entries(sides).map(([side, { bests, ...far }]) => {
    const frames = Array.from({ length: bests }, (_, i) => decode(bytes, at + i * layout.frame_bytes, layout));
    at += bests * layout.frame_bytes;
    return [side, { ...far, frames }];
  })));
}

/**
 * The work that both have done, from where each has a best: [from, to], or null where one has none.
 * @param {Duel} duel @param {Axis} axis @returns {[from: number, to: number] | null}
 */
export function span({ full, partial }, axis) {
  if (!full.frames.length || !partial.frames.length) return null;
  const from = Math.max(full.frames[0][axis], partial.frames[0][axis]);
  return [from, Math.max(from, Math.min(full[axis], partial[axis]))];
}

/** The best of a side after so much work. @param {Side} side @param {Axis} axis @param {number} work */
export function bestAt({ frames }, axis, work) {
  return frames.findLast((frame) => frame[axis] <= work) ?? frames[0];
}

/** The work at which one picture or the other changes, in order. @param {Duel} duel @param {Axis} axis */
export function changes({ full, partial }, axis) {
  const both = span({ full, partial }, axis);
  if (!both) return [];
  const [from, to] = both;
  const found = [...full.frames, ...partial.frames].map((frame) => frame[axis]);
  return [...new Set([from, ...found.filter((work) => work > from && work < to), to])].sort((a, b) => a - b);
}

/** Work as time: each tenfold of it takes as long, as a search improves ever more rarely. */
export class Clock {
  /** @type {[from: number, to: number] | null} */
  span = null;
  work = 0; // where it stands, once there is a span
  playing = false;

  /** The searches are as far as this. @param {[from: number, to: number]} reached */
  reach(reached) {
    if (!this.span) this.work = reached[0];
    this.span = reached;
    this.set(this.work);
  }

  /** @param {number} work */
  set(work) {
    if (this.span) this.work = Math.max(this.span[0], Math.min(this.span[1], work));
  }

  /** How much of the way lies behind: 0 to 1. */
  get share() {
    if (!this.span) return 0;
    const [from, to] = this.span;
    return to > from ? Math.log(this.work / from) / Math.log(to / from) : 1;
  }

  set share(share) {
    if (!this.span) return;
    const [from, to] = this.span;
    this.set(share >= 1 ? to : from * (to / from) ** share);
  }

  get ended() {
    return this.span !== null && this.work >= this.span[1];
  }

  /** Play, from the start where it stands at the end; or pause. */
  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.span && this.ended) this.set(this.span[0]);
  }

  /**
   * Let time pass; at the end it waits where the searches go on.
   * @param {number} milliseconds @param {boolean} goesOn
   */
  tick(milliseconds, goesOn) {
    if (!this.playing || !this.span) return;
    this.share += milliseconds / (1000 * SECONDS);
    if (this.ended && !goesOn) this.playing = false;
  }

  /**
   * Pause, and go to the next change or the one before.
   * @param {Direction} direction @param {number[]} works
   */
  step(direction, works) {
    this.playing = false;
    if (!this.span) return;
    const next = direction > 0 ? works.find((work) => work > this.work) : works.findLast((work) => work < this.work);
    this.set(next ?? (direction > 0 ? this.span[1] : this.span[0]));
  }
}
