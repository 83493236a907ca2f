// The presenter: nothing but the player, in large type, over all of the page; and what a clicker does.

import { h } from "../base/dom.js";
import { episodes, untold } from "../run/story.js";
import { count } from "../base/words.js";
import { Moments, beyond } from "./moments.js";
import { Pointer } from "./pointer.js";
import { setAddress } from "./address.js";

export class Presenter {
  constructor(theatre) {
    this.theatre = theatre;
    this.on = false;
    this.moments = new Moments();
    this.pointer = new Pointer();
    this.black = h("div", { class: "pv-black", hidden: true });
    this.back = (event) => this.lighten(event);
  }

  /** What a link has of it. */
  get query() {
    const { text } = this.moments;
    return { ...text && { moments: text }, ...this.on && { present: "1" } };
  }

  /** Begin or end; false where there is nothing to be presented. */
  toggle(on = !this.on) {
    const { theatre, pointer, black } = this;
    if (theatre.guest || theatre.compact) return false;
    if (on === this.on) return true;
    this.on = on;
    if (on) {
      theatre.root.append(pointer.canvas, black);
      pointer.begin();
    } else {
      pointer.end();
      for (const node of [pointer.canvas, black]) node.remove();
    }
    theatre.root.toggleAttribute("data-present", on);
    // A class, as html:has(…) would restyle the whole page whenever a node comes or goes.
    document.documentElement.classList.toggle("pv-presenting", on);
    theatre.bar.presents(on);
    theatre.retheme(); // its type has another size
    theatre.root.focus({ preventScroll: true });
    theatre.narrator.answer(on ? "Presented: F or Escape leaves." : "No longer presented.");
    setAddress(theatre.page, { present: on ? "1" : "" });
    return true;
  }

  /** The run has other values, perhaps. */
  follow({ page, params }, linked) {
    if (!this.moments.follow(page, params, linked)) return;
    setAddress(page, { moments: this.moments.text });
    this.theatre.timeline.remember(this.moments.calls);
  }

  /** Mark the call that is shown, or take its mark off. */
  mark() {
    const { theatre, moments } = this;
    const { call } = theatre.playback;
    if (!call || theatre.duel.opened) return;
    const marked = moments.toggle(call);
    theatre.timeline.remember(moments.calls);
    setAddress(theatre.page, { moments: moments.text });
    theatre.wake(true);
    theatre.tell(`Call ${count(call)} is ${marked ? "" : "no longer "}marked.`);
  }

  /** The calls that a clicker stops at: those marked, or the story's. */
  stops({ engine, film }) {
    const { calls } = this.moments;
    if (calls.length) return calls;
    const told = episodes(engine, film.layout.levels.length, untold()).map(({ call }) => call);
    return [...new Set(told)].sort((a, b) => a - b);
  }

  /** Go to the next (1) or the previous (-1) of them. */
  step(direction, act) {
    const { theatre, moments } = this;
    const { playback, projector } = theatre;
    const { engine, film } = projector ?? {};
    if (!film || theatre.duel.opened) return;
    if (engine.head.state === "ready" && !moments.calls.length) {
      if (direction > 0) act.run();
      return;
    }
    const call = beyond(this.stops(projector), playback.call, direction);
    if (!call) theatre.tell(`No ${direction > 0 ? "later" : "earlier"} ${moments.calls.length ? "moment" : "episode"}.`);
    else if (call > engine.calls) theatre.tell(`Call ${count(call)} is still to come: the search is at ${count(engine.calls)}.`);
    else if (playback.mode === "story" && !moments.calls.length) { // it goes on from there
      playback.seek(call, "start");
      theatre.wake(true);
    } else act.show(call);
  }

  /** Black, until any key is pressed. */
  darken() {
    this.black.hidden = false;
    for (const type of ["keydown", "pointerdown"]) addEventListener(type, this.back, true);
  }

  lighten(event) {
    event?.preventDefault();
    event?.stopPropagation();
    this.black.hidden = true;
    for (const type of ["keydown", "pointerdown"]) removeEventListener(type, this.back, true);
  }

  close() {
    if (this.on) document.documentElement.classList.remove("pv-presenting");
    this.pointer.end();
    this.lighten();
  }
}
