// The controls above a player in a notebook: sliders with number fields, menus, and the seed.

import { button, choices as options } from "../base/buttons.js";
import { h, say } from "../base/dom.js";

/** @typedef {Record<string, number | string>} Values */
/** @typedef {{name: string, label: string, says: string, help: string, stops: number[] | null, choices?: Record<string, string>}} Control without stops and choices, it is a number field with a button for a random value */

export class Sliders {
  /**
   * `onChange(values)` is called after each change of a value, also during a drag.
   * @param {Control[]} controls @param {(values: Values) => void} onChange
   */
  constructor(controls, onChange) {
    this.onChange = onChange;
    this.controls = controls;
    /** @type {Values} */ this.values = {};
    /** @type {Record<string, {node: HTMLElement, entry: HTMLInputElement | HTMLSelectElement, stops: number[], range: HTMLInputElement | null}>} */
    this.parts = {};
    this.refusal = h("p", { class: "pv-slider-refusal", role: "status" });
    this.node = h("div", { class: "pv-sliders", "data-own-keys": true },
      ...controls.map((control) => this.control(control)), this.refusal);
    for (const type of ["keydown", "keyup"]) { // notebooks use single keys as commands
      this.node.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** @param {string} name */
  controlOf(name) {
    return this.controls.find((control) => control.name === name);
  }

  /** @param {Control} control */
  control({ name, label, says, help, stops, choices }) {
    if (choices) return this.choice(name, label, says, help, choices);
    const entry = h("input", { class: "pv-entry", type: "text", inputmode: "decimal", "aria-label": label,
      onchange: () => this.typed(name) });
    const head = h("div", { class: "pv-slider-head" }, h("span", { class: "pv-slider-label" }, label), entry);
    /** @type {HTMLInputElement | null} */
    let range = null;
    if (!stops) {
      head.append(button({ "aria-label": "Another seed", title: "Another seed",
        onclick: () => this.change(name, Math.floor(Math.random() * 1e6)) }, "⟳"));
    } else {
      const slider = range = h("input", { type: "range", min: 0, max: stops.length - 1, step: 1, "aria-label": label,
        oninput: () => this.change(name, stops[Number(slider.value)]) });
    }
    const node = h("div", { class: "pv-slider", title: help }, head, range ?? "", h("span", { class: "pv-slider-says" }, says));
    this.parts[name] = { node, entry, stops: stops ?? [], range };
    return node;
  }

  /** @param {string} name @param {string} label @param {string} says @param {string} help @param {Record<string, string>} texts */
  choice(name, label, says, help, texts) {
    const entry = h("select", { class: "pv-select", "aria-label": label, onchange: () => this.change(name, entry.value) }, ...options(texts, ""));
    const node = h("div", { class: "pv-slider", title: help }, h("div", { class: "pv-slider-head" }, h("span", { class: "pv-slider-label" }, label)),
      entry, h("span", { class: "pv-slider-says" }, says));
    this.parts[name] = { node, entry, stops: [], range: null };
    return node;
  }

  /** Hide and lock controls; names are separated by commas. @param {Held} held */
  hold({ hide = "", lock = "" }) {
    for (const [name, { node }] of Object.entries(this.parts)) {
      node.hidden = hide.split(",").includes(name);
      const locked = lock.split(",").includes(name);
      for (const input of node.querySelectorAll("input, select, button")) input.toggleAttribute("disabled", locked);
    }
  }

  /** Show these values; `why` is the reason why other values were rejected. @param {Values} values */
  show(values, why = "") {
    this.values = { ...values };
    say(this.refusal, why);
    for (const [name, { entry, range, stops }] of Object.entries(this.parts)) {
      entry.value = String(values[name]);
      if (!range) continue;
      range.value = String(nearest(stops, Number(values[name])));
      range.setAttribute("aria-valuetext", entry.value);
    }
  }

  /** Update the number of variables in the texts. @param {number} variables */
  count(variables) {
    for (const { name, says } of this.controls) {
      const node = /** @type {Element} */ (this.parts[name].node.querySelector(".pv-slider-says"));
      say(node, says.replace(/^of \d+/, `of ${variables}`));
    }
  }

  /** @param {string} name */
  typed(name) {
    const { value } = this.parts[name].entry;
    const number = Number(value.trim().replace(",", "."));
    this.change(name, value.trim() && Number.isFinite(number) ? number : value);
  }

  /** @param {string} name @param {number | string} value */
  change(name, value) {
    this.show({ ...this.values, [name]: value });
    this.onChange(this.values);
  }
}

/** @param {number[]} stops @param {number} value */
function nearest(stops, value) {
  let best = 0;
  stops.forEach((stop, i) => {
    if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = i;
  });
  return best;
}
