// The bets of a class as a picture: dots in columns, and below them the seeds; or curves.

import { columnsOf, pile, short } from "./dots.js";
import { svg } from "../base/dom.js";
import { median } from "./questions.js";

/** @typedef {import("./forms.js").Bet} Bet */
/** @typedef {{question: import("./forms.js").Question, bets: [place: number, bet: Bet][], right?: number[], answer?: Bet | null, seeds?: (Bet | null)[], whose?: string, hues: string[], phase: string}} Shown */

const LINE = 1.35; // height of a line of text, in its size

/**
 * Return a picture of all bets; with the answer, right ones stand out.
 * @param {Shown} shown @param {number} width @param {number} height @param {number} size of the text
 */
export function pictureOf(shown, width, height, size) {
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": summaryOf(shown), "font-size": size });
  root.append(...(shown.question.kind === "curve" ? curves : columns)(shown, width, height, size));
  return root;
}

/** Describe the bets in words. @param {Shown} shown */
export function summaryOf({ question, bets, seeds = [] }) {
  if (question.kind === "curve") return `${bets.length} curves.`;
  const found = columnsOf(question, bets, seeds);
  return `${found.filter(({ dots }) => dots.length).map(({ label, dots }) => `${label}: ${dots.length}`).join(", ") || "No bets yet"}.`;
}

/** @param {Shown} shown @param {number} width @param {number} height @param {number} size */
function columns({ question, bets, right, seeds = [], whose, hues, phase }, width, height, size) {
  const found = columnsOf(question, bets, seeds);
  const known = phase === "revealed" && seeds.length > 0;
  const below = known ? Math.max(height * 0.3, 4 * size) : 0; // space for the seeds
  const top = height - below - LINE * size;
  const { radius, dots } = pile(found.map((each) => each.dots), width, top);
  const nodes = [svg("line", { x1: 0, x2: width, y1: top, y2: top, stroke: "currentColor", "stroke-opacity": 0.4 })];
  for (const { place, x, y } of dots) nodes.push(dot(x, y, radius, place, hues, right));
  const most = Math.max(...found.map(({ share }) => share), 1e-9);
  found.forEach(({ label, share }, i) => {
    const x = (i + 0.5) * width / found.length;
    nodes.push(svg("text", { x, y: top + size, "text-anchor": "middle", fill: "currentColor" }, label));
    if (!known || !share) return;
    const bar = share / most * (below - 3.6 * size);
    const wide = width / found.length * 0.6;
    nodes.push(svg("rect", { x: x - wide / 2, y: top + LINE * size, width: wide, height: bar, fill: "currentColor", "fill-opacity": 0.35 }));
    nodes.push(svg("text", { x, y: top + LINE * size + bar + 0.95 * size, "text-anchor": "middle", fill: "currentColor", "font-size": 0.85 * size }, `${Math.round(100 * share)}\u202f%`));
  });
  if (known) nodes.push(svg("text", { x: width, y: height - 2, "text-anchor": "end", fill: "currentColor", "font-size": 0.85 * size }, `Dots: this class. Bars: ${whose}.`));
  return nodes;
}

/** @param {number} x @param {number} y @param {number} radius @param {number} place @param {string[]} hues @param {number[]} [right] */
export function dot(x, y, radius, place, hues, right) {
  const isRight = right?.includes(place);
  return svg("circle", { cx: x, cy: y, r: radius, fill: hues[place % hues.length], "fill-opacity": right && !isRight ? 0.25 : 1,
    ...isRight && { stroke: "currentColor", "stroke-width": Math.max(1.5, radius / 4) }, class: isRight ? "pv-class-right" : "" });
}

/** @param {Shown} shown @param {number} width @param {number} height @param {number} size */
function curves({ question: { marks, high, unit }, bets, right, answer, seeds = [], whose, hues, phase }, width, height, size) {
  const left = 3 * size, bottom = height - LINE * size, known = phase === "revealed";
  const x = (/** @type {number} */ i) => left + i * (width - left - size) / Math.max(1, marks.length - 1);
  const y = (/** @type {number} */ value) => bottom - Math.min(1, value / high) * (bottom - size);
  const line = (/** @type {number[]} */ heights) => heights.map((each, i) => `${x(i)},${y(each)}`).join(" ");
  const nodes = [];
  if (known && seeds.length) {
    const each = marks.map((_, i) => seeds.map((seed) => /** @type {number[]} */ (seed)[i]).sort((a, b) => a - b));
    const at = (/** @type {number} */ q) => each.map((values) => values[Math.ceil(q * values.length) - 1]);
    const back = at(0.75).map((value, i) => `${x(i)},${y(value)}`).reverse();
    nodes.push(svg("polygon", { points: `${line(at(0.25))} ${back.join(" ")}`, fill: "currentColor", "fill-opacity": 0.2 }));
    nodes.push(svg("text", { x: width, y: size, "text-anchor": "end", fill: "currentColor", "font-size": 0.85 * size }, `Band: the middle half of ${whose}`));
  }
  for (const [place, bet] of bets) {
    const faint = right && !right.includes(place);
    nodes.push(svg("polyline", { points: line(/** @type {number[]} */ (bet)), fill: "none", stroke: hues[place % hues.length], "stroke-width": 3, "stroke-opacity": faint ? 0.3 : 1 }));
  }
  if (!known && bets.length > 2) nodes.push(svg("polyline", { points: line(marks.map((_, i) => median(bets.map(([, bet]) => /** @type {number[]} */ (bet)[i])))), fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "4 4" }));
  if (known && Array.isArray(answer)) nodes.push(svg("polyline", { points: line(answer), fill: "none", stroke: "currentColor", "stroke-width": 4 }));
  marks.forEach((mark, i) => nodes.push(svg("text", { x: x(i), y: height - 2, "text-anchor": "middle", fill: "currentColor" }, short(mark))));
  for (const value of [0, high]) nodes.push(svg("text", { x: left - 6, y: y(value) + size / 3, "text-anchor": "end", fill: "currentColor" }, `${value}${unit === "%" ? "%" : ""}`));
  return nodes;
}
