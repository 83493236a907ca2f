// Presentation mode: the player alone, in large type, over the whole page; and the keys of a clicker.

import { h } from "../base/dom.js";
import { episodes, untold } from "../run/story.js";
import { count } from "../base/words.js";
import { Bookmarks, beyond } from "./bookmarks.js";
import { Lead } from "../class/lead.js";
import { Pointer } from "./pointer.js";
import { setAddress } from "../share/links.js";

export class Presenter {
  /** @param {Theatre} theatre */
  constructor(theatre) {
    this.theatre = theatre;
    this.on = false;
    this.bookmarks = new Bookmarks();
    this.pointer = new Pointer();
    this.classroom = new Lead(theatre);
    this.black = h("div", { class: "pv-black", hidden: true });
    this.back = (/** @type {Event} */ event) => this.lighten(event);
  }

  /** Return the values of the presentation for a link. */
  get query() {
    const { text } = this.bookmarks;
    return { ...text && { moments: text }, ...this.on && { present: "1" }, ...this.theatre.view === "lab" && { look: "lab" } };
  }

  /** Begin or end the presentation; return false if there is nothing to present. */
  toggle(on = !this.on) {
    const { theatre, pointer, black, classroom } = this;
    if (theatre.guest || theatre.compact) return false;
    if (on === this.on) return true;
    this.on = on;
    if (on) {
      theatre.root.append(pointer.canvas, black);
      pointer.begin();
      classroom.begin();
    } else {
      pointer.end();
      classroom.end();
      for (const node of [pointer.canvas, black]) node.remove();
    }
    theatre.root.toggleAttribute("data-present", on);
    // use a class instead of html:has(…), which the browser would evaluate after every change of the page
    document.documentElement.classList.toggle("pv-presenting", on);
    theatre.bar.presents(on);
    theatre.retheme(); // the size of the text has changed
    theatre.root.focus({ preventScroll: true });
    theatre.narrator.answer(on ? "Presentation mode. Press F or Escape to leave." : "Presentation mode ended.");
    setAddress(theatre.page, { present: on ? "1" : "" });
    return true;
  }

  /**
   * Show the bookmarks of the run, if the run's values have changed.
   * @param {{page: string | null, params: Record<string, string>}} theatre @param {string} linked
   */
  follow({ page, params }, linked) {
    if (!this.bookmarks.follow(page, params, linked)) return;
    setAddress(page, { moments: this.bookmarks.text });
    this.theatre.timeline.bookmark(this.bookmarks.calls);
  }

  /** Toggle the bookmark of the present call. */
  mark() {
    const { theatre, bookmarks } = this;
    const { call } = theatre.playback;
    if (!call) return;
    const marked = bookmarks.toggle(call);
    theatre.timeline.bookmark(bookmarks.calls);
    setAddress(theatre.page, { moments: bookmarks.text });
    theatre.wake(true);
    theatre.tell(`Call ${count(call)} is ${marked ? "" : "no longer "}bookmarked.`);
  }

  /**
   * Return the calls at which a clicker stops: the bookmarks, or the calls of the story.
   * @param {import("../run/projector.js").Projector} projector
   */
  stops({ engine, film }) {
    const { calls } = this.bookmarks;
    if (calls.length) return calls;
    const told = episodes(engine, film?.layout.levels.length ?? 1, untold()).map(({ call }) => call);
    return [...new Set(told)].sort((a, b) => a - b);
  }

  /**
   * Go to the next (1) or previous (-1) stop.
   * @param {Direction} direction @param {import("../stage/controls.js").Controls} act
   */
  step(direction, act) {
    const { theatre, bookmarks } = this;
    const { playback, projector } = theatre;
    if (this.classroom.step(direction) || !projector?.film) return;
    const { engine } = projector;
    if (engine.head.state === "ready" && !bookmarks.calls.length) {
      if (direction > 0) act.run();
      return;
    }
    const call = beyond(this.stops(projector), playback.call, direction);
    if (!call) theatre.tell(`No ${direction > 0 ? "later" : "earlier"} ${bookmarks.calls.length ? "bookmark" : "episode"}.`);
    else if (call > engine.calls) theatre.tell(`Call ${count(call)} is not computed yet. The search is at call ${count(engine.calls)}.`);
    else if (playback.mode === "story" && !bookmarks.calls.length) { // let the story continue from this call
      playback.seek(call, "start");
      theatre.wake(true);
    } else act.show(call);
  }

  /** Blank the screen until a key or the pointer is pressed. */
  darken() {
    this.black.hidden = false;
    for (const type of ["keydown", "pointerdown"]) addEventListener(type, this.back, true);
  }

  /** @param {Event} [event] */
  lighten(event) {
    event?.preventDefault();
    event?.stopPropagation();
    this.black.hidden = true;
    for (const type of ["keydown", "pointerdown"]) removeEventListener(type, this.back, true);
  }

  close() {
    if (this.on) document.documentElement.classList.remove("pv-presenting");
    this.pointer.end();
    this.classroom.end();
    this.lighten();
  }
}
