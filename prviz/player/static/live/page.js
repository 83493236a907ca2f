// A live page: the player with sliders; a worker computes the searches. No server, no network.

import { Engine, LiveSource } from "./source.js";
import { Sliders } from "../notebook/sliders.js";
import { h } from "../base/dom.js";
import { levelsOf } from "./schedule.js";
import { mount } from "../stage/theatre.js";
import { unpack } from "../base/packing.js";

/** @import { Control, Values } from "../notebook/sliders.js" */
/** @typedef {{kernels: string, plan: import("./search.js").Plan, content: string, assets: Record<string, string>, worker: string, controls: Control[], values: Values, subset: string, calls: number}} Payload texts are packed, except the worker's script */

const NO_SIMD = "This page needs WebAssembly with SIMD. Use Chrome 91, Firefox 89, Safari 16.4 or a later version.";
/** The smallest module with a vector instruction. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** Show a problem in `host`; return the page. @param {HTMLElement} host @param {Payload} payload @param {{theme?: string}} [options] */
export async function openLivePage(host, payload, options = {}) {
  if (!globalThis.WebAssembly || !WebAssembly.validate(Uint8Array.from(SIMD))) {
    host.append(h("p", { role: "alert" }, NO_SIMD));
    return null;
  }
  const names = Object.keys(payload.assets);
  const unpacked = [payload.kernels, payload.content, ...names.map((name) => payload.assets[name])].map(unpack);
  const [kernels, content, ...assets] = await Promise.all(unpacked);
  const engine = new Engine(payload.worker);
  await engine.ask("load", { kernels, content, plan: payload.plan });
  return new LivePage(host, engine, payload, Object.fromEntries(assets.map((asset, i) => [names[i], asset])), options);
}

class LivePage {
  shown = 0; // runs
  /** @type {LiveSource} */ source;

  /** @param {HTMLElement} host @param {Engine} engine @param {Payload} payload @param {Record<string, ArrayBuffer>} assets @param {{theme?: string}} options */
  constructor(host, engine, { plan, controls, values, subset, calls }, assets, { theme }) {
    this.engine = engine;
    this.assets = assets;
    this.subset = subset;
    this.calls = calls;
    this.variables = plan.variables;
    this.theatre = mount(host, { theme, view: "lab", onEvent: ({ name }) => this.on(name) });
    this.sliders = new Sliders(controls, (changed) => this.show(changed, true));
    this.theatre.root.prepend(this.sliders.node);
    this.show(values, false);
  }

  /** Show the run of these settings, and start it if `autoplay`. @param {Values} values @param {boolean} autoplay */
  show(values, autoplay) {
    const refusal = this.refusal(values);
    this.sliders.show(values, refusal);
    if (refusal) return;
    const { k1, m1, alpha = 0, seed, k2 = 0, m2 = 1 } = /** @type {Record<string, number>} */ (values);
    const levels = levelsOf({ k1, m1, alpha, subset: this.subset, k2, m2 }, this.variables);
    const wanted = { levels, seed, calls: this.calls };
    this.source = new LiveSource(this.engine, this.assets, `run ${++this.shown}`, wanted);
    if (autoplay) this.source.command("start");
    const params = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    this.theatre.show(this.source, { params, autoplay });
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
    return whole("k1", 1, this.variables) || whole("m1", 1, 1e9) || whole("k2", 0, this.variables) || whole("m2", 1, 1e9)
      || whole("seed", 0, Number.MAX_SAFE_INTEGER) || (Number(alpha) >= 0 && Number(alpha) <= 1 ? "" : `α must be from 0 to 1, got ${alpha}.`);
  }

  /** @param {string} name of an event of the theatre */
  on(name) {
    if (name === "run" && this.theatre.projector?.engine.head.state === "finished") this.show(this.sliders.values, true);
  }
}
