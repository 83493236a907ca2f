// The cost curve of a run in a page, as plot_curve and on_log_axes of prviz/figures/curve.py make it.

const PARTIAL = "#D55E00", NEUTRAL = "#767676";
const FLOOR = 1e-9, SHORTEST = 1e-6; // the least that a logarithmic axis shows

/** @param {import("./run.js").Run} run @returns {PlotlyFigure} */
export function curveOf({ bests, calls, iterationsAfter, secondsAfter, bestAfter, plan: { layout } }) {
  if (!calls) return { data: [], layout: {} };
  const { best_known: known = null, cost, iteration = "iteration" } = layout;
  const shown = [...bests.map(([call]) => call), calls];
  const gap = (/** @type {number} */ y) => (known ? Math.max((100 * (y - known)) / Math.abs(known), FLOOR) : Math.max(y, FLOOR));
  const y = shown.map((call) => (known === null ? bestAfter[call - 1] : gap(bestAfter[call - 1])));
  const along = (/** @type {number[]} */ after) => shown.map((call) => Math.max(after[call - 1], SHORTEST));
  const iterations = along(iterationsAfter), seconds = along(secondsAfter);
  const name = layout.levels?.length === 1 ? "full" : "partial";
  const data = [{ x: iterations, y, name, meta: name, mode: "lines", line: { color: PARTIAL, shape: "hv", dash: "solid", width: 2 } }];
  const axes = { iterations: { title: `${iteration}s`, x: [iterations] }, seconds: { title: "seconds", x: [seconds] } };
  if (known) {
    const ends = (/** @type {number[]} */ x) => [x[0], x[x.length - 1]];
    data.push({ x: ends(iterations), y: [FLOOR, FLOOR], name: "best known", meta: "best known", mode: "lines",
      line: { color: NEUTRAL, shape: "linear", dash: "dot", width: 1.5 } });
    for (const axis of Object.values(axes)) axis.x.push(ends(axis.x[0]));
  }
  return { data, layout: { meta: { axes }, xaxis: { type: "log", title: { text: axes.iterations.title } },
    yaxis: { type: known === null ? "linear" : "log", title: { text: known ? "gap to the best known, %" : `best ${cost} so far` } } } };
}
