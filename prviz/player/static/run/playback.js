// The playhead: which frame is shown, how far the picture has glided into it, and what comes next.

import { linesOf } from "./lines.js";
import { REDRAW, KEPT, REVERTED } from "../base/words.js";

const DWELL = { 1: 600, 2: 165, 3: 600, 4: 600 }; // milliseconds a frame is shown at 1×, by event
const GLIDE = { 1: 380, 2: 165, 3: 200, 4: 420 }; // of which the picture moves
const MOST = 500; // no step of the clock is longer: a hidden tab must not skip much

/** How far the picture has moved, `elapsed` milliseconds after a frame came that is shown for `dwell`. */
export function glided(event, elapsed, dwell) {
  return Math.min(1, elapsed / Math.max(1, Math.min(GLIDE[event], dwell)));
}

export class Playback {
  constructor() {
    this.mode = "paused"; // or "story", "playing" every call, "live": following the search
    this.pace = 1; // of every call, or "story"
    this.teller = null; // of the story
    this.still = false; // reduced motion: no glide
    this.clear(null);
  }

  /** How fast every call is played. */
  get speed() {
    return this.pace === "story" ? 1 : this.pace;
  }

  /** Start on another film; the mode and the pace stay. */
  clear(film) {
    this.film = film;
    this.teller?.begin();
    this.frame = null;
    this.index = 0;
    this.elapsed = 0;
    this.pending = null; // {call, where} asked for, frames not here yet
    this.jumped = true;
    this.line = null; // of the lines that lead to the frame, one before its own
    this.arrived = 0; // when the last call came while following the head
    this.every = 250; // milliseconds between such calls
  }

  get call() {
    return this.pending?.call ?? this.frame?.call ?? 0;
  }

  get t() {
    if (!this.frame || this.jumped || this.still || this.left) return 1;
    return glided(this.frame.event, this.elapsed, this.dwell);
  }

  /** What a story is leaving out just now: {calls, kept, bests, restarts}, or null. */
  get left() {
    return this.mode === "story" ? this.teller?.left ?? null : null;
  }

  /** Milliseconds that the frame is shown, at the pace of every call if there is no story. */
  get dwell() {
    const told = this.mode === "story"
      ? this.teller?.dwell(this.film.frames(this.frame.call), this.index, this.still) : undefined;
    return told ?? DWELL[this.frame.event];
  }

  /** Whether the story has come to its end. */
  get ended() {
    const { teller, frame } = this;
    return Boolean(teller?.ends && frame?.last && frame.call === teller.episode.call && !this.pending);
  }

  /** Play on from where the playhead is. */
  play() {
    this.mode = this.pace === "story" ? "story" : "playing";
    if (this.mode === "story" && !this.pending) this.teller?.resume(this.frame?.call);
  }

  /** Play from the first call on. */
  playFrom(call) {
    this.teller?.begin();
    if (this.mode === "paused") this.play();
    this.seek(call, "start");
  }

  get moving() {
    return this.frame !== null && (this.mode !== "paused" || this.t < 1);
  }

  /**
   * Go to a call: where is "start", "decision", "end", the index of a frame, or a function that finds
   * it among the frames. `line`: stand on the first of the lines that lead to it.
   */
  seek(call, where = "end", line = false) {
    this.pending = { call, where, line };
    return this.arrive();
  }

  /** Show a frame for the time being, while dragging. */
  glimpse(frame) {
    this.pending = null;
    this.place(frame, -1, true);
  }

  /** Complete a seek whose frames have come. True if the picture changed. */
  arrive() {
    const frames = this.pending && this.film?.frames(this.pending.call);
    if (!frames) return false;
    const { where, line } = this.pending;
    const decision = frames.findIndex(({ event }) => event === KEPT || event === REVERTED);
    const index = where === "start" ? 0 : where === "end" ? frames.length - 1
      : where === "decision" ? Math.max(0, decision)
        : typeof where === "function" ? Math.max(0, where(frames)) : Math.min(where, frames.length - 1);
    this.pending = null;
    if (this.mode === "story") this.teller?.resume(frames[index].call);
    this.place(frames[index], index, where !== "start");
    if (line) this.toFirstLine();
    return true;
  }

  place(frame, index, jumped) {
    this.frame = frame;
    this.index = index;
    this.elapsed = 0;
    this.jumped = jumped;
    this.line = null;
  }

  /** The frame before the one shown, if it is here. */
  get previous() {
    if (!this.frame || !this.film) return null;
    const frames = this.film.frames(this.frame.call);
    if (!frames) return null;
    const index = this.index < 0 ? frames.length - 1 : this.index;
    return index > 0 ? frames[index - 1] : this.film.closing(this.frame.call - 1);
  }

  /** The lines of Algorithm 1 that lead to the frame shown, its own the last. */
  get lines() {
    return linesOf(this.frame, this.film.layout);
  }

  /** One line of Algorithm 1 on or back. False where there is none (yet). */
  stepLine(direction) {
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

  /** One frame on or back. False where there is none (yet). */
  step(direction) {
    const frames = this.frame && this.film.frames(this.frame.call);
    if (!frames) return false;
    if (this.line !== null && direction > 0) { // it is the one before that is seen
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

  /** Let time pass. True if the picture changed. */
  tick(milliseconds) {
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
    const newest = this.film.newest;
    if (this.mode === "live" && this.frame.last && newest > this.frame.call + 1
        && this.film.has(newest)) {
      this.place(this.film.frames(newest)[0], 0, false);
      return true;
    }
    if (this.mode === "story" && (this.frame.last || this.left)) return this.tell();
    return this.step(1);
  }

  /** The next episode of the story, or the counter before it. False where there is none (yet). */
  tell() {
    const { teller } = this;
    const episode = teller?.next();
    if (!episode) return false;
    if (teller.leaves(episode)) return true;
    teller.enter(episode);
    this.seek(episode.call, episode.still ? "end" : "start");
    return true;
  }

  /** A call came while following the head. */
  fed(now) {
    if (this.arrived) this.every += 0.3 * (Math.min(3000, now - this.arrived) - this.every);
    this.arrived = now;
  }

  /** Following the head, a call lasts until the next one comes, if that can be seen. */
  livePace() {
    const frames = this.film.frames(this.frame.call);
    if (!frames) return 8;
    const whole = frames.reduce((sum, { event }) => sum + DWELL[event], 0);
    return whole / Math.max(120, this.every);
  }

  /** Milliseconds of film from the playhead on, at the present speed, that are here. */
  get rest() {
    return this.frame ? this.dwell - this.elapsed : 0;
  }

  /** All that a layer needs: two frames and how far between, where from, and the way so far. */
  moment() {
    const { previous } = this;
    if (this.line === null) return this.momentAt(this.frame, this.index, previous, this.t);
    if (!previous) return {};
    const index = this.index > 0 ? this.index - 1 : -1;
    return this.momentAt(previous, index, previous, 1);
  }

  momentAt(frame, at, previous, t) {
    const frames = this.film?.frames(frame.call) ?? [frame];
    const index = at < 0 ? frames.length - 1 : at;
    let redraw = -1;
    for (let i = 0; i <= index && i < frames.length; i++) if (frames[i].event === REDRAW) redraw = i;
    const origin = redraw > 0 ? frames[redraw - 1]
      : redraw === 0 ? this.film.closing(frame.call - 1) : null;
    return {
      before: previous ?? frame,
      after: frame,
      t,
      start: this.film?.closing(frame.call - 1) ?? frames[0], // the configuration before the call
      origin, // the configuration before the redraw
      way: redraw < 0 ? [] : frames.slice(redraw, index), // the frames since
    };
  }
}
