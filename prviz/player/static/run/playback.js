// The playhead: the frame shown, its animation, and the next frame.

import { linesOf } from "./lines.js";
import { REDRAW, KEPT, REVERTED } from "../base/words.js";

/**
 * @import { Film } from "./film.js"
 * @import { Teller } from "./teller.js"
 */

/** @type {Record<number, number>} */
const DWELL = { 1: 600, 2: 165, 3: 600, 4: 600 }; // milliseconds per frame at 1×, by event
/** @type {Record<number, number>} */
const GLIDE = { 1: 380, 2: 165, 3: 200, 4: 420 }; // the part of DWELL in which the picture moves
const A_CALL = 3000; // approximate milliseconds per call
const MOST = 500; // longest time step in milliseconds, so that playback skips little after the tab was hidden

/**
 * Return the progress of the motion (0 to 1) after `elapsed` of the `dwell` milliseconds of a frame.
 * @param {number} event @param {number} elapsed @param {number} dwell
 */
export function glided(event, elapsed, dwell) {
  return Math.min(1, elapsed / Math.max(1, Math.min(GLIDE[event], dwell)));
}

export class Playback {
  /** @type {Mode} */ mode = "paused";
  /** @type {number | "story"} the speed of playing every call, or "story" */ pace = 1;
  /** @type {Teller | null} the story */ teller = null;
  /** @type {{until: number, speed: number} | null} where playing stops after a bet */ onward = null;
  still = false; // no animation, for reduced motion
  /** @type {Film | null} null before the first run */ film;
  /** @type {Frame | null} */ frame;
  /** @type {{call: number, where: Where, line: boolean} | null} a seek that waits for frames */ pending;
  /** @type {number | null} index of the line of Algorithm 1, if it is before the line of the frame */ line;

  index = 0; // index of the frame in its call; -1 for a temporary frame
  elapsed = 0; // milliseconds since the frame appeared
  jumped = true; // whether the last step was a jump, which has no animation
  arrived = 0; // arrival time of the last call in live mode
  every = 250; // average milliseconds between arrivals

  constructor() {
    this.clear(null);
  }

  /** Return the speed outside a story, as a factor. */
  get speed() {
    return this.onward?.speed ?? (this.pace === "story" ? 1 : this.pace);
  }

  /**
   * Play from the end of a call to the end of a later one, in about `milliseconds`.
   * @param {number} from @param {number} until @param {number} milliseconds
   */
  playOn(from, until, milliseconds) {
    this.mode = "playing";
    this.onward = { until, speed: Math.max(1, (until - from) * A_CALL / milliseconds) };
    this.seek(from, "end");
  }

  /** Return true if `playOn` has reached its last call. */
  get arrivedOn() {
    const { onward, frame } = this;
    return Boolean(onward && frame?.last && frame.call >= onward.until && !this.pending);
  }

  /** Change to another film; keep the mode and speed. @param {Film | null} film */
  clear(film) {
    this.film = film;
    this.teller?.begin();
    this.frame = null;
    this.index = 0;
    this.elapsed = 0;
    this.pending = null;
    this.jumped = true;
    this.line = null;
    this.arrived = 0;
    this.every = 250;
  }

  get call() {
    return this.pending?.call ?? this.frame?.call ?? 0;
  }

  get t() {
    if (!this.frame || this.jumped || this.still || this.left) return 1;
    return glided(this.frame.event, this.elapsed, this.dwell);
  }

  /** Return the calls that a story is skipping now: {calls, kept, bests, restarts}, or null. */
  get left() {
    return this.mode === "story" ? this.teller?.left ?? null : null;
  }

  /** Return the duration of this frame in milliseconds, from the story or else from `DWELL`. */
  get dwell() {
    const { frame, film } = this;
    if (!frame) return 0;
    const told = this.mode === "story"
      ? this.teller?.dwell(film?.frames(frame.call) ?? null, this.index, this.still) : undefined;
    return told ?? DWELL[frame.event];
  }

  /** Return true if the story has ended. */
  get ended() {
    const { teller, frame } = this;
    return Boolean(teller?.ends && frame?.last && frame.call === teller.episode?.call && !this.pending);
  }

  /** Play from the playhead on. */
  play() {
    this.mode = this.pace === "story" ? "story" : "playing";
    this.onward = null;
    if (this.mode === "story") this.teller?.resume(this.pending?.call ?? this.frame?.call);
  }

  /** Play from the first call on. @param {number} call */
  playFrom(call) {
    this.teller?.begin();
    if (this.mode === "paused") this.play();
    this.seek(call, "start");
  }

  get moving() {
    return this.frame !== null && (this.mode !== "paused" || this.t < 1);
  }

  /**
   * Go to a frame of a call. `where` is "start", "decision", "end", the index of a frame, or a function that returns
   * the index. If `line` is true, stop at the first line of Algorithm 1 that leads to the frame.
   * @param {number} call @param {Where} where
   */
  seek(call, where = "end", line = false) {
    this.pending = { call, where, line };
    return this.arrive();
  }

  /** Show a temporary frame while dragging. @param {Frame} frame */
  glimpse(frame) {
    this.pending = null;
    this.place(frame, -1, true);
  }

  /** Complete a seek if its frames are loaded. Return true if the picture has changed. */
  arrive() {
    if (!this.pending) return false;
    const { call, where, line } = this.pending;
    const frames = this.film?.frames(call);
    if (!frames) return false;
    const decision = frames.findIndex(({ event }) => event === KEPT || event === REVERTED);
    const index = where === "start" ? 0 : where === "end" ? frames.length - 1
      : where === "decision" ? Math.max(0, decision)
        : typeof where === "function" ? Math.max(0, where(frames)) : Math.min(where, frames.length - 1);
    this.pending = null;
    const told = call === this.teller?.episode?.call; // whether the story moved the playhead
    if (this.mode === "story" && !told) this.teller?.resume(call);
    this.place(frames[index], index, where !== "start");
    if (line) this.toFirstLine();
    return true;
  }

  /** @param {Frame} frame @param {number} index @param {boolean} jumped */
  place(frame, index, jumped) {
    this.frame = frame;
    this.index = index;
    this.elapsed = 0;
    this.jumped = jumped;
    this.line = null;
  }

  /** Return the frame before this one, if it is loaded. */
  get previous() {
    if (!this.frame || !this.film) return null;
    const frames = this.film.frames(this.frame.call);
    if (!frames) return null;
    const index = this.index < 0 ? frames.length - 1 : this.index;
    return index > 0 ? frames[index - 1] : this.film.closing(this.frame.call - 1);
  }

  /** Return the lines of Algorithm 1 that lead to this frame; the last is the line of the frame. */
  get lines() {
    return this.frame && this.film ? linesOf(this.frame, this.film.layout) : [];
  }

  /** Go one line of Algorithm 1 forward or back. Return false if there is no such line (yet). @param {Direction} direction */
  stepLine(direction) {
    if (!this.frame) return false;
    const last = this.lines.length - 1;
    const to = (this.line ?? last) + direction;
    if (to > last) {
      if (!this.step(1)) return false;
      this.toFirstLine();
    } else if (to === last) this.place(this.frame, this.index, false);
    else if (to >= 0) {
      this.line = to;
      this.elapsed = 0;
    } else return this.step(-1);
    return true;
  }

  toFirstLine() {
    if (this.lines.length > 1) this.line = 0;
  }

  /** Go one frame forward or back. Return false if there is no such frame (yet). @param {Direction} direction */
  step(direction) {
    if (!this.frame || !this.film) return false;
    const frames = this.film.frames(this.frame.call);
    if (!frames) return false;
    if (this.line !== null && direction > 0) { // the picture still shows the previous frame
      this.place(this.frame, this.index, false);
      return true;
    }
    const index = (this.index < 0 ? frames.length - 1 : this.index) + direction;
    if (index >= 0 && index < frames.length) {
      this.place(frames[index], index, direction < 0);
      return true;
    }
    const call = this.film.near(this.frame.call + direction, direction);
    const other = call === this.frame.call ? null : this.film.frames(call);
    if (!other) return false;
    const at = direction > 0 ? 0 : other.length - 1;
    this.place(other[at], at, direction < 0);
    return true;
  }

  /** Advance the playback. Return true if the picture has changed. @param {number} milliseconds */
  tick(milliseconds) {
    if (this.mode === "story") this.teller?.pass(milliseconds);
    /** @type {boolean} */
    let changed = this.pending ? this.arrive() : false;
    if (!this.frame || this.pending) return changed;
    const before = this.t;
    const pace = this.mode === "live" ? this.livePace()
      : this.mode === "playing" ? this.speed : Math.max(1, this.speed);
    this.elapsed += Math.min(milliseconds, MOST) * pace;
    while (this.mode !== "paused" && !this.pending && this.elapsed >= this.dwell) {
      const over = this.elapsed - this.dwell;
      if (!this.forward()) {
        this.elapsed = this.dwell;
        break;
      }
      this.elapsed = over;
      changed = true;
    }
    return changed || this.t !== before;
  }

  forward() {
    const { frame, film, mode } = this;
    if (this.arrivedOn) return false;
    const newest = mode === "live" && frame?.last && film && film.newest > frame.call + 1
      ? film.frames(film.newest) : null;
    if (newest) {
      this.place(newest[0], 0, false);
      return true;
    }
    if (mode === "story" && (frame?.last || this.left)) return this.tell();
    return this.step(1);
  }

  /** Start the next episode of the story, or the counter of skipped calls before it. Return false if there is no next episode (yet). */
  tell() {
    const { teller } = this;
    const episode = teller?.next();
    if (!teller || !episode) return false;
    if (teller.leaves(episode)) return true;
    teller.enter(episode);
    this.seek(episode.call, episode.still ? "end" : "start");
    return true;
  }

  /** Record that a new call has arrived in live mode. @param {number} now */
  fed(now) {
    if (this.arrived) this.every += 0.3 * (Math.min(3000, now - this.arrived) - this.every);
    this.arrived = now;
  }

  /** Return the speed in live mode, at which a call ends when the next one is expected. */
  livePace() {
    const frames = this.frame && this.film?.frames(this.frame.call);
    if (!frames) return 8;
    const whole = frames.reduce((sum, { event }) => sum + DWELL[event], 0);
    return whole / Math.max(120, this.every);
  }

  /** Return the milliseconds that are left of this frame. */
  get rest() {
    return this.frame ? this.dwell - this.elapsed : 0;
  }

  /** Return the present moment (see scene/layers.js). @returns {Shown} */
  moment() {
    const { previous, frame } = this;
    if (this.line === null) return frame ? this.momentAt(frame, this.index, previous, this.t) : {};
    if (!previous) return {};
    const index = this.index > 0 ? this.index - 1 : -1;
    return this.momentAt(previous, index, previous, 1);
  }

  /** @param {Frame} frame @param {number} at @param {Frame | null} previous @param {number} t @returns {Moment} */
  momentAt(frame, at, previous, t) {
    const frames = this.film?.frames(frame.call) ?? [frame];
    const index = at < 0 ? frames.length - 1 : at;
    let redraw = -1;
    for (let i = 0; i <= index && i < frames.length; i++) if (frames[i].event === REDRAW) redraw = i;
    const origin = redraw > 0 ? frames[redraw - 1]
      : redraw === 0 ? this.film?.closing(frame.call - 1) ?? null : null;
    return {
      before: previous ?? frame,
      after: frame,
      t,
      start: this.film?.closing(frame.call - 1) ?? frames[0], // the configuration before the call
      origin, // the configuration before the redraw
      way: redraw < 0 ? [] : frames.slice(redraw, index), // the frames since the redraw
    };
  }
}
