// The actions of the user, which buttons, keys and the timeline share.

import { KINDS } from "./bar.js";
import { ITERATE, REDRAW } from "../base/words.js";

const SLIP = 800; // milliseconds after a start during which Stop is ignored: the user meant Run, which was in the same place

/** @import { Engine } from "../run/engine.js" */

export class Controls {
  /** @param {Theatre} theatre */
  constructor(theatre) {
    this.theatre = theatre;
    this.kind = "kept"; // the kind of call that N and P jump to
    /** @type {Mode | null} */ this.modeBefore = null;
    /** @type {{kind: string, from: number, direction: Direction, text: string} | null} */ this.missed = null; // the last jump, if it found no call
    /** @type {Engine | null} */ this.asked = null; // the engine for which Run was last pressed
  }

  get playback() {
    return this.theatre.playback;
  }

  get projector() {
    return this.theatre.projector;
  }

  get engine() {
    return this.projector?.engine;
  }

  /** Start the search, stop it while it is active, or continue it after a stop. */
  run() {
    const { engine, theatre } = this;
    if (!engine) return;
    if (engine.active) {
      if (performance.now() - theatre.begun < SLIP) return;
      engine.command("stop");
      theatre.onEvent({ name: "stop" });
      return;
    }
    if (theatre.hindered) {
      theatre.tell(theatre.hindered);
      return;
    }
    if (theatre.preview) {
      theatre.begin();
      return;
    }
    this.asked = engine;
    const { resumable } = engine.head;
    engine.command("start");
    theatre.onEvent({ name: "run" });
    if (resumable) theatre.goOn();
    else this.projector.begin();
  }

  toggle() {
    const { playback, engine, theatre } = this;
    if (!playback.frame && !playback.pending) {
      if (engine?.head.state === "ready") this.run();
      return;
    }
    if (playback.mode !== "paused") playback.mode = "paused";
    else {
      const { frame, pace } = playback;
      const ended = pace === "story" ? playback.ended : frame?.last && frame.call >= engine.calls;
      if (ended && !engine.active) playback.playFrom(engine.first);
      else playback.play();
    }
    theatre.wake(true);
  }

  /** Change between simple view and lab. */
  view() {
    const { theatre } = this;
    theatre.look(theatre.simple ? "lab" : "simple", true);
  }

  /** Follow the search; if the player already follows it, play from the present call. */
  live() {
    const { playback, engine, theatre } = this;
    if (!engine) return;
    const coming = engine.active || this.asked === engine;
    if (playback.mode === "live") playback.play();
    else if (coming || engine.calls) {
      playback.mode = coming ? "live" : "paused";
      if (engine.calls) playback.seek(engine.calls, coming ? "start" : "end");
    }
    theatre.wake(true);
  }

  /**
   * Pause and step by a "frame", a "call" (to its end) or a "restart" (to its start).
   * @param {"frame" | "call" | "restart"} size @param {Direction} direction
   */
  step(size, direction) {
    const { playback, theatre } = this;
    const { call, frame, pending } = playback;
    playback.mode = "paused";
    if (!call) return;
    if (size === "frame") {
      if (pending || !playback.step(direction)) {
        this.seek(call + direction, direction > 0 ? "start" : "end");
      }
    } else if (size === "call") {
      const inside = direction > 0 && !pending && !frame?.last;
      this.seek(inside ? call : call + direction, "end");
    } else {
      const inside = direction < 0 && !pending && playback.index !== 0;
      this.find("restart", inside ? call : call + direction, direction);
    }
    theatre.wake(true);
  }

  /** Pause and go to the end of a call. @param {number} call */
  show(call) {
    this.playback.mode = "paused";
    this.seek(call, "decision");
    this.theatre.wake(true);
  }

  /** Open Algorithm 1, pause, and step by a line. @param {Direction} direction */
  line(direction) {
    const { playback, theatre } = this;
    if (!theatre.layout?.algorithm.length || theatre.simple) return;
    playback.mode = "paused";
    theatre.panel.open(true);
    if (playback.pending || !playback.frame) return;
    if (!playback.stepLine(direction)) {
      this.seek(playback.call + direction, direction > 0 ? "start" : "end", direction > 0);
    }
    theatre.wake(true);
  }

  /** Pause and go to the next (1) or previous (-1) call of the chosen kind. @param {Direction} direction */
  jump(direction) {
    const { playback, theatre } = this;
    if (!playback.call) return;
    playback.mode = "paused";
    const level = Number(/^level (\d)$/.exec(this.kind)?.[1]);
    if (level) this.findLevel(level, direction);
    else this.find(this.kind, playback.call + direction, direction);
    theatre.wake(true);
  }

  /** Go to the next or previous redraw or decision of a level. @param {number} level @param {Direction} direction */
  findLevel(level, direction) {
    const { engine, playback } = this;
    const { call, pending, frame } = playback;
    const at = pending ? null : frame;
    // Within a call, a level's redraw comes first and its decision last. A level decides in the call before its next redraw.
    /** @type {[happens: (call: number, level: number) => boolean, where: (frames: Frame[]) => number][]} */
    const events = [
      [engine.redraws, (frames) => frames.findIndex((f) => f.event === REDRAW && f.level === level)],
      [engine.decides, (frames) => frames.findIndex((f) => f.event > ITERATE && f.level === level)],
    ];
    const passed = (/** @type {(frames: Frame[]) => number} */ where) => {
      const frames = at && playback.film?.frames(call);
      return !frames || direction * (where(frames) - Math.max(0, playback.index)) <= 0;
    };
    const order = direction > 0 ? events : [...events].reverse();
    for (let c = call; c >= engine.first && c <= engine.calls; c += direction) {
      for (const [happens, where] of order) {
        if (engine.holds(c) && happens.call(engine, c, level) && (c !== call || !passed(where))) return this.seek(c, where);
      }
    }
    return this.theatre.tell(`Level ${level} has no ${direction > 0 ? "later" : "earlier"} redraw or decision.`);
  }

  /** @param {string} kind @param {number} from @param {Direction} direction */
  find(kind, from, direction) {
    const call = this.engine.find(kind, from, direction, this.theatre.layout.levels.length);
    if (call !== null) return this.seek(call, kind === "restart" ? "start" : "decision");
    const text = `No ${direction > 0 ? "later" : "earlier"} ${/** @type {Record<string, string>} */ (KINDS)[kind]} call.`;
    this.missed = { kind, from, direction, text };
    return this.theatre.tell(text);
  }

  /** Remove the message that a jump found no call, if such a call exists now. */
  reconsider() {
    const { missed, engine, theatre } = this;
    if (!missed || engine.find(missed.kind, missed.from, missed.direction, theatre.layout.levels.length) === null) return;
    theatre.narrator.retract(missed.text);
    this.missed = null;
  }

  /** @param {number} call @param {Where} where */
  seek(call, where, line = false) {
    if (call < this.engine.first || call > this.engine.calls) return;
    if (this.missed) this.theatre.narrator.retract(this.missed.text);
    this.missed = null;
    this.playback.seek(this.near(call), where, line);
  }

  /** @param {number} call */
  near(call) {
    return this.projector.film?.near(call, call > this.playback.call ? 1 : -1) ?? call;
  }

  /** Set the pace: "story", or a speed for every call. @param {number | "story"} pace */
  pace(pace) {
    const { playback } = this;
    playback.pace = pace;
    if (playback.mode !== "paused") playback.play();
    this.theatre.wake(true);
  }

  /** Prefetch keyframes when the pointer is over the timeline. */
  async approach() {
    const { projector } = this;
    if (!projector?.engine.calls) return;
    try {
      await projector.keyframes?.refresh();
      if (projector.dragged) this.scrub(projector.dragged, false);
    } catch (error) {
      projector.onTrouble(/** @type {Failure} */ (error), 0);
    }
  }

  /** Start or end dragging the timeline. @param {boolean} held */
  hold(held) {
    const { playback, theatre } = this;
    if (held) {
      this.modeBefore = playback.mode;
      playback.mode = "paused";
    } else if (["playing", "story"].includes(this.modeBefore ?? "")) playback.play();
    if (this.projector) this.projector.dragged = null;
    theatre.wake(true);
  }

  /**
   * Show a frame near a call at once, or if `exact` is true, load the call and show its end.
   * @param {number} call @param {boolean} exact
   */
  scrub(call, exact) {
    const { playback, theatre, projector } = this;
    projector.dragged = exact ? null : call;
    if (exact || projector.film?.has(call)) playback.seek(this.near(call), "end");
    else {
      const near = projector.keyframes?.nearest(call);
      if (near) playback.glimpse(near);
    }
    theatre.timeline.move(call);
    theatre.wake(true);
  }

  /**
   * Zoom the timeline by a factor, to "all" calls, or to the present "restart".
   * @param {"all" | "restart" | number} how
   */
  zoom(how) {
    const { timeline, narrator } = this.theatre;
    timeline.zoom(how);
    narrator.answer(`${timeline.told}.`);
  }

  get presenting() {
    return this.theatre.presenter.on;
  }

  present() {
    return this.theatre.presenter.toggle();
  }

  /** Toggle the bookmark of the present call. */
  mark() {
    this.theatre.presenter.mark();
  }

  /** Go to the next (1) or previous (-1) bookmark; without bookmarks, to the next or previous episode of the story. @param {Direction} direction */
  advance(direction) {
    this.theatre.presenter.step(direction, this);
  }

  /** Perform the action of a key for leading a class. @param {string} key */
  classroom(key) {
    return this.theatre.presenter.classroom.press(key);
  }

  darken() {
    this.theatre.presenter.darken();
  }

  /** Show the pointer's trail while its key is held. */
  point() {
    this.theatre.presenter.pointer.hold();
  }

  help() {
    this.theatre.help.hidden = !this.theatre.help.hidden;
  }

  /** Close the help, a choice in the picture, or the presentation; return false if there was nothing to close. */
  escape() {
    const { help, scene, presenter } = this.theatre;
    if (!help.hidden) help.hidden = true;
    else if (!scene.unchoose()) return presenter.on && presenter.toggle(false);
    return true;
  }
}
