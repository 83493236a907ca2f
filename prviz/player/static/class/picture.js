// The bets of a class as a picture: columns of dots above the answers of the seeds, or curves.

import { columnsOf, pile, placeOf, short } from "./dots.js";
import { svg } from "../base/dom.js";
import { median } from "./questions.js";
import { told } from "./forms.js";

/** @typedef {import("./forms.js").Bet} Bet */
/** @typedef {{question: import("./forms.js").Question, bets: [place: number, bet: Bet][], right?: number[], answer?: Bet | null, seeds?: (Bet | null)[], whose?: string, searches?: Searches, hues: string[], phase: string}} Shown */
/** @typedef {{works: number[], gaps: Record<string, number[]>, full: string[]}} Searches */
/** @typedef {import("./dots.js").Column} Column */
/** @typedef {Colours} Look */

const DASHES = ["8 4", "3 3", "10 3 2 3", "14 5"];
const LINE = 1.35; // height of a line of text, as a multiple of the font size

/**
 * Return a picture of all bets. If the answer is known, right bets are highlighted.
 * @param {Shown} shown @param {number} width @param {number} height @param {Look} look size of text, and colours
 */
export function pictureOf(shown, width, height, look) {
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": summaryOf(shown), "font-size": look.small });
  root.append(...(shown.question.kind === "curve" ? curves : columns)(shown, width, height, look));
  return root;
}

/** Describe the bets as text. @param {Shown} shown */
export function summaryOf({ question, bets, seeds = [] }) {
  if (question.kind === "curve") return `${bets.length} curve${bets.length === 1 ? "" : "s"}.`;
  const found = columnsOf(question, bets, seeds);
  return `${found.filter(({ dots }) => dots.length).map(({ label, dots }) => `${label}: ${dots.length}`).join(", ") || "No bets yet"}.`;
}

/** @param {Shown} shown @param {number} width @param {number} whole @param {Look} look */
function columns({ question, bets, right, answer, seeds = [], whose, searches, hues, phase }, width, whole, look) {
  const { small: size } = look;
  const found = columnsOf(question, bets, seeds);
  const known = phase === "revealed" && seeds.length > 0;
  const height = known && searches ? 0.58 * whole : whole;
  const below = known ? Math.max(height * 0.3, 5.2 * size) : 0; // space for the seeds
  const top = height - below - LINE * size;
  const { radius, dots } = pile(found.map((each) => each.dots), width, top - LINE * size);
  const nodes = [svg("line", { x1: 0, x2: width, y1: top, y2: top, stroke: "currentColor", "stroke-opacity": 0.4 })];
  for (const { place, x, y } of dots) nodes.push(dot(x, y + LINE * size, radius, place, hues, right));
  const most = Math.max(...found.map(({ share }) => share), 1e-9);
  const empty = found.every(({ dots: people, share }) => !people.length && !share); // without data there are no labels, because they would suggest a bet
  nodes.push(...question.kind === "number" ? (empty ? [] : edges(found, width, top, size, question.unit)) : names(found, width, top, size, known ? answer : null));
  found.forEach(({ share }, i) => {
    if (!known || !share) return;
    const x = (i + 0.5) * width / found.length;
    const bar = share / most * (below - 3.6 * size);
    const wide = width / found.length * 0.6;
    nodes.push(svg("rect", { x: x - wide / 2, y: top + LINE * size, width: wide, height: bar, fill: "currentColor", "fill-opacity": 0.35 }));
    nodes.push(text(x, top + LINE * size + bar + 0.95 * size, `${Math.round(100 * share)}\u202f%`, "middle", 0.85 * size));
  });
  if (known) nodes.push(text(width, height - 2, `Dots: this class. Bars: ${whose}.`, "end", 0.85 * size));
  if (known && answer !== undefined && question.kind === "number") nodes.push(...answerMark(placeOf(found, answer) * width, top, width, size, answer === null ? "never" : told(question, shortBet(answer))));
  if (known && searches) nodes.push(...lines(searches, width, height, whole, look, answer));
  return nodes;
}

/** Draw ticks and labels at the borders between columns of numbers. @param {Column[]} all @param {number} width @param {number} top @param {number} size @param {string} unit */
function edges(all, width, top, size, unit) {
  const wide = width / all.length;
  const sign = unit === "%" ? "\u202f%" : "";
  const { from: start = 0, to: end = 0 } = all[all.length - 1];
  const last = end === Infinity ? `${short(start)}+` : `${short(end)}${sign}`;
  const labels = [text(width, top + size, last, "end", size)];
  const room = width - (0.55 * last.length + 0.3) * size;
  all.slice(0, end === Infinity ? -1 : undefined).forEach(({ from = 0 }, i) => {
    const label = `${short(from)}${i ? "" : sign}`;
    if (!i || i * wide + 0.275 * label.length * size < room) labels.push(text(i * wide, top + size, label, i ? "middle" : "start", size));
  });
  const ticks = all.map((_, i) => svg("line", { x1: i * wide, x2: i * wide, y1: top, y2: top + 5, stroke: "currentColor" }));
  return [...ticks, ...labels];
}

/** Label columns of words; the answer has a check mark. @param {Column[]} all @param {number} width @param {number} top @param {number} size @param {Bet | null | undefined} answer */
function names(all, width, top, size, answer) {
  return all.map(({ label }, i) => {
    const found = label === answer;
    const node = text((i + 0.5) * width / all.length, top + size, found ? `✓ ${label}` : label, "middle", size);
    if (found) node.setAttribute("font-weight", "700");
    return node;
  });
}

/** Mark the answer on the axis. @param {number} x @param {number} top @param {number} width @param {number} size @param {string} label */
function answerMark(x, top, width, size, label) {
  const end = x > width * 0.75 ? "end" : x < width * 0.25 ? "start" : "middle";
  return [svg("line", { x1: x, x2: x, y1: LINE * size, y2: top + LINE * size, stroke: "currentColor", "stroke-width": 2.5, class: "pv-class-answer" }),
    text(x, size, `This run: ${label}`, end, size, 700)];
}

/** Draw the compared searches. @param {Searches} searches @param {number} width @param {number} above @param {number} whole @param {Look} look @param {Bet | null | undefined} best */
function lines({ works, gaps, full }, width, above, whole, { small: size, ...look }, best) {
  const left = 3 * size, right = width - 7.5 * size, top = above + 1.8 * size, bottom = whole - 1.3 * size;
  const high = Math.max(...Object.values(gaps).flat());
  const x = (/** @type {number} */ work) => left + (right - left) * Math.log(work / works[0]) / Math.log(works[works.length - 1] / works[0]);
  const y = (/** @type {number} */ gap) => bottom - (bottom - top) * gap / high;
  const nodes = [text(0, above + size, "Median gap of 100 seeds, by iterations", "start", 0.85 * size),
    svg("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: "currentColor", "stroke-opacity": 0.4 })];
  for (const work of [works[0], works[works.length - 1]]) nodes.push(text(x(work), whole - 2, short(work), "middle", 0.85 * size));
  for (const gap of [0, high]) nodes.push(text(left - 6, y(gap) + 0.3 * size, `${Math.round(gap)}\u202f%`, "end", 0.85 * size));
  const ends = apart(Object.values(gaps).map((each) => y(each[each.length - 1])), 0.95 * size, bottom);
  Object.entries(gaps).forEach(([name, each], i) => {
    const points = each.map((gap, at) => `${x(works[at])},${y(gap)}`).join(" ");
    nodes.push(svg("polyline", { points, fill: "none", stroke: full.includes(name) ? look.full : look.partial, "stroke-width": name === best ? 4 : 2, "stroke-dasharray": name === best ? "none" : DASHES[i % DASHES.length] }));
    nodes.push(text(right + 6, ends[i] + 0.3 * size, name, "start", 0.85 * size, name === best ? 700 : 400));
  });
  return nodes;
}

/** Move y coordinates apart, so that labels do not overlap. y grows downwards, to `lowest` at most. @param {number[]} heights @param {number} least @param {number} lowest */
export function apart(heights, least, lowest) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[b] - heights[a]);
  const moved = [...heights];
  order.forEach((each, i) => (moved[each] = Math.min(heights[each], i ? moved[order[i - 1]] - least : lowest)));
  return moved;
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor @param {number} size @param {number} [weight] */
function text(x, y, words, anchor, size, weight = 400) {
  return svg("text", { x, y, "text-anchor": anchor, fill: "currentColor", "font-size": size, ...weight !== 400 && { "font-weight": weight } }, words);
}

/** @param {Bet} bet @returns {Bet} */
const shortBet = (bet) => (typeof bet === "number" ? Number(bet.toPrecision(3)) : bet);

/** @param {number} x @param {number} y @param {number} radius @param {number} place @param {string[]} hues @param {number[]} [right] */
export function dot(x, y, radius, place, hues, right) {
  const isRight = right?.includes(place);
  return svg("circle", { cx: x, cy: y, r: radius, fill: hues[place % hues.length], "fill-opacity": right && !isRight ? 0.25 : 1,
    ...isRight && { stroke: "currentColor", "stroke-width": Math.max(1.5, radius / 4) }, class: isRight ? "pv-class-right" : "" });
}

/** @param {Shown} shown @param {number} width @param {number} height @param {Look} look */
function curves({ question: { marks, high, unit }, bets, right, answer, seeds = [], whose, hues, phase }, width, height, { small: size }) {
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
