// The controls above a player in a notebook: sliders with number fields, and the seed.

import { button } from "../base/buttons.js";
import { h, say } from "../base/dom.js";

/** @typedef {Record<string, number | string>} Values */
/** @typedef {{name: string, label: string, says: string, help: string, stops: number[] | null}} Control without stops: a number field with a button for random values */

export class Sliders {
  /**
   * `onChange(values)`: a value has changed; a drag may still continue.
   * @param {Control[]} controls @param {(values: Values) => void} onChange
   */
  constructor(controls, onChange) {
    this.onChange = onChange;
    this.controls = controls;
    /** @type {Values} */ this.values = {};
    /** @type {Record<string, {entry: HTMLInputElement, stops: number[], range: HTMLInputElement | null}>} */
    this.parts = {};
    this.refusal = h("p", { class: "pv-slider-refusal", role: "status" });
    this.node = h("div", { class: "pv-sliders", "data-own-keys": true },
      ...controls.map((control) => this.control(control)), this.refusal);
    for (const type of ["keydown", "keyup"]) { // notebooks have commands on single keys
      this.node.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** @param {string} name */
  controlOf(name) {
    return this.controls.find((control) => control.name === name);
  }

  /** @param {Control} control */
  control({ name, label, says, help, stops }) {
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
    this.parts[name] = { entry, stops: stops ?? [], range };
    return h("div", { class: "pv-slider", title: help }, head, range ?? "",
      h("span", { class: "pv-slider-says" }, says));
  }

  /** Show these values; `why` explains why other values were rejected. @param {Values} values */
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
