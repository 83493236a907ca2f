// One run and its playback: the search, the loaded frames, and the playhead.

import { Engine } from "./engine.js";
import { Film, Keyframes, Loader } from "./film.js";
import { episodes, untold } from "./story.js";
import { Teller } from "./teller.js";
import { persist } from "./source.js";
import { goalOf } from "../base/words.js";

/** @import { Playback } from "./playback.js" */

/** Playheads of runs, which a page restores when it is opened again. */
const playheads = (globalThis.__prvizPlayheads ??= new Map());
const MOST_PLAYHEADS = 20;
const CHANGES = 1000; // milliseconds between new bests after the end of a story
const ONWARD = 8000; // milliseconds in which a run plays to the call that a page requests

export class Projector {
  /**
   * `playback` keeps the mode and speed of the previous run. It starts at the first call of `onward`, at `wanted` (the
   * call of a link), or at the first call if `begins` is true. Without these values, the state of the search determines
   * the start. `autoplay` starts search and playback. `onHead()` is called when the search has advanced, `onEnd()` when
   * it has finished, and `wake()` when the picture may have changed.
   * @param {Source} source @param {Playback} playback
   * @param {{autoplay: boolean, wanted: number | null, onward?: Onward | null, begins?: boolean | null, atStart?: boolean, onHead: () => void, onEnd: () => void, onTrouble: OnTrouble, wake: (redraw?: boolean) => void}} options
   */
  constructor(source, playback, { autoplay, wanted, onward = null, begins, atStart, onHead, onEnd, onTrouble, wake }) {
    this.source = source;
    this.playback = playback;
    this.autoplay = autoplay;
    this.wanted = wanted;
    this.onward = onward;
    this.begins = begins;
    this.atStart = atStart;
    this.wake = wake;
    this.onHead = onHead;
    this.onEnd = onEnd;
    this.active = false; // whether the search was active at the last update
    this.closed = false;
    /** @type {OnTrouble} */ this.onTrouble = (error, pause) => this.closed || onTrouble(error, pause);
    /** @type {Film | null} */ this.film = null;
    /** @type {Loader | null} */ this.loader = null;
    /** @type {Keyframes | null} */ this.keyframes = null;
    this.placed = false;
    /** @type {number | null} */ this.dragged = null; // the call under the pointer while dragging the timeline
    playback.teller = null;
    playback.clear(null);
    this.engine = new Engine(source, { onTrouble: this.onTrouble, onChange: (restarted) => this.moved(restarted) });
  }

  /** Fetch the data of the first picture: {layout, assets}, or null if the run has expired or this projector is closed. */
  async open() {
    const { source, playback, onTrouble } = this;
    const alive = () => !this.closed;
    const opening = await persist(() => source.opening(), alive, onTrouble);
    if (!opening) return null;
    const { layout, head, frames } = opening;
    this.film = new Film(layout, { held: source.held });
    this.engine.goal = goalOf(layout);
    playback.teller = new Teller(this.engine, layout.levels.length);
    playback.clear(this.film);
    this.placed = false; // so that `placeFirst` runs, even if Run was pressed in the meantime
    this.keyframes = new Keyframes(layout, source);
    this.loader = new Loader(source, this.film, { onTrouble, onData: (added) => this.fed(added) });
    this.film.add(frames);
    this.engine.begin(head);
    const names = layout.assets ?? [];
    const fetchAll = () => Promise.all(names.map((/** @type {string} */ name) => source.asset(name)));
    const assets = await persist(fetchAll, alive, onTrouble);
    return assets && { layout, assets: Object.fromEntries(names.map((/** @type {string} */ name, /** @type {number} */ i) => [name, assets[i]])) };
  }

  /** Choose the starting call when `layout` and `head` are known. */
  placeFirst() {
    const { engine, playback, film, source } = this;
    if (this.placed || !film || !engine.heard) return;
    this.placed = true;
    const kept = playheads.get(source.id);
    if (this.onward) {
      const { from, until } = this.onward;
      if (playback.still) playback.playOn(until, until, ONWARD);
      else playback.playOn(from, until, ONWARD);
    } else if (kept && kept.call <= engine.calls) {
      this.wanted = null;
      playback.mode = kept.mode;
      playback.seek(kept.call, kept.index);
    } else if (this.wanted) playback.mode = "paused"; // the call is shown as soon as the search has made it
    else if (this.begins ?? (this.autoplay || engine.active)) this.play();
    else {
      playback.mode = "paused";
      if (source.fixed || this.atStart || film.layout.recorded) playback.seek(engine.first, "start");
      else if (engine.calls) this.showEnd(film, engine.calls);
      else this.placed = false; // there is no call yet
    }
    if (this.autoplay && engine.head.state === "ready") engine.command("start");
    this.wake(true);
  }

  /** Show the end of a call. Its other frames may come later. @param {Film} film @param {number} call */
  showEnd(film, call) {
    const closing = film.closing(call);
    if (!this.playback.seek(call, "end") && closing) this.playback.place(closing, -1, true);
  }

  /** Play from the first call, because Run was pressed. */
  begin() {
    this.wanted = null;
    this.autoplay = this.placed = true;
    this.play();
    this.wake(true);
  }

  /** Continue the playback, because Continue was pressed. */
  goOn() {
    this.autoplay = this.placed = true;
    this.playback.teller?.goOn(this.engine.calls);
    if (this.playback.mode === "paused") this.playback.play();
    this.wake(true);
  }

  /** Play from the first call on. */
  play() {
    this.playback.playFrom(this.engine.first);
  }

  /** @param {boolean} restarted */
  moved(restarted) {
    if (this.closed) return;
    const { engine, playback } = this;
    if (restarted && this.film && this.loader) {
      this.film = new Film(this.film.layout);
      this.loader.film = this.film;
      this.keyframes = new Keyframes(this.film.layout, this.source);
      playback.clear(this.film);
      playback.seek(engine.first, "start");
    }
    this.placeFirst();
    if (this.wanted && this.film && (engine.calls >= this.wanted || engine.calls && !engine.active)) {
      playback.seek(Math.min(this.wanted, engine.calls), "end");
      this.wanted = null;
    }
    this.showBest();
    if (this.active && engine.head.state === "finished") this.onEnd(); // not called after another run has replaced this one
    this.active = engine.active;
    this.onHead();
  }

  /** Show the newest best if the search continues after the end of a story, unless the user has moved the playhead. */
  showBest() {
    const { playback, engine } = this;
    const best = engine.bests.at(-1)?.[0];
    const now = performance.now();
    if (playback.mode !== "paused" || !playback.ended || !best || best === playback.call) return;
    if (engine.active && now - (this.changed ?? -CHANGES) < CHANGES) return;
    this.changed = now;
    playback.teller?.endOn(best);
    playback.seek(best, "end");
    this.wake();
  }

  /** Return true if the search is ready but does not start automatically. */
  get idle() {
    return this.engine.heard && this.engine.head.state === "ready" && !this.autoplay;
  }

  /** @param {number} added */
  fed(added) {
    if (this.closed) return;
    if (added && this.playback.mode === "live") this.playback.fed(performance.now());
    if (!added && !this.engine.active) this.engine.again(0); // the server computes the frames again; its message gives the reason
    this.wake();
  }

  /**
   * Advance the playback, and load the next frames. Return true if the picture has changed.
   * @param {number} milliseconds @param {number} now
   */
  tick(milliseconds, now) {
    const changed = this.playback.tick(milliseconds);
    this.load(now);
    return changed;
  }

  /** @param {number} now */
  load(now) {
    const { playback, engine, loader } = this;
    if (!loader || !engine.calls || this.dragged || this.source.fixed && this.source.held) return;
    const call = playback.call || engine.first;
    engine.hurried = playback.mode === "live";
    if (playback.mode === "live" && !playback.pending) return loader.want(engine.calls, 0, engine.calls, now);
    if (playback.mode === "story") return this.loadStory(call, now);
    loader.want(call, Math.max(4, Math.ceil(2 * playback.speed)), engine.calls, now);
    if (playback.mode === "paused") loader.want(Math.max(engine.first, call - 8), 8, call, now);
    this.askAgain();
  }

  /**
   * Load this call of a story and the next one, or more if the source is slow.
   * @param {number} call @param {number} now
   */
  loadStory(call, now) {
    const { playback, engine, loader, source } = this;
    if (!loader || !playback.teller) return;
    loader.want(call, 0, engine.calls, now);
    for (const next of playback.teller.coming(source.ahead ?? 1)) loader.want(next.call, 0, engine.calls, now);
    this.askAgain();
  }

  /** Request frames again if they were not available. */
  askAgain() {
    if (this.playback.pending && !this.loader?.busy) setTimeout(() => this.wake(), 40);
  }

  /** Stop playing at the end of a finished search or of a story. Return true if playing has stopped. */
  finish() {
    const { playback, engine } = this;
    const { frame, mode } = playback;
    if (!frame || mode === "paused" || playback.pending || !frame.last || playback.rest > 0) return false;
    if (mode === "story" ? !playback.teller?.ends : engine.active || frame.call < engine.calls) return false;
    playback.mode = "paused";
    return true;
  }

  /** Return the calls that a story of the search shows, and the present call. */
  get storied() {
    const { engine, playback, film } = this;
    if (!film) return [];
    const calls = episodes(engine, film.layout.levels.length, untold()).map(({ call }) => call);
    return [...new Set([...calls, playback.call])].sort((a, b) => a - b);
  }

  remember() {
    const { frame, index, mode } = this.playback;
    const { id } = this.source;
    if (!frame) return;
    playheads.set(id, { call: frame.call, index: Math.max(0, index), mode });
    const [oldest] = playheads.keys();
    if (playheads.size > MOST_PLAYHEADS) playheads.delete(oldest);
  }

  close() {
    this.closed = true;
    this.source.close();
    this.engine.close();
  }
}
