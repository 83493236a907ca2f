// The timeline, with lanes for kept calls, reverted calls and restarts. Dragging seeks, zooming shows fewer calls.

import { h, sharp } from "../base/dom.js";
import { count } from "../base/words.js";
import { columns, covers, restartAround, shares, turned, zoomed } from "./ranges.js";

const LANES = ["kept", "reverted", "restart"];
const REST = 160; // milliseconds without pointer motion until the exact call is loaded
const NOTCH = 60; // wheel distance per zoom step
const NARROWEST = 6; // smallest width in pixels of a restart or range

/** @import { Engine } from "../run/engine.js" */

export class Timeline {
  /** @type {Engine | undefined} */ engine;
  /** @type {Colours} */ colours;
  /** @type {CallRange | null} the visible range; null for all calls */ range = null;
  /** @type {CallRange | null} the marked range */ chosen = null;
  width = 0;
  call = 0;

  /**
   * `act` has approach(), hold(held), zoom(how) and scrub(call, exact). `exact` is true when the pointer rests or is
   * released.
   * @param {{approach(): void, hold(held: boolean): void, zoom(how: number): void, scrub(call: number, exact: boolean): void}} act
   */
  constructor(act) {
    this.act = act;
    this.canvas = h("canvas", { class: "pv-lanes" });
    this.playhead = h("div", { class: "pv-playhead" });
    this.present = h("div", { class: "pv-present" }); // the range of the present restart
    this.marked = h("div", { class: "pv-marked", hidden: true });
    this.bookmarks = h("div", { class: "pv-bookmarks", "aria-hidden": "true" }); // bookmarked calls
    this.part = h("div", { class: "pv-part" });
    this.overview = h("div", { class: "pv-overview" }, this.part);
    this.veil = h("div", { class: "pv-track-veil" }); // covers calls that the player has not shown yet
    this.limit = 0;
    this.track = h("div", {
      class: "pv-track", role: "slider", tabindex: "0", "aria-label": "Call shown",
      "aria-valuemin": "1", "aria-valuemax": "1", "aria-valuenow": "1",
    }, this.canvas, this.veil, this.marked, this.bookmarks, this.present, this.playhead, this.overview);
    const names = h("div", { class: "pv-lane-names", "aria-hidden": "true" },
      ...LANES.map((lane) => h("span", {}, lane)));
    this.node = h("div", { class: "pv-timeline" }, names, this.track);
    this.all = { first: 1, last: 1 };
    /** @type {Level[]} */ this.levels = [];
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.track);
    this.listen();
  }

  /**
   * Draw the lanes of the calls of a search.
   * @param {Engine} engine @param {Level[]} levels @param {Colours} colours
   */
  show(engine, levels, colours) {
    if (engine !== this.engine || this.range && engine.calls < this.range.first) this.range = null;
    this.levels = levels;
    this.engine = engine;
    this.colours = colours;
    const { first, calls } = engine;
    // While the search runs, the scale grows in steps, so that the newest call visibly moves.
    this.all = { first, last: Math.max(first, engine.active ? roundUp(calls) : calls) };
    this.track.setAttribute("aria-valuemin", String(first));
    this.track.setAttribute("aria-valuemax", String(Math.max(first, engine.calls)));
    this.redraw();
  }

  /** @returns {CallRange} */
  get shown() {
    return this.range ?? this.all;
  }

  /** Describe the visible range as text. */
  get told() {
    const { first, last } = this.shown, calls = this.engine?.calls ?? 0;
    return this.range ? `Calls ${count(first)} to ${count(Math.min(last, calls))} of ${count(calls)}` : `All ${count(calls)} calls`;
  }

  /**
   * Zoom by a factor around `call` (default: the playhead's call), or to "all" calls, or to the "restart" of `call`.
   * @param {"all" | "restart" | number} how
   */
  zoom(how, call = this.call || this.all.first) {
    const { all, shown } = this;
    const range = how === "all" || !this.engine ? all
      : how === "restart" ? restartAround(this.engine, this.levels, call, this.limit) : zoomed(shown, how, call, all);
    this.range = covers(range, all) ? null : range;
    this.redraw();
  }

  redraw() {
    const { clientWidth: width, clientHeight: height } = this.track;
    if (!width || !this.engine) return;
    const { canvas, engine, colours, levels, shown } = this;
    this.width = width;
    const g = sharp(canvas, width, height);
    const lane = height / LANES.length;
    const foot = (/** @type {number} */ i) => Math.round((i + 1) * lane) - 1;
    g.fillStyle = colours.line;
    for (let i = 0; i < LANES.length; i++) g.fillRect(0, foot(i), width, 1);
    const shades = [colours.kept, colours.reverted, colours.full];
    const thin = this.x(shown.first + 1) >= 4 ? 1 : 0; // gap in pixels between wide marks
    for (const { from, to } of columns(shown, width)) {
      if (from > engine.calls) break;
      const [x, end] = [from, to + 1].map((call) => Math.round(this.x(call)));
      shares(engine, { from, to: Math.min(to, engine.calls) }, levels.length).forEach((share, i) => {
        if (!share) return;
        const high = Math.max(1, Math.sqrt(share) * (lane - 3)); // the square root makes a small share visible
        g.fillStyle = shades[i];
        g.fillRect(x, foot(i) - high, end - x - thin, high);
      });
    }
    this.bests(g);
    const end = this.x(engine.calls + 1);
    if (engine.active && end > 0 && end < width - 1) {
      g.fillStyle = colours.ink;
      g.fillRect(Math.round(end), 0, 1, height);
    }
    this.overview.hidden = !this.range;
    const { first, last } = this.all, scale = width / (last - first + 1);
    place(this.part, (shown.first - first) * scale, (shown.last + 1 - first) * scale, width);
    this.overview.title = this.told;
    this.mark(this.chosen);
    this.flag();
    this.reveal(this.limit);
    this.move(this.call);
  }

  /** Hide the lanes after `call`: the player has not shown these calls yet. @param {number} call */
  reveal(call) {
    this.limit = call;
    this.veil.style.left = `${Math.max(0, Math.min(this.width, this.x(Math.min(call, this.all.last) + 1))).toFixed(1)}px`;
  }

  /** Mark a range that the user chose. @param {CallRange | null} range */
  mark(range) {
    this.chosen = range;
    const { shown } = this;
    this.marked.hidden = !range || !this.width || range.first > shown.last || range.last < shown.first;
    if (range && !this.marked.hidden) place(this.marked, this.x(range.first), this.x(range.last + 1), this.width);
  }

  /** Mark bookmarked calls. @param {number[]} calls */
  bookmark(calls) {
    this.bookmarks.replaceChildren(...calls.map((call) => h("span", { "data-call": call })));
    this.flag();
  }

  /** Position the bookmarks. */
  flag() {
    if (!this.width) return;
    for (const mark of /** @type {HTMLElement[]} */ ([...this.bookmarks.children])) {
      const x = this.x(Number(mark.dataset.call) + 0.5);
      mark.hidden = x < 0 || x > this.width;
      mark.style.left = `${x.toFixed(1)}px`;
    }
  }

  /** Draw a dot on the lane of kept calls for every new best. @param {CanvasRenderingContext2D} g */
  bests(g) {
    const { engine, shown } = this;
    if (!engine) return;
    g.fillStyle = this.colours.ink;
    let before = -Infinity;
    for (const [call] of engine.bests) {
      const x = Math.min(this.x(call + 0.5), this.x(call) + 3);
      if (call < shown.first || call > shown.last || x - before < 1) continue;
      g.beginPath();
      g.arc(before = x, 3, 2, 0, 2 * Math.PI);
      g.fill();
    }
  }

  /** @param {number} call */
  x(call) {
    const { first, last } = this.shown;
    return ((call - first) / (last - first + 1)) * this.width;
  }

  /**
   * Move the playhead to a call, at this fraction of the call's width.
   * @param {number} call @param {number} [fraction] @param {string | null} [text]
   */
  move(call, fraction = 0.5, text = null) {
    this.call = call;
    this.playhead.hidden = this.present.hidden = !call;
    if (!call || !this.width) return;
    if (this.range && (call < this.range.first || call > this.range.last)) {
      this.range = turned(this.range, call, this.all);
      this.redraw();
    }
    const x = this.x(Math.min(call + fraction, this.shown.last + 1));
    this.playhead.style.transform = `translateX(${x.toFixed(1)}px)`;
    if (!this.engine) return;
    const restart = restartAround(this.engine, this.levels, call, Math.min(this.limit, this.engine.calls));
    this.present.hidden = covers(restart, this.shown); // hide a mark that would cover the whole timeline
    place(this.present, this.x(restart.first), this.x(restart.last + 1), this.width);
    this.track.setAttribute("aria-valuenow", String(call));
    if (text !== null) this.track.setAttribute("aria-valuetext", `Call ${count(call)}. ${text}`);
  }

  listen() {
    const { track } = this;
    let held = false, last = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const scrub = (/** @type {PointerEvent} */ event, /** @type {boolean} */ exact) => {
      const box = track.getBoundingClientRect();
      const share = Math.max(0, Math.min(0.999999, (event.clientX - box.left) / box.width));
      const { first, last: end } = this.shown;
      const call = first + Math.floor(share * (end - first + 1));
      last = Math.max(this.all.first, Math.min(call, this.engine?.calls ?? 1));
      if (!this.engine?.calls) return;
      this.act.scrub(last, exact);
    };
    track.addEventListener("pointerenter", () => this.act.approach());
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      held = true;
      track.setPointerCapture(event.pointerId);
      this.act.hold(true);
      scrub(event, false);
    });
    track.addEventListener("pointermove", (event) => {
      if (!held) return;
      scrub(event, false);
      clearTimeout(timer);
      timer = setTimeout(() => held && this.engine?.calls && this.act.scrub(last, true), REST);
    });
    const release = (/** @type {PointerEvent} */ event) => {
      if (!held) return;
      held = false;
      clearTimeout(timer);
      if (event.type === "pointerup") scrub(event, true);
      else if (last) this.act.scrub(last, true);
      this.act.hold(false);
    };
    let turn = 0;
    track.addEventListener("wheel", (event) => {
      if (event.deltaY > 0 && !this.range) return; // let the page scroll
      event.preventDefault();
      turn += event.deltaY * (event.ctrlKey ? 10 : 1); // browsers report a pinch as a wheel with ctrlKey
      const notches = Math.trunc(turn / NOTCH);
      if (notches) this.act.zoom(2 ** (notches / 2));
      turn -= notches * NOTCH;
    }, { passive: false });
    track.addEventListener("pointerup", release);
    track.addEventListener("pointercancel", release);
  }

  close() {
    this.observer.disconnect();
  }
}

/**
 * Position a node between two x values, clipped to the width, and not too narrow to be visible.
 * @param {HTMLElement} node @param {number} from @param {number} to @param {number} width
 */
function place(node, from, to, width) {
  const [left, right] = [Math.max(0, from), Math.min(to, width)];
  const wide = Math.max(NARROWEST, right - left);
  const start = Math.max(0, Math.min((left + right - wide) / 2, width - wide));
  Object.assign(node.style, { left: `${start.toFixed(1)}px`, width: `${wide.toFixed(1)}px` });
}

/** Round up to 1, 2 or 5 times a power of ten, at least 100. @param {number} n */
function roundUp(n) {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 100)));
  return [1, 2, 5, 10].map((m) => m * power).find((m) => m >= n) ?? n;
}
