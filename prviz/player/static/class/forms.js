// The form of a bet on a phone: buttons, a number, or a curve to draw.

import { h, svg } from "../base/dom.js";

/** @typedef {string | number | number[]} Bet */
/** @typedef {{words: string, kind: "word" | "number" | "curve", choices: string[], unit: string, marks: number[], high: number}} Question */
/** @typedef {(bet: Bet) => void} Take */
/** @typedef {[x: number, y: number]} Point */

const TALL = 240, FOOT = 24; // height of the field in which a curve is drawn, and of the row of labels in it

/** Return a bet as text. @param {Question} question @param {Bet} bet */
export function told({ unit, marks }, bet) {
  if (Array.isArray(bet)) return bet.map((each, i) => `${marks[i]}: ${Math.round(each)}${unit === "%" ? "\u202f%" : ""}`).join(", ");
  return typeof bet === "string" ? bet : `${bet}${unit ? `\u202f${unit}` : ""}`;
}

/** Return a typed number, with a decimal point or comma; null if it is invalid. @param {string} text */
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
  let heights = Array.isArray(bet) ? [...bet] : marks.map(() => high / 2);
  const sign = unit ? `\u202f${unit}` : "";
  const shown = h("p", { class: "told" });
  const field = h("div", { class: "field", "aria-hidden": "true" });
  const sliders = marks.map((mark, i) => h("input", { type: "range", min: 0, max: high, step: high / 100,
    "aria-label": `After ${mark}, in ${unit}`, oninput: () => draw(heights.map((each, at) => (at === i ? Number(sliders[i].value) : each))) }));
  /** @param {number[]} drawn */
  const draw = (drawn) => {
    heights = drawn;
    field.replaceChildren(lineOf(heights, high, marks, sign));
    sliders.forEach((slider, i) => (slider.value = String(heights[i])));
    shown.textContent = heights.map((each, i) => `${marks[i]}: ${Math.round(each)}${sign}`).join(", ");
  };
  /** @type {Point | null} the last position of the finger */ let last = null;
  /** @param {PointerEvent} event @returns {Point} */
  const at = ({ clientX, clientY }) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / (height * (1 - FOOT / TALL))];
  };
  const follow = (/** @type {PointerEvent} */ event) => {
    const now = at(event);
    draw(drawnOver(heights, last, now, high));
    last = now;
  };
  field.onpointerdown = (event) => {
    field.setPointerCapture(event.pointerId);
    last = null;
    follow(event);
  };
  field.onpointermove = (event) => event.buttons && follow(event);
  draw(heights);
  return [h("p", { class: "told" }, "Draw with your finger."), field, shown,
    h("details", {}, h("summary", {}, "Use sliders"), ...sliders.map((slider, i) => h("label", {}, `After ${marks[i]}`, slider))),
    h("button", { type: "button", class: "main", onclick: () => take(heights.map((each) => Math.round(each * 100) / 100)) }, "Bet")];
}

/**
 * Return the heights of a curve's marks after a finger has moved. Each mark has a column of the field, all of equal width.
 * @param {number[]} heights @param {Point | null} from null if the finger has just touched @param {Point} to as shares of the field, from its top left corner @param {number} high
 */
export function drawnOver(heights, from, to, high) {
  const n = heights.length;
  const within = (/** @type {number} */ share) => Math.max(0, Math.min(1, share));
  const column = (/** @type {Point} */ [x]) => Math.min(n - 1, Math.floor(n * within(x)));
  const start = from ?? to, [first, last] = [column(start), column(to)];
  return heights.map((height, i) => {
    if (i < Math.min(first, last) || i > Math.max(first, last) || i === first && first !== last) return height;
    const share = first === last ? 1 : (i - first) / (last - first);
    return high * (1 - within(start[1] + share * (to[1] - start[1])));
  });
}

/** Return a picture of a curve. @param {number[]} heights @param {number} high @param {number[]} marks @param {string} sign */
function lineOf(heights, high, marks, sign) {
  const wide = 340 / heights.length, tall = TALL - FOOT;
  const at = heights.map((each, i) => [(i + 0.5) * wide, tall * (1 - each / high)]);
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ label, anchor = "middle") => svg("text", { x, y, "text-anchor": anchor, fill: "currentColor", "font-size": 14 }, label);
  return svg("svg", { viewBox: `0 0 340 ${TALL}` },
    svg("line", { x1: 0, x2: 340, y1: tall, y2: tall, stroke: "currentColor", "stroke-opacity": 0.4 }),
    text(4, 16, `${high}${sign}`, "start"), text(4, tall - 5, `0${sign}`, "start"),
    ...marks.map((mark, i) => text((i + 0.5) * wide, TALL - 6, `${mark}`)),
    svg("polyline", { points: at.map(String).join(" "), fill: "none", stroke: "currentColor", "stroke-width": 4 }),
    ...at.map(([cx, cy]) => svg("circle", { cx, cy, r: 9, fill: "currentColor" })));
}

/** Return a text without line breaks within ranges and before units. @param {string} plain */
export const unbroken = (plain) => plain.replace(/(?<=[\d.])–(?=\d)/g, "\u2060–\u2060").replace(/ %/g, "\u00a0%");
