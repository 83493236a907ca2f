// A live page: the player with sliders, and a worker that computes the searches, without a server.

import { Engine, LiveSource, startWorker, storedOpening } from "./source.js";
import { Sliders } from "../notebook/sliders.js";
import { button } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { isDrawing, linked, positions, shortage } from "../draw/problem.js";
import { Plans, keyOf, layoutOf, wantedOf } from "./schedule.js";
import { mount } from "../stage/theatre.js";
import { readQuery } from "../share/query.js";
import { reportHeight } from "../present/framed.js";
import { setAddress } from "../share/links.js";
import { unpack } from "../base/packing.js";

/** @import { Control, Values } from "../notebook/sliders.js" */
/** @typedef {import("./search.js").Plan & {assets: Record<string, string>}} PagePlan the parts of a plan that the page needs; `assets` maps names to names in the payload */
/** @typedef {Record<string, Record<string, Values>>} Along control → its value → values that it brings along */
/**
 * The data of a page. Texts are packed, except the worker's script. `plans` has a plan for each choice of the controls
 * in `by`, see Plans. `variables` is the largest number of variables. `first` is the last frame of call 1 of
 * the search with the given values.
 * @typedef {{kernels: string, plans: string, variables: number, by: string[], content: string, assets: Record<string, string>, worker: string, controls: Control[], values: Values, along?: Along, subset?: string, calls: number, presets?: Record<string, Values>, first?: string | null}} Payload
 */
/**
 * The kind of a page. `page` is the address for links, or null. `view` and `compact` are options of the player. If
 * `whole`, a search is shown only after its end. `most` is the largest number of calls. If `alone`, no full restarts run beside
 * the search. `controls` is the node for the sliders; by default they are in the player. `worker` is a started worker.
 * @typedef {{theme?: string, page?: string | null, view?: string, compact?: boolean, whole?: boolean, most?: number, alone?: boolean, controls?: HTMLElement | null, worker?: Worker, autoplay?: boolean, onEvent?: (event: {name: string}) => void}} PageKind
 */

const NO_SIMD = "This page needs WebAssembly with SIMD. Use Chrome 91, Firefox 89, Safari 16.4 or a later version.";
const CHOSEN = ["k1", "m1", "alpha", "k2", "m2"]; // values that a search with "auto" chooses
/** A small module with a vector instruction, to test the browser. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Show a problem in `host`; return the page. @param {HTMLElement} host @param {Payload} payload @param {PageKind} [kind] */
export async function openLivePage(host, payload, kind = {}) {
  if (!globalThis.WebAssembly || !WebAssembly.validate(Uint8Array.from(SIMD))) {
    host.append(h("p", { role: "alert" }, NO_SIMD));
    return null;
  }
  const { assets: packed, first } = payload, names = Object.keys(packed);
  const engine = new Engine(kind.worker ?? startWorker(payload, !kind.alone));
  await pause();
  const frame = first ? unpack(first) : null;
  const [plans, ...assets] = await Promise.all([payload.plans, ...names.map((name) => packed[name])].map(unpack));
  const named = Object.fromEntries(assets.map((asset, i) => [names[i], asset]));
  const stored = await frame;
  await pause();
  const page = new LivePage(engine, payload, new Plans(plans), named, kind);
  await pause();
  page.build();
  await pause();
  page.attach(host);
  await pause();
  page.open(payload.values, stored, kind.autoplay);
  return page;
}

/** Let the browser handle input between two steps, because a step takes a tenth of a second on a phone. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Return the address for links to this page, or null. */
function ownAddress() {
  return /^(https?|file):$/.test(location.protocol) ? location.pathname : null;
}

class LivePage {
  shown = 0; // number of runs shown so far
  /** @type {Values} the values of the run shown */ values = {};
  /** @type {LiveSource} */ source;

  /** @type {ReturnType<typeof mount>} */ theatre;

  /** @param {Engine} engine @param {Payload} payload @param {Plans<PagePlan>} plans @param {Record<string, ArrayBuffer>} assets @param {PageKind} kind */
  constructor(engine, { by, controls, values, along = {}, subset = "random", calls, presets = {}, variables }, plans, assets,
    { theme, page = ownAddress(), view = "lab", compact = false, whole = false, most = Infinity, alone = false, controls: side = null, onEvent = () => {} }) {
    this.engine = engine;
    this.plans = plans;
    this.variables = variables;
    this.by = by;
    this.along = along;
    this.assets = assets;
    this.subset = subset;
    this.calls = calls;
    this.presets = presets;
    this.whole = whole;
    this.most = most;
    this.alone = alone;
    this.page = page;
    this.onEvent = onEvent;
    const link = this.link = readQuery(page ? location.search : "", controls);
    this.kind = { theme, view: compact ? "" : link.look || view, compact };
    this.side = side;
    this.sliders = new Sliders(controls, (changed) => this.change(changed));
    this.sliders.hold(link.held);
    this.buttons = h("div", { class: "pv-presets", role: "group", "aria-label": "Presets", "data-own-keys": true },
      ...Object.keys(presets).map((name) => button({ onclick: () => this.change({ ...this.sliders.values, ..."how" in values ? { how: "set" } : {}, ...presets[name] }) }, name)));
  }

  /** Make the player, outside the document. */
  build() {
    this.theatre = mount(h("div", {}), { ...this.kind, onEvent: (event) => this.on(event) });
  }

  /** @param {HTMLElement} host */
  attach(host) {
    const { root, presenter } = this.theatre;
    root.toggleAttribute("data-alone", true); // so that the first picture has its final size
    (this.side ?? root).prepend(...Object.keys(this.presets).length ? [this.buttons] : [], this.sliders.node);
    this.theatre.moveTo(host);
    reportHeight(root);
    if (this.link.present) presenter.toggle(true);
  }

  /** Show the run that the address of the page describes. @param {Values} values default values @param {ArrayBuffer | null} first the first picture of these values @param {boolean} [autoplay] */
  open(values, first, autoplay = false) {
    const { at, errors, drawn, call, moments } = this.link;
    const asked = { ...values, ...this.broughtBy(at), ...at, ...isDrawing(drawn) ? { drawn } : {} };
    const wrong = [...errors, this.refusal(asked)].filter(Boolean).join(" ");
    const stored = first && !autoplay && Object.keys(at).length === 0 ? first : null;
    this.show(wrong ? { ...values } : asked, { autoplay, moments, call, stored });
    if (wrong) this.sliders.show(values, `${wrong} Default values are used instead.`);
  }

  /** Show another run after a control has changed. @param {Values} values */
  change(values) {
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== this.values[name]));
    const wanted = { ...values, ...this.broughtBy(changed) };
    this.show(wanted, { autoplay: true });
    if (!this.refusal(wanted)) setAddress(this.page, { ...words(wanted), call: "", moments: "" });
  }

  /** Return the values to change together with these changed values. @param {Values} changed @returns {Values} */
  broughtBy(changed) {
    return Object.assign({}, ...Object.entries(this.along).map(([name, along]) => along[changed[name]]));
  }

  /**
   * Show the run of these values; start it if `autoplay` is true.
   * @param {Values} values @param {PageOptions & {call?: string, stored?: ArrayBuffer | null}} [options] `stored`: the first picture
   */
  show(values, { autoplay = false, call, stored, ...options } = {}) {
    const refusal = this.refusal(values);
    this.sliders.show(values, refusal);
    this.press(values);
    this.limit(values);
    if ("how" in values) this.lock(values.how === "auto");
    if (refusal) return;
    this.values = values;
    this.sliders.count(this.plans.get(keyOf(this.by, values)).variables);
    this.source = this.sourceOf(values, stored);
    if (autoplay) this.source.command("start");
    const params = { ...words(values), ...call ? { call } : {} };
    const controls = this.sliders.controls.map(({ name, label }) => /** @type {[string, string]} */ ([name, label]));
    this.theatre.show(this.source, { params, autoplay, page: this.page, held: this.link.held, controls: this.page ? controls : [], ...options });
  }

  /** Return the source of a run. @param {Values} values @param {ArrayBuffer | null} [stored] the first picture, if the page contains it */
  sourceOf(values, stored) {
    const key = keyOf(this.by, values), plan = this.plans.get(key);
    const wanted = wantedOf(values, plan.variables, this), drawn = this.drawingOf(values);
    const opened = stored ? storedOpening(layoutOf(plan, wanted.levels), stored) : null;
    const named = Object.entries(plan.assets).map(([name, held]) => [name, this.assets[held]]);
    if (drawn) Object.assign(wanted, { drawn });
    const assets = drawn ? { points: positions(drawn) } : Object.fromEntries(named);
    const redraw = drawn ? async (/** @type {string} */ text) => this.redraw(text) : undefined;
    return new LiveSource(this.engine, assets, `run ${++this.shown}`, key, wanted, { opened, redraw });
  }

  /** Return the drawing of these values; empty for other data. @param {Values} values @returns {string} */
  drawingOf(values) {
    const { drawn } = this.plans.get(keyOf(this.by, values)).layout;
    return drawn && String(values.drawn || drawn);
  }

  /** Start a search on drawn points, with all other values unchanged; return the search's source. @param {string} text */
  redraw(text) {
    const values = { ...this.sliders.values, drawn: text };
    const refusal = this.refusal(values);
    if (refusal) throw Object.assign(new Error(refusal), { words: refusal });
    this.sliders.show(values);
    this.values = values;
    this.source = this.sourceOf(values);
    this.source.command("start");
    return this.source;
  }

  /** Disable choices for which the page contains no problem. @param {Values} values */
  limit(values) {
    for (const name of this.by) {
      const entry = /** @type {HTMLSelectElement | undefined} */ (this.sliders.parts[name]?.entry);
      for (const option of entry?.options ?? []) {
        const wanted = { ...values, [name]: option.value, ...this.along[name]?.[option.value] };
        option.disabled = !this.plans.has(keyOf(this.by, wanted));
      }
    }
  }

  /** Lock the controls that the link locks and, if `auto`, those of values that the search chooses. @param {boolean} auto */
  lock(auto) {
    const { lock = "", hide } = this.link.held ?? {};
    this.sliders.hold({ hide, lock: auto ? [lock, ...CHOSEN].join() : lock });
  }

  /** Highlight the preset with these values. @param {Values} values */
  press(values) {
    Object.values(this.presets).forEach((preset, i) => {
      const same = values.how !== "auto" && Object.entries(preset).every(([name, value]) => values[name] === value);
      this.buttons.children[i].setAttribute("aria-pressed", String(same));
    });
  }

  /** Return the error of invalid values; empty if they are valid. @param {Values} values */
  refusal(values) {
    const used = (/** @type {string} */ name) => values[name] !== undefined && !(values.how === "auto" && CHOSEN.includes(name));
    const whole = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) => {
      const value = values[name];
      const { label = name } = this.sliders.controlOf(name) ?? {};
      if (!used(name) || (Number.isInteger(value) && Number(value) >= low && Number(value) <= high)) return "";
      return `${label} must be a whole number from ${low} to ${high}, got ${value}.`;
    };
    const { alpha = 0 } = values, key = keyOf(this.by, values);
    if (!this.plans.has(key)) return `No problem on this page has ${this.by.map((name) => `${name}=${values[name]}`).join(", ")}.`;
    const drawn = this.drawingOf(values), few = drawn && shortage(drawn, this.plans.get(key).variables);
    if (few) return few;
    const { variables } = this; // N of the page's largest problem; in a smaller problem, any k₁ above N redraws all variables
    return whole("k1", 1, variables) || whole("m1", 1, 1e9) || whole("k2", 0, variables) || whole("m2", 1, 1e9)
      || whole("calls", 1, 1e6) || whole("seed", 0, Number.MAX_SAFE_INTEGER)
      || (!used("alpha") || Number(alpha) >= 0 && Number(alpha) <= 1 ? "" : `α must be from 0 to 1, got ${alpha}.`);
  }

  /** Handle an event of the player. @param {{name: string}} event */
  on(event) {
    if (event.name === "run" && this.theatre.projector?.engine.head.state === "finished") this.show(this.sliders.values, { autoplay: true });
    else if (event.name === "drawn") this.hasDrawn();
    else this.onEvent(event);
  }

  /** Put the drawing into the page's address, at the end of a series of strokes. */
  hasDrawn() {
    setAddress(this.page, { ...words(this.values), call: "", moments: "" });
    this.theatre.update({ params: words(this.values) });
  }
}

/** Return the values as texts for a link. @param {Values} values */
function words(values) {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  const { drawn, ...others } = Object.fromEntries(texts);
  return drawn === undefined ? others : { ...others, drawn: linked(drawn) };
}

