// The dialog for a film, with range, format and size; it records and saves the film.

import { FORMATS } from "./formats.js";
import { Recorder } from "./recorder.js";
import { Timeline } from "../timeline/timeline.js";
import { button, choices } from "../base/buttons.js";
import { clipped, lastKept, ofRange, thisRestart } from "./reel.js";
import { count, seconds } from "../base/words.js";
import { h, say } from "../base/dom.js";
import { saveFile } from "../base/saving.js";
import { settingsOf } from "./picture.js";

const KEPT = 10; // number of results in the choice "last kept results"
const WIDTHS = { 390: "390 px, a phone", 720: "720 px", 1080: "1080 px" };
const SECONDS = { 5: "5 seconds", 10: "10 seconds", 20: "20 seconds" };
const CHOSEN = "improvements and some reverted calls"; // describes the calls that `ofRange` returns
const GONE = "its run is no longer on the server. Press Run for a new run.";
const REST = 250; // milliseconds after the last change until the estimate starts

/** @typedef {{run: ShownRun, look: Look, axis: string, params: Record<string, string>, call: number, range: CallRange | null}} ToFilm `range` is the visible range of the timeline */
/** @typedef {"first" | "last"} End */

export class FilmDialog {
  /** @param {HTMLElement} root @param {ToFilm} shown */
  constructor(root, shown) {
    this.shown = shown;
    this.aborter = new AbortController();
    /** @type {Recorder | null} */ this.recorder = null;
    this.name = "";
    const { projector: { engine }, layout } = shown.run;
    this.restart = thisRestart(engine, layout.levels, shown.call);
    this.kept = lastKept(engine, KEPT);
    this.range = clipped(shown.range ?? this.restart, engine);
    const { restart, kept } = this;
    const top = layout.levels.length;
    this.lanes = new Timeline(this.dragging());
    this.lanes.node.setAttribute("aria-hidden", "true"); // the number fields contain the same range
    this.lanes.track.tabIndex = -1;
    const number = (/** @type {End} */ end, /** @type {string} */ name) => {
      const node = h("input", { class: "pv-entry", type: "number", "aria-label": name, min: engine.first, max: engine.calls,
        onchange: () => this.typed(end, Number(node.value)) });
      return node;
    };
    this.ends = { first: number("first", "From call"), last: number("last", "to call") };
    this.what = this.radios("pv-film-what", {
      restart: top > 1 ? `This restart: ${spanOf(restart)}` : `This ${spanOf(restart)}`,
      kept: kept.length === 1 ? "The only kept result" : `The last ${count(kept.length)} kept results`,
      range: "Calls",
    }, "restart");
    if (!kept.length) this.what.inputs.kept.disabled = true;
    this.what.inputs.range.parentElement?.after(h("span", { class: "pv-film-ends" },
      this.ends.first, "to", this.ends.last), this.lanes.node);
    this.as = this.radios("pv-film-as",
      Object.fromEntries(Object.entries(FORMATS).map(([key, { name }]) => [key, name])), "gif");
    this.hindered = h("p", { class: "pv-note", hidden: true });
    /** @type {(label: string, texts: Record<string, string>, chosen: string) => HTMLSelectElement} */
    const select = (label, texts, chosen) => h("select", { class: "pv-select", "aria-label": label,
      onchange: () => this.offer() }, ...choices(texts, chosen));
    this.seconds = select("Length", SECONDS, "10");
    this.width = select("Width", WIDTHS, "720");
    this.picture = h("div", { class: "pv-film-picture" });
    this.told = h("p", { class: "pv-film-told", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the film", hidden: true });
    this.go = button({ class: "pv-film-go", disabled: true, onclick: () => this.press() }, "Make");
    const close = button({ onclick: () => this.node.close() }, "Close");
    this.node = h("dialog", { class: "pv-film", "aria-label": "Film of the run", "data-own-keys": true,
      onclose: () => this.closed() },
    h("h2", {}, "Film of the run"),
    h("div", { class: "pv-film-choices" }, this.group("What", this.what.node),
      this.group("As", this.as.node, this.seconds, this.width, this.hindered)),
    this.picture, this.told, this.bar, h("div", { class: "pv-film-foot" }, this.go, close));
    for (const type of ["keydown", "keyup"]) this.node.addEventListener(type, (event) => event.stopPropagation());
    root.append(this.node);
    this.node.showModal();
    this.lanes.show(engine, layout.levels, shown.look.colours);
    this.lanes.range = shown.range;
    this.lanes.redraw();
    this.refuse();
    this.offer();
  }

  /** @param {string} name @param {...HTMLElement} nodes */
  group(name, ...nodes) {
    return h("fieldset", {}, h("legend", {}, name), ...nodes);
  }

  /** @param {string} name @param {Record<string, string>} texts @param {string} chosen */
  radios(name, texts, chosen) {
    /** @type {Record<string, HTMLInputElement>} */
    const inputs = {};
    const labels = Object.entries(texts).map(([value, text]) => {
      inputs[value] = h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => this.offer() });
      return h("label", {}, inputs[value], text);
    });
    return { node: h("div", { class: "pv-film-radios" }, ...labels), inputs,
      get value() { return Object.keys(inputs).find((value) => inputs[value].checked) ?? chosen; } };
  }

  /** Disable formats that this browser cannot make, and show the reason. */
  async refuse() {
    for (const [key, { hindered }] of Object.entries(FORMATS)) {
      const why = await hindered();
      if (!why) continue;
      this.as.inputs[key].disabled = true;
      this.hindered.hidden = false;
      say(this.hindered, why);
    }
  }

  /** Select a range by dragging over the lanes. */
  dragging() {
    /** @type {number | null} */
    let from = null;
    return {
      approach() {},
      hold: (/** @type {boolean} */ held) => {
        from = null;
        if (!held) this.offer();
      },
      scrub: (/** @type {number} */ call) => {
        from ??= call;
        this.what.inputs.range.checked = true;
        this.range = { first: Math.min(from, call), last: Math.max(from, call) };
        this.mark();
      },
      zoom: (/** @type {number} */ how) => this.lanes.zoom(how, this.range.first),
    };
  }

  /** @param {End} end @param {number} call */
  typed(end, call) {
    this.what.inputs.range.checked = true;
    const other = end === "first" ? "last" : "first";
    const range = { ...this.range, [end]: Math.round(call) || this.range[end] };
    if (range.first > range.last) range[other] = range[end];
    this.range = clipped(range, this.shown.run.projector.engine);
    this.offer();
  }

  mark() {
    for (const end of /** @type {End[]} */ (["first", "last"])) this.ends[end].value = String(this.range[end]);
    this.lanes.mark(this.range);
  }

  /**
   * Return the calls that fit in `milliseconds`: {calls, all, from, to}.
   * @param {number} milliseconds
   */
  chosen(milliseconds) {
    const { engine } = this.shown.run.projector;
    const { kept } = this;
    if (this.what.value === "kept") return { calls: kept, all: kept.length, from: kept[0], to: kept.at(-1) };
    const range = this.what.value === "restart" ? this.restart : this.range;
    const calls = ofRange(engine, this.shown.run.layout.levels.length, range, milliseconds);
    return { calls, all: range.last - range.first + 1, from: range.first, to: range.last };
  }

  /** After a change of the options, show the chosen calls, and estimate the size of the file. */
  offer() {
    this.stop();
    this.mark();
    this.ready(false);
    say(this.told, "Fetching calls…");
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.attempt(() => this.estimate()), REST);
  }

  async estimate() {
    const { signal } = this.aborter;
    const milliseconds = 1000 * Number(this.seconds.value);
    const { calls, all, from, to } = this.chosen(milliseconds);
    const { run, look, axis, params } = this.shown;
    const format = FORMATS[this.as.value];
    this.name = `${nameOf(run.layout)}-calls-${from}-${to}.${format.suffix}`;
    const recorder = this.recorder = new Recorder({ run, calls, milliseconds, width: Number(this.width.value), format,
      look, axis, settings: settingsOf(run.layout, params) });
    const bytes = await recorder.estimate(signal, (i, n) => say(this.told, `Fetching call ${i} of ${n}…`));
    signal.throwIfAborted();
    if (recorder.picture) this.picture.replaceChildren(recorder.picture.canvas);
    const shows = calls.length < all ? `${count(calls.length)} of ${count(all)} calls, ${CHOSEN},`
      : `${count(all)} call${all === 1 ? "" : "s"}`;
    say(this.told, `${shows} in ${seconds(recorder.milliseconds / 1000)}: about ${sizeOf(bytes)}.`);
    this.ready(true);
  }

  /** Record the film and save it. */
  async make() {
    this.bar.hidden = false;
    this.choosing(false);
    say(this.go, "Cancel");
    say(this.told, "Recording the film…");
    const blob = await this.recorder?.make(this.aborter.signal, (share) => (this.bar.value = share));
    if (!blob) return;
    saveFile(blob, this.name);
    this.rest();
    say(this.told, `Saved: ${this.name}, ${sizeOf(blob.size)}.`);
  }

  press() {
    if (this.bar.hidden) this.attempt(() => this.make());
    else {
      this.halt();
      say(this.told, "Cancelled.");
    }
  }

  /** Run `what`, and show its error unless it was aborted. @param {() => Promise<void>} what */
  async attempt(what) {
    const { signal } = this.aborter;
    try {
      await what();
    } catch (error) {
      if (signal.aborted) return;
      this.rest();
      this.ready(false);
      const { gone, message } = /** @type {Failure} */ (error);
      say(this.told, `This film could not be made: ${gone ? GONE : message}`);
    }
  }

  /** @param {boolean} ready */
  ready(ready) {
    this.go.disabled = !ready;
  }

  /** @param {boolean} on */
  choosing(on) {
    for (const node of this.node.querySelectorAll("fieldset")) node.disabled = !on;
  }

  rest() {
    this.bar.hidden = true;
    this.bar.value = 0;
    this.choosing(true);
    say(this.go, "Make");
  }

  /** Abort the recording or estimate. */
  halt() {
    this.aborter.abort();
    this.aborter = new AbortController();
    this.rest();
  }

  stop() {
    this.halt();
    this.recorder?.close();
    this.recorder = null;
  }

  /** Free everything when the dialog or the player is closed. */
  closed() {
    clearTimeout(this.waiting);
    this.stop();
    this.lanes.close();
    this.node.remove();
  }
}

/** @param {Layout} layout */
function nameOf({ title }) {
  return title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join("-");
}

/** @param {CallRange} range */
function spanOf({ first, last }) {
  return first === last ? `call ${count(first)}` : `calls ${count(first)} to ${count(last)}`;
}

/** @param {number} bytes */
function sizeOf(bytes) {
  return bytes < 95e3 ? `${count(bytes / 1000)}\u202fkB` : `${(bytes / 1e6).toFixed(1)}\u202fMB`;
}
