// How a phone asks for a bet: buttons, a number, or a curve of sliders.

import { h, svg } from "../base/dom.js";

/** @typedef {string | number | number[]} Bet */
/** @typedef {{words: string, kind: "word" | "number" | "curve", choices: string[], unit: string, marks: number[], high: number}} Question */
/** @typedef {(bet: Bet) => void} Take */

/** Return a bet in words. @param {Question} question @param {Bet} bet */
export function told({ unit, marks }, bet) {
  if (Array.isArray(bet)) return bet.map((each, i) => `${marks[i]}: ${each}${unit === "%" ? "\u202f%" : ""}`).join(", ");
  return typeof bet === "string" ? bet : `${bet}${unit ? `\u202f${unit}` : ""}`;
}

/** Return a number that was typed, also with a comma; or null. @param {string} text */
export function numberOf(text) {
  const plain = text.trim().replace(",", ".");
  const value = plain === "" ? NaN : Number(plain);
  return Number.isFinite(value) && value >= 0 && value <= 1e12 ? value : null;
}

/** Return the nodes of a form. @param {Question} question @param {Bet | null} bet @param {Take} take @returns {HTMLElement[]} */
export function formOf(question, bet, take) {
  if (question.kind === "word") return words(question, bet, take);
  return question.kind === "number" ? number(question, bet, take) : curve(question, bet, take);
}

/** @param {Question} question @param {Bet | null} bet @param {Take} take */
function words({ choices }, bet, take) {
  return choices.map((choice) => h("button", { type: "button", "aria-pressed": String(choice === bet),
    onclick: () => take(choice) }, choice));
}

/** @param {Question} question @param {Bet | null} bet @param {Take} take */
function number({ unit }, bet, take) {
  const field = h("input", { inputmode: "decimal", autocomplete: "off", value: bet ?? "", "aria-describedby": "fault" });
  const fault = h("p", { id: "fault", role: "alert" });
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const value = numberOf(field.value);
    fault.textContent = value === null ? "Enter a number, 0 or more." : "";
    if (value !== null) take(value);
  };
  return [h("form", { onsubmit: send }, h("label", {}, unit ? `Your bet, in ${unit}` : "Your bet", field), fault,
    h("button", { class: "main" }, "Bet"))];
}

/** @param {Question} question @param {Bet | null} bet @param {Take} take */
function curve({ marks, high, unit }, bet, take) {
  const heights = Array.isArray(bet) ? [...bet] : marks.map(() => high / 2);
  const picture = h("div", { "aria-hidden": "true" });
  const draw = () => picture.replaceChildren(lineOf(heights, high));
  const rows = marks.map((mark, i) => {
    const shown = h("output", {}, `${heights[i]} ${unit}`);
    const move = () => {
      heights[i] = Number(slider.value);
      shown.textContent = `${heights[i]} ${unit}`;
      draw();
    };
    const slider = h("input", { type: "range", min: 0, max: high, step: high / 100, value: heights[i], oninput: move });
    return h("label", {}, `After ${mark}`, shown, slider);
  });
  draw();
  return [picture, ...rows, h("button", { type: "button", class: "main", onclick: () => take(heights.map((each) => Math.round(each * 100) / 100)) }, "Bet")];
}

/** Return a small picture of a curve. @param {number[]} heights @param {number} high */
function lineOf(heights, high) {
  const points = heights.map((each, i) => `${10 + i * 280 / (heights.length - 1)},${114 - each / high * 108}`);
  const line = svg("polyline", { points: points.join(" "), fill: "none", stroke: "currentColor", "stroke-width": 4 });
  return svg("svg", { viewBox: "0 0 300 120" }, line);
}
