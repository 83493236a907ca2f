// Tells a story: which episode is on, what was left out before it, and which comes next.

import { BRIEF, FIRST, GAP, WHOLE, after, dwells, episodes, skipped, untold } from "./story.js";

/** @import { Engine } from "./engine.js" */

export class Teller {
  /** @type {Told} up to the end of the episode that is on */
  told;
  /** @type {Episode | null} the one that is on */
  episode;
  /** @type {LeftOut | null} what is being left out */
  left;
  /** @type {Episode[] | null} the episodes to come */
  plan;
  /** @type {number | null} calls of a search that went on when that was planned */
  known;
  spent = 0; // milliseconds that the story took: more than was told where frames are late

  /**
   * `engine` has outcomes and new bests; `top` is the number of levels.
   * @param {Engine} engine @param {number} top
   */
  constructor(engine, top) {
    this.engine = engine;
    this.top = top;
    this.begin();
  }

  /** From the beginning. */
  begin() {
    this.told = untold();
    this.spent = 0;
    this.episode = this.left = this.plan = this.known = null;
  }

  /** Whether the last episode is on. */
  get ends() {
    return this.episode?.end === true;
  }

  /** Go on from a call that somebody has gone to. @param {number | undefined} call */
  resume(call) {
    if (!call) return;
    if (this.episode?.call === call) {
      if (this.ends && !this.engine.over) this.goOn(call);
      return;
    }
    const begins = !this.told.call && call === this.engine.first;
    if (!begins) this.told = { ...this.told, call: call - 1 };
    this.enter({ call, time: begins ? FIRST : WHOLE });
  }

  /** The story that had ended goes on after a call, with time for more. @param {number} call */
  goOn(call) {
    if (this.episode?.end) {
      this.episode = { ...this.episode, end: false };
      this.told = { ...this.told, call, time: 0 };
      this.spent = 0;
    }
    this.plan = null;
  }

  /** A new best was found after the story had ended: it ends on that. @param {number} call */
  endOn(call) {
    this.enter({ call, time: 0, end: true, still: true });
  }

  /** Let time pass, by the clock. @param {number} milliseconds */
  pass(milliseconds) {
    this.spent += milliseconds;
  }

  /** The episode after this one, as far as the search is known, or null. */
  next() {
    return this.coming(1)[0] ?? null;
  }

  /** The next episodes, no more than `most`. @param {number} most */
  coming(most) {
    const { engine } = this;
    if (this.ends) return [];
    const further = this.known !== null && (engine.calls !== this.known || engine.over);
    const plan = this.plan === null || further ? this.look() : this.plan;
    return plan.slice(0, most);
  }

  /** Plan what is to come: once where the search is over, else as often as it gets further. */
  look() {
    const { engine, top } = this, told = this.punctual;
    this.known = engine.over ? null : engine.calls;
    const plan = this.plan = episodes(engine, top, told);
    const newest = !engine.over && engine.calls > told.call;
    if (!plan.length && newest) plan.push({ call: engine.calls, time: BRIEF });
    return plan;
  }

  /** How far the story was told, and by the clock how long that took. */
  get punctual() {
    return { ...this.told, time: Math.max(this.told.time, this.spent) };
  }

  /**
   * A episode is over: true where a counter comes before the next, which tells what is left out.
   * @param {Episode} episode
   */
  leaves(episode) {
    if (this.left) return false;
    const left = skipped(this.engine, this.told.call, episode.call, this.top);
    this.left = left.calls ? left : null;
    return left.calls > 0;
  }

  /** Another episode is on. @param {Episode} episode */
  enter(episode) {
    const late = this.spent > this.told.time;
    this.told = after(this.punctual, episode, this.engine, this.top);
    this.episode = episode;
    this.left = null;
    if (this.plan?.[0] === episode && this.known === null && !late) this.plan.shift();
    else this.plan = null;
  }

  /**
   * Milliseconds that frame number `index` of so many is shown; undefined outside of the episode.
   * @param {Frame[] | null} frames @param {number} index @param {boolean} still
   */
  dwell(frames, index, still) {
    if (this.left) return GAP;
    if (!this.episode || frames?.[0].call !== this.episode.call) return undefined;
    if (this.episode.still) return 0;
    return dwells(frames, this.episode.time, still)[index];
  }
}
