// The cost curve of a run in a page, as plot_curve and on_log_axes in prviz/figures/curve.py draw it.

import { number } from "../base/words.js";

const STYLES = { partial: ["#D55E00", "solid"], full: ["#0072B2", "dash"] };
const FLOOR = 1e-6, SHORTEST = 1e-6; // lower limits of the logarithmic axes
const APART = 1.7; // the lowest numbered tick has at least this many times the value of the tick "solved"
const WIDE = 5; // an axis with more powers of ten than this has no ticks between them

/** @typedef {{name: "partial" | "full", cost: number[], iterations: number[], seconds: number[]}} Steps the best cost so far as a step function */

/** @param {import("./run.js").Run} run @returns {PlotlyFigure} */
export function curveOf(run) {
  if (!run.calls) return { data: [], layout: {} };
  const { best_known: known = null, solved_within: within, cost, iteration = "iteration" } = run.plan.layout;
  const curves = [own(run), ...beside(run)];
  const unit = known ? 100 : 1;
  const above = (/** @type {number} */ y) => (known === null ? y : unit * Math.max((y - known) / (Math.abs(known) || 1), 0));
  const { heights, yaxis } = cut(curves.map((curve) => curve.cost.map(above)), known === null ? -Infinity : unit * Math.max(within ?? 0, FLOOR));
  const along = (/** @type {"iterations" | "seconds"} */ work) => curves.map((curve) => curve[work].map((x) => Math.max(x, SHORTEST)));
  const axes = { iterations: { title: `${iteration}s`, x: along("iterations") }, seconds: { title: "seconds", x: along("seconds") } };
  const data = curves.map((curve, i) => {
    const [color, dash] = STYLES[curve.name];
    return { x: axes.iterations.x[i], y: heights[i], name: curve.name, meta: curve.name, mode: "lines",
      line: { color, shape: "hv", dash, width: 2 } };
  });
  return { data, layout: { meta: { axes }, xaxis: { type: "log", title: { text: axes.iterations.title } },
    yaxis: { ...yaxis, type: known === null ? "linear" : "log", title: { text: known ? `gap to the best known ${cost}, %` : `best ${cost} so far` } } } };
}

/** Return the ticks of a logarithmic axis between two heights. @param {number} low @param {number} high */
function ticksBetween(low, high) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const digits = powers.length > WIDE ? [1] : [1, 2, 5];
  return powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`))).filter((tick) => tick > low && tick <= high);
}

/**
 * Place solved heights slightly below all others, with a tick for them.
 * @param {number[][]} heights @param {number} solved
 */
export function cut(heights, solved) {
  const open = heights.flat().filter((y) => y > solved);
  if (open.length === heights.flat().length) return { heights, yaxis: {} };
  const [low, high] = open.length ? [Math.min(...open), Math.max(...open)] : [solved, solved];
  const floor = Math.min(low / 3, high / 10);
  const ticks = ticksBetween(APART * floor, high);
  return { heights: heights.map((line) => line.map((y) => (y > solved ? y : floor))),
    yaxis: { tickvals: [floor, ...ticks], ticktext: ["solved", ...ticks.map((tick) => number(tick, 1))] } };
}

/** @param {import("./run.js").Run} run @returns {Steps} */
function own({ levels, bests, calls, bestAfter, iterationsAfter, secondsAfter }) {
  const shown = [...bests.map(([call]) => call), calls];
  const [cost, iterations, seconds] = [bestAfter, iterationsAfter, secondsAfter].map((after) => shown.map((call) => after[call - 1]));
  return { name: levels.length > 1 ? "partial" : "full", cost, iterations, seconds };
}

/** Return the steps of the run's full restarts, if any. @param {import("./run.js").Run} run @returns {Steps[]} */
function beside(run) {
  const full = run.beside;
  if (!full?.found.length) return [];
  const { found, search: { totals } } = full;
  const steps = [...found, { ...found[found.length - 1], ...totals }];
  return [{ name: "full", cost: steps.map(({ cost }) => cost), iterations: steps.map(({ iterations }) => iterations),
    seconds: steps.map(({ seconds }) => seconds) }];
}
