// The form of a bet on a number, a word, or a curve to draw.

import { h, say, svg } from "../base/dom.js";

/** @import { Answers, Bet, Question } from "./bets.js" */

/** Return the form; `take(bet)` is called with the bet. @param {Question} question @param {Answers} answers @param {(bet: Bet) => void} take */
export function form(question, answers, take) {
  if (question.bets === "curve") return curve(question, answers.first, take);
  const said = h("p", { class: "said", role: "status" });
  const number = question.bets === "number";
  const input = h("input", { type: "text", inputmode: "decimal", name: "bet", "aria-label": question.words, placeholder: question.unit });
  const words = question.choices.map((word) => h("label", {}, h("input", { type: "radio", name: "bet", value: word }), word));
  const fields = number ? [h("label", { class: "number" }, input, h("span", {}, question.unit))] : words;
  const node = h("form", { class: "bet" }, h("fieldset", {}, h("legend", { class: "hidden" }, question.words), ...fields),
    h("button", { class: "primary" }, "Bet"), said);
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = String(new FormData(node).get("bet") ?? "").trim().replace(",", ".");
    const value = number ? Number(text) : text;
    if (!text) say(said, "Enter your bet first. A guess is fine.");
    else if (number && !(Number(value) >= 0 && Number(value) < 1e12)) say(said, `Enter a number of ${question.unit}, 0 or more.`);
    else take(value);
  });
  return node;
}

/** @param {Question} question @param {number} first @param {(bet: Bet) => void} take */
function curve({ marks, unit }, first, take) {
  const high = 20 * (Math.floor(first / 20) + 1);
  const told = h("p", { class: "said" });
  const line = svg("polyline", {});
  const picture = svg("svg", { viewBox: `0 0 ${marks.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" }, line);
  const ranges = marks.map((mark, i) => h("input", { type: "range", min: 0, max: high, step: high / 100, value: first, oninput: () => show(),
    "aria-label": `Gap after ${mark} calls, in ${unit}`, style: `left: ${(100 * (i + 0.5)) / marks.length}%` }));
  const show = () => {
    line.setAttribute("points", ranges.map(({ value }, i) => `${i + 0.5},${100 - (100 * Number(value)) / high}`).join(" "));
    say(told, ranges.map(({ value }, i) => `after ${marks[i]} calls ${Math.round(Number(value))} ${unit}`).join(", "));
  };
  const draw = (/** @type {PointerEvent} */ event) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    const within = (/** @type {number} */ share) => Math.max(0, Math.min(1, share));
    const i = Math.min(marks.length - 1, Math.floor(marks.length * within((event.clientX - left) / width)));
    ranges[i].value = String(within(1 - (event.clientY - top) / height) * high);
    show();
  };
  const field = h("div", { class: "field",
    onpointerdown: (event) => {
      field.setPointerCapture(event.pointerId);
      draw(event);
    },
    onpointermove: (event) => event.buttons && draw(event) }, picture, ...ranges);
  const legend = h("legend", {}, `Gap in ${unit} of the best cost so far (0 to ${high}), by number of calls`);
  const button = h("button", { type: "button", class: "primary", onclick: () => take(ranges.map(({ value }) => Number(value))) }, "Bet on this curve");
  show();
  return h("fieldset", { class: "curve" }, legend, field, h("div", { class: "marks", "aria-hidden": "true" }, ...marks.map((mark) => h("span", {}, String(mark)))), told, button);
}
