// The player's text below the picture, over the picture, and for screen readers.

import { h, say } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { count, leftOut, ofSearch } from "../base/words.js";

const ANNOUNCE = 1000; // milliseconds between announcements to a screen reader
const WAITS = ["waiting", "paused"]; // states whose message gives the reason for waiting

/** @import { Engine } from "../run/engine.js" */

export class Narrator {
  /** @type {number | null} the call to which "Show" goes */ notable = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ telling;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ announcing;

  /**
   * `show(call)` goes to a call; `mark()` toggles a bookmark.
   * @param {(call: number | null) => void} show @param {() => void} mark
   */
  constructor(show, mark) {
    this.words = h("p", { class: "pv-sentence" });
    this.where = h("p", { class: "pv-where" });
    this.badge = h("p", { class: "pv-badge", hidden: true });
    this.found = h("span", {});
    this.goto = button({ class: "pv-link", hidden: true, onclick: () => show(this.notable) }, "Show");
    this.search = h("p", { class: "pv-search" }, this.found, this.goto);
    this.mark = button({ class: "pv-link", hidden: true, onclick: mark, title: "Bookmark this call (B)" }, "Mark");
    const place = h("div", { class: "pv-place" }, this.where, this.mark);
    const aside = h("div", { class: "pv-aside" }, place, this.search);
    this.toast = h("p", { class: "pv-toast", role: "status" });
    const told = h("div", { class: "pv-told" }, this.words, this.toast);
    this.node = h("div", { class: "pv-say" }, told, this.badge, aside);
    this.spoken = h("p", { class: "pv-hidden", "aria-live": "polite" });
    this.notice = h("p", { class: "pv-notice", role: "status", hidden: true });
    this.announcement = "";
    this.announced = -ANNOUNCE;
  }

  /** Show the sentence about a recording, or nothing for a live run. @param {string | null | undefined} text */
  recorded(text) {
    this.badge.hidden = !text;
    this.node.classList.toggle("pv-badged", Boolean(text)); // :has(…) would recompute the player's styles too often
    say(this.badge, text ?? "");
  }

  /** Return the sentence about the frame. */
  get sentence() {
    return this.words.textContent ?? "";
  }

  /**
   * Describe the frame, or the calls that a story is skipping.
   * @param {string} text @param {LeftOut | null} [left]
   */
  tells(text, left) {
    this.words.classList.toggle("pv-skipping", Boolean(left));
    say(this.words, left ? leftOut(left) : text);
  }

  /**
   * Show the position of the frame (number `index` of its call), and whether the call is bookmarked.
   * @param {Frame | null} frame @param {number} [index] @param {number} [frames] @param {string} [hash]
   * @param {boolean} [marked]
   */
  place(frame, index = 0, frames = 0, hash, marked) {
    this.mark.hidden = !frame;
    say(this.mark, marked ? "Unmark" : "Mark");
    const trace = hash ? ` · trace ${hash}` : "";
    say(this.where, frame ? `call ${count(frame.call)}, frame ${index + 1} of ${frames}${trace}` : "");
  }

  /**
   * Describe the whole search: its progress, and its best call if the player has shown that call (`shown`).
   * @param {Engine} engine @param {Layout} layout @param {number} shown
   */
  tellOfSearch(engine, layout, shown) {
    const { text, call } = ofSearch(engine, layout, shown);
    this.notable = call;
    say(this.found, text);
    this.goto.hidden = !call;
    this.goto.setAttribute("aria-label", `Show call ${count(call)}`);
  }

  /** Return the text to show while there is no frame. @param {Pick<Head, "state" | "message">} head */
  standing({ state, message }) {
    if (message && (WAITS.includes(state) || state === "failed")) return message;
    if (state === "ready") return "Press Run to start the search.";
    return state === "failed" ? "The search failed." : "Starting…";
  }

  /**
   * Show, over the picture, why a search or its frames are delayed. If there is no picture, the text below gives
   * the reason.
   * @param {Pick<Head, "state" | "message" | "remaking">} head @param {Frame | null} shown
   */
  waits({ state, message, remaking }, shown) {
    const waits = Boolean(message && shown) && (WAITS.includes(state) || remaking === true);
    this.notice.hidden = !waits;
    if (waits) say(this.notice, message ?? "");
  }

  /** Show a short message below the sentence, for a few seconds. @param {string} text */
  tell(text, milliseconds = 4500) {
    say(this.toast, text);
    this.toast.classList.add("pv-now");
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.toast.classList.remove("pv-now"), milliseconds);
  }

  /** Remove a message of `tell` that is no longer true. @param {string} text */
  retract(text) {
    if (this.toast.textContent === text) this.toast.classList.remove("pv-now");
  }

  /** Announce a text to a screen reader, at most once per `ANNOUNCE` milliseconds. @param {string} text @param {number} now */
  announce(text, now) {
    if (text === this.announcement) return;
    this.announcement = text;
    clearTimeout(this.announcing);
    const pause = Math.max(0, ANNOUNCE - (now - this.announced));
    this.announcing = setTimeout(() => {
      this.announced = performance.now();
      say(this.spoken, text);
    }, pause);
  }

  /** Announce the result of a key at once. @param {string} text */
  answer(text) {
    clearTimeout(this.announcing);
    say(this.spoken, text);
  }

  close() {
    for (const timer of [this.announcing, this.telling]) clearTimeout(timer);
  }
}
