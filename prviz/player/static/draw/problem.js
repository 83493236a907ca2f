// Make the same k-means problems on drawn points as `kmeans` in prviz/problems/kmeans/problem.py.

import { Dots, LINKED, MOST, decode, positionsOf } from "./dots.js";
import { joined } from "../base/packing.js";

/** @import { Plan } from "../live/search.js" */
/** @typedef {{n: number, xs: Float64Array, ys: Float64Array, points: Float64Array}} Drawn */

const CAP = 0.1; // CAP of prviz/problems/kmeans/problem.py
const LENGTH = /^(\d*)n(?:\+(\d+))?$/; // such as "2n+64", see live_page/drawn.py
const TEXT = /^[\w-]*$/;

/** Return true if a text has the format of a drawing. @param {string} text */
export function isDrawing(text) {
  return TEXT.test(text) && text.length > 0 && decode(text).length <= 2 * MOST;
}

/** Return a drawing for a link; empty if it is too long. @param {string} text */
export function linked(text) {
  return decode(text).length <= 2 * LINKED ? text : "";
}

/** Return the error of a drawing with too few points for k centres; empty if it has enough. @param {string} text @param {number} k */
export function shortage(text, k) {
  const dots = new Dots();
  dots.load(decode(text));
  return dots.different < k ? `${k} centres need ${k} different points, got ${dots.different}. Spray more points.` : "";
}

/** Return the positions of drawn points in the picture. @param {string} text */
export function positions(text) {
  return positionsOf(decode(text)).buffer;
}

/**
 * Return a plan for drawn points, and the content of its arrays.
 * @param {Plan} plan a plan of k-means for any number of points @param {Uint8Array} content @param {string} text the drawing
 * @returns {[Plan, Uint8Array]}
 */
export function drawnPlan(plan, content, text) {
  const points = Float64Array.from(decode(text)), n = points.length / 2;
  const drawn = { n, points, xs: points.filter((_, i) => i % 2 === 0), ys: points.filter((_, i) => i % 2 === 1) };
  const scale = scaleOf(drawn, plan.variables);
  const filled = Object.entries(contentOf(drawn, plan.variables, scale));
  /** @type {Record<string, {from: number, bytes: number}>} */ const places = {};
  let from = content.length;
  for (const [path, { byteLength: bytes }] of filled) {
    places[path] = { from, bytes };
    from += bytes;
  }
  const records = Object.entries(plan.records).map(([name, record]) => [name, {
    numbers: name === "problem" ? withNumbers(record, scale) : record.numbers,
    arrays: record.arrays.map((array) => ({ ...array, shape: array.shape.map((length) => lengthOf(length, n)), ...places[`${name}.${array.path}`] })),
  }]);
  const told = `${n} point${n === 1 ? "" : "s"} drawn.`;
  return [{ ...plan, records: Object.fromEntries(records), layout: { ...plan.layout, drawn: text, told } },
    joined([content, ...filled.map(([, values]) => values)])];
}

/** @param {number | string} length @param {number} n */
function lengthOf(length, n) {
  const [, factor, more = "0"] = (typeof length === "string" && length.match(LENGTH)) || [];
  return factor === undefined ? length : Number(factor || 1) * n + Number(more);
}

/** Return the numbers of the problem that depend on the extent of the points. @param {Drawn} drawn @param {number} k */
function scaleOf({ n, xs, ys }, k) {
  const axes = [xs, ys], origin = axes.map((axis) => axis.reduce((sum, x) => sum + x, 0) / n);
  const [a, b] = axes.map((axis, j) => axis.reduce((sum, x) => sum + (x - origin[j]) * (x - origin[j]), 0) / n);
  const shrunk = Number((k ** (-1 / 2)).toPrecision(6));
  const cap = CAP * Math.sqrt(12 * ((a + b) / 2)) * shrunk;
  const size = axes.reduce((most, axis, j) => axis.reduce((far, x) => Math.max(far, Math.abs(x - origin[j])), most), 0);
  let unit = 1; // the smallest power of two above the size
  while (unit <= size) unit *= 2;
  while (size > 0 && unit / 2 > size) unit /= 2;
  const square = (/** @type {number} */ x, /** @type {number} */ j) => ((x - origin[j]) / unit) ** 2;
  const longest = xs.reduce((most, x, i) => Math.max(most, square(x, 0) + square(ys[i], 1)), 0);
  return { cap, unit, longest, origin };
}

/**
 * Return the content of the arrays that depend on the points, like `empty_state` of prviz/problems/kmeans/state.py.
 * @param {Drawn} drawn @param {number} k @param {{unit: number, origin: number[]}} scale @returns {Record<string, ArrayBufferView>}
 */
function contentOf({ n, points, xs, ys }, k, { unit, origin }) {
  const places = 2 * n + 64, columns = new Float64Array(places + n);
  columns.set(xs);
  columns.set(ys, places);
  const [x, y] = origin.map((part) => (part / unit) ** 2);
  const all = BigInt64Array.of(BigInt(n));
  return {
    "problem.points": points,
    "problem.origin": Float64Array.from(origin),
    "search.state.clusters.count": all,
    "search.state.clusters.room": all,
    "search.state.members.point": Int32Array.from(points.subarray(n), (_, i) => i),
    "search.state.members.slack": new Float64Array(places).fill(-Infinity),
    "search.state.members.columns": columns,
    "search.state.settled.lengths": new Float32Array(k + 1).fill(x + y),
    "search.state.clock": BigInt64Array.of(1n, BigInt(n)),
    "search.state.order": BigInt64Array.from({ length: n }, (_, i) => BigInt(i)),
  };
}

/** Return the numbers of a record, but replace some by `values`. @param {import("../live/memory.js").RecordPlan} record @param {Record<string, any>} values */
function withNumbers({ numbers, places = {} }, values) {
  const bytes = Uint8Array.from(numbers.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const view = new DataView(bytes.buffer);
  for (const [name, at] of Object.entries(places)) view.setFloat64(at, values[name], true);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
