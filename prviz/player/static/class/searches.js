// The searches by everyone in the class as a strip chart, a map, and a confidence interval.

import { Strips } from "../many/strips.js";
import { dot } from "./picture.js";
import { h, say, svg } from "../base/dom.js";

/** @typedef {[place: number, k1: number, m1: number, seed: number, partial: number, full: number]} Result */
/** @typedef {{title: string, noun: string, k1s: number[], m1s: number[], work: number, known: number | null, results: Result[], summary: {n: number, ahead: number, ties: number, share?: number, low?: number, high?: number}}} Experiment */

const MAP_LEFT = 4, MAP_FOOT = 2.8; // margins of the map, as multiples of the font size

/** Return the result as a sentence. @param {Experiment["summary"]} summary */
export function verdict({ n, ahead, ties, share, low, high }) {
  if (share === undefined || low === undefined || high === undefined) return n ? "Only ties so far." : "No results yet.";
  const percent = (/** @type {number} */ value) => Math.round(100 * value);
  return `Partial ended lower in ${ahead} of ${n - ties} searches: ${percent(share)}\u202f% (95\u202f% CI ${percent(low)}–${percent(high)}\u202f%)${ties ? `, ${ties} tie${ties === 1 ? "" : "s"}` : ""}.`;
}

/** Return two lanes of gaps to the lowest known cost, or else to the lowest cost in the class. @param {Experiment} experiment @param {Colours} colours */
export function lanesOf({ results, known }, colours) {
  const base = known ?? Math.min(...results.flatMap(([, , , , partial, full]) => [partial, full]));
  const gap = (/** @type {number} */ cost) => (base ? Math.max(0, (cost - base) / Math.abs(base)) : Math.max(0, cost));
  const lane = (/** @type {string} */ name, /** @type {string} */ colour, /** @type {number} */ column) => ({ name, colour,
    seeds: results.map(([place]) => place), watched: false, gaps: results.map((each) => gap(each[column])), hit: "" });
  return { zero: base === 0, lanes: [lane("partial", colours.partial, 4), lane("full restarts", colours.full, 5)] };
}

class ClassStrips extends Strips {
  /** Return a range that contains 1 % to 100 %, so that the axis rarely changes. */
  get range() {
    const [low, high] = this.lanes.some(({ gaps }) => gaps.length) ? super.range : [-2, 0];
    return this.gaps ? [Math.min(low, -2), Math.max(high, 0)] : [low, high];
  }

  get radius() {
    return Math.max(3.2, 8 - 0.1 * (this.lanes[0]?.seeds.length ?? 0));
  }

  tell() {
    say(this.words, `One dot per search: its final gap to the best ${this.gaps ? "known cost" : "cost of this class"}.`);
  }
}

export class Searches {
  constructor() {
    this.strips = new ClassStrips({ onChoose() {} });
    this.map = h("div", { class: "pv-class-map" });
    this.words = h("p", { class: "pv-class-verdict", role: "status" });
    this.bar = h("div", { class: "pv-class-interval", "aria-hidden": "true" });
    this.node = h("div", { class: "pv-class-searches" }, this.words, this.bar, this.strips.node, this.map);
  }

  /** @param {Experiment} experiment @param {string[]} hues @param {Colours} colours */
  show(experiment, hues, colours) {
    const { lanes, zero } = lanesOf(experiment, colours);
    this.strips.show(lanes, { gaps: experiment.known !== null, zero, cost: "cost", target: false, colours });
    say(this.words, verdict(experiment.summary));
    this.bar.replaceChildren(interval(experiment.summary, colours), h("div", {}, ...["0\u202f%", "50\u202f%", "100\u202f%"].map((mark) => h("span", {}, mark))));
    this.map.replaceChildren(mapOf(experiment, hues, this.map.clientWidth || 400, this.map.clientHeight || 300, colours.small));
  }

  close() {
    this.strips.close();
  }
}

/** Draw the interval; before the first result, draw only its axis. @param {Experiment["summary"]} summary @param {Colours} colours */
function interval({ low, high, share }, colours) {
  const marks = [svg("line", { x1: 0, x2: 1000, y1: 15, y2: 15, stroke: "currentColor", "stroke-opacity": 0.3, "stroke-width": 2 }),
    svg("line", { x1: 500, x2: 500, y1: 4, y2: 26, stroke: "currentColor", "stroke-width": 2 })];
  if (share !== undefined && low !== undefined && high !== undefined) {
    marks.push(svg("line", { x1: 1000 * low, x2: 1000 * high, y1: 15, y2: 15, stroke: colours.partial, "stroke-width": 8 }),
      svg("ellipse", { cx: 1000 * share, cy: 15, rx: 7, ry: 9, fill: colours.partial }));
  }
  return svg("svg", { viewBox: "-12 0 1024 30", preserveAspectRatio: "none" }, ...marks);
}

/** Return a pale line between cells. @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 */
const rule = (x1, x2, y1, y2) => svg("line", { x1, x2, y1, y2, stroke: "currentColor", "stroke-opacity": 0.15 });

/** Return the map of k₁ and M₁: a dot per person, with a ring if partial ended lower. @param {Experiment} experiment @param {string[]} hues @param {number} width @param {number} height @param {number} size */
function mapOf({ k1s, m1s, results, noun }, hues, width, height, size) {
  const left = MAP_LEFT * size, foot = MAP_FOOT * size;
  const wide = (width - left) / k1s.length, high = (height - foot) / m1s.length;
  const nodes = [svg("rect", { x: left, y: 1, width: width - left - 1, height: height - foot - 1, fill: "none", stroke: "currentColor", "stroke-opacity": 0.3 })];
  for (let i = 1; i < k1s.length; i++) nodes.push(rule(left + i * wide, left + i * wide, 1, height - foot));
  for (let j = 1; j < m1s.length; j++) nodes.push(rule(left, width - 1, height - foot - j * high, height - foot - j * high));
  k1s.forEach((value, i) => nodes.push(svg("text", { x: left + (i + 0.5) * wide, y: height - foot + size, "text-anchor": "middle", fill: "currentColor" }, `${value}`)));
  m1s.forEach((value, j) => nodes.push(svg("text", { x: left - 4, y: height - foot - (j + 0.5) * high + size / 3, "text-anchor": "end", fill: "currentColor" }, `${value}`)));
  nodes.push(svg("text", { x: left + (width - left) / 2, y: height - 0.4 * size, "text-anchor": "middle", fill: "currentColor" }, `Across: k₁, ${noun} redrawn at once. Up: M₁, redraws per restart.`));
  const radius = Math.max(2.5, Math.min(wide, high) / 6);
  const won = results.filter(([, , , , partial, full]) => partial < full).map(([place]) => place);
  for (const [place, k1, m1] of results) {
    const across = ((0.5 + place * 0.618034) % 1) - 0.5, up = ((0.5 + place * 0.754878) % 1) - 0.5; // spreads the dots of people in a cell
    const x = left + (k1s.indexOf(k1) + 0.5 + 0.6 * across) * wide, y = height - foot - (m1s.indexOf(m1) + 0.5 + 0.6 * up) * high;
    nodes.push(dot(x, y, radius, place, hues, won));
  }
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "font-size": size, role: "img",
    "aria-label": `Map of ${results.length} searches by k₁ and M₁. A ring marks the ${won.length} where partial ended lower.` }, ...nodes);
}
