// The cost curve of a run in a page, the same as from plot_curve and on_log_axes of prviz/figures/curve.py.

const STYLES = { partial: ["#D55E00", "solid"], full: ["#0072B2", "dash"] };
const NEUTRAL = "#808080";
const FLOOR = 1e-6, SHORTEST = 1e-6; // lower limits of the logarithmic axes

/** @typedef {{name: "partial" | "full", cost: number[], iterations: number[], seconds: number[]}} Steps of the best cost so far */

/** @param {import("./run.js").Run} run @returns {PlotlyFigure} */
export function curveOf(run) {
  if (!run.calls) return { data: [], layout: {} };
  const { best_known: known = null, cost, iteration = "iteration" } = run.plan.layout;
  const curves = [own(run), ...beside(run)];
  const height = (/** @type {number} */ y) => {
    if (known === null) return y;
    return known ? 100 * Math.max((y - known) / Math.abs(known), FLOOR) : Math.max(y, FLOOR);
  };
  const along = (/** @type {"iterations" | "seconds"} */ work) => curves.map((curve) => curve[work].map((x) => Math.max(x, SHORTEST)));
  const axes = { iterations: { title: `${iteration}s`, x: along("iterations") }, seconds: { title: "seconds", x: along("seconds") } };
  /** @type {any[]} */
  const data = curves.map((curve, i) => {
    const [color, dash] = STYLES[curve.name];
    return { x: axes.iterations.x[i], y: curve.cost.map(height), name: curve.name, meta: curve.name, mode: "lines",
      line: { color, shape: "hv", dash, width: 2 } };
  });
  if (known && data.some(({ y }) => y.includes(100 * FLOOR))) {
    const ends = (/** @type {number[][]} */ all) => [Math.min(...all.map((x) => x[0])), Math.max(...all.map((x) => x[x.length - 1]))];
    data.push({ x: ends(axes.iterations.x), y: [100 * FLOOR, 100 * FLOOR], name: "best known", meta: "best known", mode: "lines",
      line: { color: NEUTRAL, shape: "linear", dash: "dot", width: 1.5 } });
    for (const axis of Object.values(axes)) axis.x.push(ends(axis.x));
  }
  return { data, layout: { meta: { axes }, xaxis: { type: "log", title: { text: axes.iterations.title } },
    yaxis: { type: known === null ? "linear" : "log", title: { text: known ? "gap to the best known, %" : `best ${cost} so far` } } } };
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
