// A live page: the player with sliders; a worker computes the searches. No server, no network.

import { Engine, LiveSource, startWorker, storedOpening } from "./source.js";
import { Sliders } from "../notebook/sliders.js";
import { button } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { keyOf, layoutOf, wantedOf } from "./schedule.js";
import { mount } from "../stage/theatre.js";
import { readQuery } from "../share/query.js";
import { reportHeight } from "../present/framed.js";
import { setAddress } from "../share/links.js";
import { unpack } from "../base/packing.js";

/** @import { Control, Values } from "../notebook/sliders.js" */
/** @typedef {import("./search.js").Plan & {assets: Record<string, string>}} PagePlan what the page needs of a plan; assets: name → name in the payload */
/**
 * Texts are packed, except the worker's script. `plans` is JSON: a plan for each choice of the controls named in `by`.
 * `first`: the last frame of the first call with the given values.
 * @typedef {{kernels: string, plans: string, by: string[], content: string, assets: Record<string, string>, worker: string, controls: Control[], values: Values, subset?: string, calls: number, presets?: Record<string, Values>, first?: string | null}} Payload
 */
/**
 * `page` is the address for links; null for none. `view` and `compact` are options of the theatre. `whole`: finish a
 * search before it is shown. `most`: the most calls of a search. `alone`: no full restarts beside it. `controls`: the
 * node that gets the sliders, in place of the player. `worker`: as from startWorker, if it runs already. `first`: the
 * last frame of the first call, with the values of the payload.
 * @typedef {{first?: ArrayBuffer | null, theme?: string, page?: string | null, view?: string, compact?: boolean, whole?: boolean, most?: number, alone?: boolean, controls?: HTMLElement | null, worker?: Worker, autoplay?: boolean, onEvent?: (event: {name: string}) => void}} PageKind
 */

const NO_SIMD = "This page needs WebAssembly with SIMD. Use Chrome 91, Firefox 89, Safari 16.4 or a later version.";
const CHOSEN = "k1,m1,alpha,k2,m2"; // by a search with "auto"
/** The smallest module with a vector instruction. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Show a problem in `host`; return the page. @param {HTMLElement} host @param {Payload} payload @param {PageKind} [kind] */
export async function openLivePage(host, payload, kind = {}) {
  if (!globalThis.WebAssembly || !WebAssembly.validate(Uint8Array.from(SIMD))) {
    host.append(h("p", { role: "alert" }, NO_SIMD));
    return null;
  }
  const { assets: packed, first } = payload, names = Object.keys(packed);
  const engine = new Engine(kind.worker ?? startWorker(payload, !kind.alone));
  const frame = first ? unpack(first) : null;
  const [plans, ...assets] = await Promise.all([payload.plans, ...names.map((name) => packed[name])].map(unpack));
  const named = Object.fromEntries(assets.map((asset, i) => [names[i], asset]));
  return new LivePage(host, engine, payload, JSON.parse(new TextDecoder().decode(plans)), named, { ...kind, first: await frame });
}

/** Return the address for links to this page; null if there is none. */
function ownAddress() {
  return /^(https?|file):$/.test(location.protocol) ? location.pathname : null;
}

class LivePage {
  shown = 0; // number of runs shown so far
  /** @type {LiveSource} */ source;

  /** @param {HTMLElement} host @param {Engine} engine @param {Payload} payload @param {Record<string, PagePlan>} plans @param {Record<string, ArrayBuffer>} assets @param {PageKind} kind */
  constructor(host, engine, { by, controls, values, subset = "random", calls, presets = {} }, plans, assets,
    { first = null, theme, page = ownAddress(), view = "lab", compact = false, whole = false, most = Infinity, alone = false, controls: side = null, autoplay = false, onEvent = () => {} }) {
    this.engine = engine;
    this.plans = plans;
    this.by = by;
    this.assets = assets;
    this.subset = subset;
    this.calls = calls;
    this.presets = presets;
    this.whole = whole;
    this.most = most;
    this.alone = alone;
    this.page = page;
    this.onEvent = onEvent;
    const { at, errors, ...link } = readQuery(page ? location.search : "", controls);
    this.link = link;
    this.theatre = mount(host, { theme, view: compact ? "" : link.look || view, compact, onEvent: (event) => this.on(event) });
    this.sliders = new Sliders(controls, (changed) => this.change(changed));
    this.sliders.hold(link.held);
    this.buttons = h("div", { class: "pv-presets", role: "group", "aria-label": "Presets", "data-own-keys": true },
      ...Object.keys(presets).map((name) => button({ onclick: () => this.change({ ...this.sliders.values, ..."how" in values ? { how: "set" } : {}, ...presets[name] }) }, name)));
    (side ?? this.theatre.root).prepend(...Object.keys(presets).length ? [this.buttons] : [], this.sliders.node);
    reportHeight(this.theatre.root);
    if (link.present) this.theatre.presenter.toggle(true);
    const linked = { ...values, ...at };
    const wrong = [...errors, this.refusal(linked)].filter(Boolean).join(" ");
    const { call, moments } = link;
    const stored = first && !autoplay && Object.keys(at).length === 0 ? first : null;
    this.show(wrong ? { ...values } : linked, { autoplay, moments, call, stored });
    if (wrong) this.sliders.show(values, `${wrong} Default values are used instead.`);
  }

  /** A control has changed. @param {Values} values */
  change(values) {
    this.show(values, { autoplay: true });
    if (!this.refusal(values)) setAddress(this.page, { ...words(values), call: "", moments: "" });
  }

  /**
   * Show the run of these settings, and start it if `autoplay`.
   * @param {Values} values @param {PageOptions & {call?: string, stored?: ArrayBuffer | null}} [options] `stored`: the first picture
   */
  show(values, { autoplay = false, call, stored, ...options } = {}) {
    const refusal = this.refusal(values);
    this.sliders.show(values, refusal);
    this.press(values);
    if ("how" in values) this.lock(values.how === "auto");
    if (refusal) return;
    const key = keyOf(this.by, values), plan = this.plans[key], { variables, assets } = plan;
    const wanted = wantedOf(values, variables, this);
    const opened = stored ? storedOpening(layoutOf(plan, wanted.levels), stored) : null;
    const named = Object.fromEntries(Object.entries(assets).map(([name, held]) => [name, this.assets[held]]));
    this.source = new LiveSource(this.engine, named, `run ${++this.shown}`, key, wanted, opened);
    if (autoplay) this.source.command("start");
    const params = { ...words(values), ...call ? { call } : {} };
    const controls = this.sliders.controls.map(({ name, label }) => /** @type {[string, string]} */ ([name, label]));
    this.theatre.show(this.source, { params, autoplay, page: this.page, held: this.link.held, controls: this.page ? controls : [], ...options });
  }

  /** Lock the controls of values that the search chooses, in addition to those that the link locks. @param {boolean} auto */
  lock(auto) {
    const { lock = "", hide } = this.link.held ?? {};
    this.sliders.hold({ hide, lock: auto ? `${lock},${CHOSEN}` : lock });
  }

  /** Mark the preset with these values. @param {Values} values */
  press(values) {
    Object.values(this.presets).forEach((preset, i) => {
      const same = values.how !== "auto" && Object.entries(preset).every(([name, value]) => values[name] === value);
      this.buttons.children[i].setAttribute("aria-pressed", String(same));
    });
  }

  /** Return why these settings are invalid; empty if they are valid. @param {Values} values */
  refusal(values) {
    const whole = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) => {
      const value = values[name];
      const { label = name } = this.sliders.controlOf(name) ?? {};
      if (value === undefined || (Number.isInteger(value) && Number(value) >= low && Number(value) <= high)) return "";
      return `${label} must be a whole number from ${low} to ${high}, got ${value}.`;
    };
    const { alpha = 0 } = values;
    const variables = Math.max(...Object.values(this.plans).map((plan) => plan.variables)); // if there are fewer variables, redraw all
    return whole("k1", 1, variables) || whole("m1", 1, 1e9) || whole("k2", 0, variables) || whole("m2", 1, 1e9)
      || whole("calls", 1, 1e6) || whole("seed", 0, Number.MAX_SAFE_INTEGER)
      || (Number(alpha) >= 0 && Number(alpha) <= 1 ? "" : `α must be from 0 to 1, got ${alpha}.`);
  }

  /** @param {{name: string}} event of the theatre */
  on(event) {
    if (event.name === "run" && this.theatre.projector?.engine.head.state === "finished") this.show(this.sliders.values, { autoplay: true });
    else this.onEvent(event);
  }
}

/** Return values as in a link. @param {Values} values */
function words(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
