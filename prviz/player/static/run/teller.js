// Plays a story: the present episode, the skipped calls before it, and the next episode.

import { BRIEF, FIRST, GAP, LATE, WHOLE, after, dwells, episodes, skipped, untold } from "./story.js";

/** @import { Engine } from "./engine.js" */

export class Teller {
  /** @type {Told} the position at the end of the present episode */
  told;
  /** @type {Episode | null} the present episode */
  episode;
  /** @type {LeftOut | null} the calls being skipped */
  left;
  /** @type {Episode[] | null} the next episodes */
  plan;
  /** @type {number | null} number of calls when the plan was made; null if the search was over */
  known;
  spent = 0; // milliseconds since the start of the story; late frames make it longer than planned

  /**
   * `engine` has outcomes and new bests; `top` is the number of levels.
   * @param {Engine} engine @param {number} top
   */
  constructor(engine, top) {
    this.engine = engine;
    this.top = top;
    this.begin();
  }

  /** Start from the beginning. */
  begin() {
    this.told = untold();
    this.spent = 0;
    this.episode = this.left = this.plan = this.known = null;
  }

  /** Return true if the present episode is the last. */
  get ends() {
    return this.episode?.end === true;
  }

  /** Continue from a call that the user chose. @param {number | undefined} call */
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

  /** Resume a finished story at a call, and allow it more time. @param {number} call */
  goOn(call) {
    if (this.episode?.end) {
      this.episode = { ...this.episode, end: false };
      this.told = { ...this.told, call, time: 0 };
      this.spent = 0;
    }
    this.plan = null;
  }

  /** Add a new best that was found after the story had ended. @param {number} call */
  endOn(call) {
    this.enter({ call, time: 0, end: true, still: true });
  }

  /** Add to the time since the start of the story. @param {number} milliseconds */
  pass(milliseconds) {
    this.spent += milliseconds;
  }

  /** Return the next episode, or null if the calls so far contain none. */
  next() {
    return this.coming(1)[0] ?? null;
  }

  /** Return up to `most` next episodes. @param {number} most */
  coming(most) {
    const { engine } = this;
    if (this.ends) return [];
    const late = this.plan?.length === 0 && this.spent >= LATE;
    const further = this.known !== null && (engine.calls !== this.known || engine.over || late);
    const plan = this.plan === null || further ? this.look() : this.plan;
    return plan.slice(0, most);
  }

  /** Plan the next episodes. */
  look() {
    const { engine, top } = this, told = this.punctual;
    this.known = engine.over ? null : engine.calls;
    const plan = this.plan = episodes(engine, top, told);
    const newest = !engine.over && engine.calls > told.call;
    if (!plan.length && newest) plan.push({ call: engine.calls, time: BRIEF });
    return plan;
  }

  /** Return the position in the story. Its time is the planned time or, if longer, the real time since the start. */
  get punctual() {
    return { ...this.told, time: Math.max(this.told.time, this.spent) };
  }

  /**
   * End an episode; return true if a counter of skipped calls comes before the next one.
   * @param {Episode} episode
   */
  leaves(episode) {
    if (this.left) return false;
    const left = skipped(this.engine, this.told.call, episode.call, this.top);
    this.left = left.calls ? left : null;
    return left.calls > 0;
  }

  /** Start another episode. @param {Episode} episode */
  enter(episode) {
    const late = this.spent > this.told.time;
    this.told = after(this.punctual, episode, this.engine, this.top);
    this.episode = episode;
    this.left = null;
    if (this.plan?.[0] === episode && this.known === null && !late) this.plan.shift();
    else this.plan = null;
  }

  /**
   * Return the duration of a call's frame in milliseconds; undefined if the call is not the present episode.
   * @param {Frame[] | null} frames @param {number} index @param {boolean} still
   */
  dwell(frames, index, still) {
    if (this.left) return GAP;
    if (!this.episode || frames?.[0].call !== this.episode.call) return undefined;
    if (this.episode.still) return 0;
    return dwells(frames, this.episode.time, still)[index];
  }
}
