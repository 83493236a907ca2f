// Tests of stage/curve.js and live/curve.js: the ticks of the cost curve, and its legend without Plotly.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cut } from "../../prviz/player/static/live/curve.js";
import { Curve, along, hasReached, hiddenFrom, legendRows, shortened, sketchOn, solvedFrom, thinned, unsolved, within, workTicks } from "../../prviz/player/static/stage/curve.js";

const figureOf = (...xs) => ({
  data: xs.map(() => ({ x: [0], y: [1] })),
  layout: { xaxis: { type: "log" }, meta: { axes: { seconds: { title: "CPU seconds", x: xs } } } },
});

test("curves of a single call have one tick", () => {
  const { layout: { xaxis } } = along(figureOf([0.00271828], [0.00271828, 0.00271828]), "seconds");
  assert.deepEqual([xaxis.tickvals, xaxis.ticktext], [[0.00271828], ["0.00272"]]);
  assert.equal(along(figureOf([1], [1, 3]), "seconds").layout.xaxis.tickvals, undefined);
});

test("a legend wraps before it is cut off", () => {
  const lines = ["partial, 1000 calls", "full, 1000 calls", "", "best known"].map((name) => ({ name }));
  const names = (room) => legendRows(lines, room, (text) => 6 * text.length).map((row) => row.map(({ line }) => line.name));
  assert.deepEqual(names(1000), [["partial, 1000 calls", "full, 1000 calls", "best known"]]);
  assert.deepEqual(names(300), [["partial, 1000 calls", "full, 1000 calls"], ["best known"]]);
  assert.deepEqual(names(20).length, 3);
});

test("costs that count as solved share a tick at the lower end", () => {
  assert.deepEqual(cut([[60, 6, 1e-5], [60, 20]], 1e-4), { heights: [[60, 6, 2], [60, 20]], yaxis: { tickvals: [2, 5, 10, 20, 50], ticktext: ["solved", "5", "10", "20", "50"] } });
  assert.deepEqual(cut([[60, 6]], 1e-4), { heights: [[60, 6]], yaxis: {} });
});

const solvedFigure = {
  data: [{ x: [10, 40], y: [60, 20] }, { x: [10, 30, 50], y: [60, 6, 2] }],
  layout: { yaxis: { type: "log", tickvals: [2, 5, 10, 20, 50], ticktext: ["solved", "5", "10", "20", "50"] } },
};

/** Return a curve without a page, and a list of the tick labels of each drawing. */
function drawnCurve(figure) {
  const labels = [];
  const node = { clientWidth: 600, clientHeight: 400, getBoundingClientRect: () => ({ height: 400 }) };
  const Plotly = { react: (plot, data, layout) => labels.push(layout.yaxis.ticktext.join(" ")) };
  const curve = Object.assign(Object.create(Curve.prototype), { node, Plotly, plot: {}, veil: {}, playhead: {}, listening: true, at: null, seen: null });
  return { curve, labels, shown: curve.show(figure, { small: 12 }, "iterations") };
}

test("the tick \"solved\" is absent until a shown step is solved", async () => {
  const { curve, labels, shown } = drawnCurve(solvedFigure);
  await shown;
  for (const [iterations, event] of [[0, 3], [30, 3], [50, 2], [50, 3], [Infinity, 3], [49, 3]]) await curve.reveal({ iterations, event });
  assert.deepEqual(labels, ["solved 5 10 20 50", "5 10 20 50", "solved 5 10 20 50", "5 10 20 50"]); // drawn again only after a change
  assert.deepEqual(unsolved({ yaxis: { tickvals: [2], ticktext: ["solved"] } }).yaxis, { unlabelled: 2 });
});

test("the sketch without Plotly hides the label \"solved\", too", () => {
  const labels = (layout) => {
    const texts = [];
    const g = new Proxy({ measureText: () => ({ width: 10 }), fillText: (text) => texts.push(text) },
      { get: (own, name) => own[name] ?? (() => {}), set: () => true });
    sketchOn(g, { data: solvedFigure.data, layout }, { small: 12 }, 400, 300);
    return texts.slice(0, 2); // the ends of the axis of costs
  };
  assert.deepEqual(labels(solvedFigure.layout), ["60", "solved"]);
  assert.deepEqual(labels(unsolved(solvedFigure.layout)), ["60", ""]);
});

test("the sketch labels the costs and calls of a single call once", () => {
  /** @type {string[]} */
  const texts = [];
  const g = new Proxy({ measureText: () => ({ width: 10 }), fillText: (text) => texts.push(text) },
    { get: (own, name) => own[name] ?? (() => {}), set: () => true });
  const layout = { xaxis: { type: "log", title: "calls" }, yaxis: { type: "log" } };
  sketchOn(g, { data: [{ x: [1], y: [27] }], layout }, { small: 12 }, 400, 300);
  assert.deepEqual(texts, ["27.0", "1", "calls"]);
});

test("the sketch without Plotly draws full restarts in the blue of the theme", () => {
  const strokes = new Set();
  const g = new Proxy({ measureText: () => ({ width: 10 }) },
    { get: (own, name) => own[name] ?? (() => {}), set: (own, name, value) => Boolean(name !== "strokeStyle" || strokes.add(value)) });
  const data = ["#0072B2", "#D55E00"].map((color) => ({ x: [1, 2], y: [2, 1], line: { color }, name: color }));
  sketchOn(g, { data, layout: {} }, { small: 12, full: "#4aa3df", line: "#333" }, 400, 300);
  assert.deepEqual([...strokes], ["#333", "#4aa3df", "#D55E00"]);
});

test("an axis without the tick \"solved\" never hides a tick", () => {
  const { data } = solvedFigure;
  assert.equal(solvedFrom({ data, layout: { yaxis: { tickvals: [2, 5], ticktext: ["2", "5"] } } }), null);
  assert.equal(solvedFrom({ data, layout: {} }), null);
  assert.equal(hasReached(null, 0), true);
});

test("a title is shortened if there is little room", () => {
  const title = "iterations of the local optimiser";
  assert.deepEqual([40, 20].map((room) => shortened(title, room)), [title, "iterations"]);
  const gap = "gap to the best known WCSS, %";
  assert.deepEqual([40, 20, 8].map((room) => within(gap, room)), [gap, "gap to the best<br>known WCSS, %", "gap, %"]);
});

test("tick labels do not overlap", () => {
  const tickvals = [2, 5, 10, 20, 50, 100, 200], ticktext = ["solved", ...tickvals.slice(1).map(String)];
  const labels = (most) => thinned({ tickvals, ticktext }, [2, 110, 0], most).ticktext.join(" ");
  assert.deepEqual([20, 5, 2].map(labels), ["solved 5 10 20 50 100", "solved 10 100", "solved 100"]);
});

test("ticks of work have whole labels with space between them", () => {
  const labels = (values, room) => workTicks(values, room).ticktext?.join(" ");
  assert.equal(labels([26, 11000], 100), "50 100 200 500 1\u202f000 2\u202f000 5\u202f000 10\u202f000");
  assert.equal(labels([26, 11000], 25), "50 1\u202f000 10\u202f000");
  assert.equal(labels([25, 260], 100), "30 40 50 60 70 80 100 200");
  assert.equal(labels([0, 0.004, 0.5], 60), "0.005 0.01 0.02 0.05 0.1 0.2 0.5");
  assert.equal(labels([20, 150], 60), undefined);
  assert.equal(labels([18, 150], 40), "20 30 40 60 100"); // a narrow axis
  assert.equal(labels([21, 28], 40), undefined); // no multiple of 10 lies between 21 and 28
  assert.equal(labels([], 60), undefined);
});

test("the curve shows a drop of the cost only with the frame of its outcome", () => {
  const place = { x: 50, left: 0, right: 100, top: 0, height: 10 };
  const [iterate, kept, reverted] = [2, 3, 4].map((event) => hiddenFrom(place, event));
  assert.ok(iterate < 50 && kept > 50);
  assert.equal(reverted, kept);
  assert.equal(hiddenFrom({ ...place, x: 100 }, 4), 100);
});
