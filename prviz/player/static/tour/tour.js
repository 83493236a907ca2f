// A tour: recordings play one after another in a dialog, each with a sentence.

import { HttpSource } from "../run/source.js";
import { button } from "../base/buttons.js";
import { h, reducedMotion, say } from "../base/dom.js";
import { mount } from "../stage/theatre.js";
import { openDialog } from "../base/dialog.js";
import { STYLE_SHEET } from "../base/style.js";

const TICK = 100; // milliseconds between updates
const MOST = 500; // longest time step in milliseconds, so that no stop is skipped after the tab was hidden

/** @type {Tour | null} the present tour */
let current = null;
let asked = 0; // number of the latest request

/**
 * Open the tour that a component requests; it continues when the component is rendered again.
 * @param {Component<{base: string, tour: TourData & {count: number}}>} component
 */
export function renderTour({ parentElement: host, data: { base, tour } }) {
  if (tour.count !== asked) {
    asked = tour.count;
    current?.stop();
    globalThis.__prvizTour = current = new Tour(host, base, tour); // for tests
  } else current?.moveTo(host);
  return () => {};
}

/** @typedef {{run: string, page: string, label: string, sentence: string, still: [call: number, frame: number]}} Stop */
/** @typedef {{stops: Stop[], seconds: number, onward: [page: string, label: string][]}} TourData */

class Tour {
  /** @type {ReturnType<typeof mount>} */ theatre;
  stills = 0; // with reduced motion: number of still pictures shown at this stop

  /** @param {HTMLElement} host @param {string} base @param {TourData} tour */
  constructor(host, base, { stops, seconds, onward }) {
    this.base = base;
    this.onward = onward;
    this.stops = stops;
    this.each = 1000 * seconds / stops.length;
    this.at = -1;
    this.elapsed = 0; // milliseconds since the start of the present stop
    this.paused = false;
    this.path = location.pathname;
    const theatres = [...(globalThis.__prvizTheatres?.values() ?? [])].map(({ theatre }) => theatre);
    this.behind = theatres.filter(({ playback }) => playback.mode !== "paused"); // players that pause during the tour
    for (const { playback } of this.behind) playback.mode = "paused";
    this.root = h("div", { class: "prviz pv-tour-root" }, h("style", {}, STYLE_SHEET));
    host.append(this.root);
    this.link = h("a", { class: "pv-tour-page" });
    this.place = h("span", { class: "pv-tour-place" });
    this.sentence = h("p", { class: "pv-tour-sentence", "aria-live": "polite" });
    this.stage = h("div", { class: "pv-tour-stage" });
    this.bar = h("progress", { class: "pv-race-bar", max: this.stops.length, value: 0, "aria-label": "Progress of the tour" });
    this.hold = button({ class: "pv-tour-hold", onclick: () => this.pause() }, "Pause");
    const stop = button({ class: "pv-tour-stop", title: "Stop (Esc)", onclick: () => this.dialog.close() }, "Stop");
    const back = button({ onclick: () => this.go(Math.max(0, this.at - 1)) }, "Back");
    const on = button({ onclick: () => this.next() }, "Next");
    this.dialog = openDialog(this.root, "prviz in a minute",
      h("div", { class: "pv-tour-head" }, this.link, this.place), this.sentence, this.stage, this.bar,
      h("footer", {}, this.hold, stop, back, on));
    this.dialog.classList.add("pv-tour");
    this.dialog.addEventListener("close", () => this.stop());
    this.dialog.addEventListener("keydown", ({ key, target }) => {
      if (key === "ArrowRight") this.next();
      else if (key === "ArrowLeft") this.go(Math.max(0, this.at - 1));
      else if (key === " " && !/** @type {Element} */ (target).matches("button, a")) this.pause();
    });
    this.hold.focus();
    this.go(0);
    this.ticked = performance.now();
    this.timer = setInterval(() => this.tick(), TICK);
  }

  /** @param {number} at */
  go(at) {
    const { run, page, label, sentence } = this.stops[at];
    this.at = at;
    this.elapsed = 0;
    this.stills = 0;
    this.link.href = page;
    say(this.link, label);
    say(this.place, `${at + 1} of ${this.stops.length}, recorded`);
    say(this.sentence, sentence);
    this.theatre?.close();
    this.theatre = mount(this.stage, { source: new HttpSource(this.base, run), compact: true, guest: true, pace: "story",
      autoplay: !this.paused });
    this.show();
  }

  next() {
    if (this.at + 1 < this.stops.length) return this.go(this.at + 1);
    return this.end();
  }

  /** Show the links at the end, in place of the last picture. */
  end() {
    this.stop(false);
    const links = this.onward.map(([page, label]) => h("p", {}, h("a", { class: "pv-tour-page", href: page }, label)));
    say(this.sentence, "What next:");
    this.stage.replaceChildren(...links);
    for (const node of [this.link.parentElement, this.bar, this.dialog.querySelector("footer")]) node?.remove();
    this.dialog.querySelector("a")?.focus();
  }

  pause() {
    const { playback } = this.theatre;
    this.paused = !this.paused;
    say(this.hold, this.paused ? "Continue" : "Pause");
    if (this.paused) playback.mode = "paused";
    else if (!reducedMotion()) playback.play();
    this.theatre.wake(true);
  }

  tick() {
    const now = performance.now();
    const passed = Math.min(MOST, now - this.ticked);
    this.ticked = now;
    if (location.pathname !== this.path) return this.stop(); // the user has gone to another page
    if (!this.paused && this.theatre.playback.frame) this.elapsed += passed;
    if (reducedMotion()) this.still();
    if (this.elapsed >= this.each) return this.next();
    return this.show();
  }

  show() {
    this.bar.value = this.at + Math.min(1, this.elapsed / this.each);
  }

  /** With reduced motion, show a still picture of a redraw, then one of its result. */
  still() {
    const { theatre, stops, at } = this;
    const due = this.elapsed < this.each / 2 ? 1 : 2;
    if (!theatre.ready || this.stills === due) return;
    this.stills = due;
    const [call, frame] = stops[at].still;
    theatre.playback.seek(call, due === 1 ? frame : "decision");
    theatre.wake(true);
  }

  /** Move the tour to a new node of the page. @param {HTMLElement} host */
  moveTo(host) {
    if (this.root.isConnected) return;
    host.append(this.root);
    this.dialog.removeAttribute("open");
    this.dialog.showModal();
  }

  /** End the tour; close the dialog unless it shows the links. */
  stop(closes = true) {
    clearInterval(this.timer);
    this.theatre?.close();
    if (closes) this.root.remove();
    for (const theatre of this.behind.splice(0)) {
      theatre.playback.play();
      theatre.wake(true);
    }
    if (closes && current === this) current = null;
  }
}
