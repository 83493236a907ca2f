// Series of numbers, with a lane per column. The state of each step is a band: its mean, and one standard deviation above
// and below.

import { between, boxOf, fitted, titleAbove } from "../../base/shades.js";
import { fatesOf } from "./strip.js";

const FULL = 65535;
const WASH = 0.28; // opacity of a band
const DOT = 1.6; // radius of an observation in pixels
const ROOMY = 4; // smallest number of pixels per step for which observations are dots

/** @type {MakeLayer} */
export function series(spec, assets) {
  const values = new Uint16Array(assets[spec.asset]), lanes = spec.lanes.length, steps = values.length / lanes;
  const begins = new Set(spec.begins);
  /** @type {{after: Frame, boxes: Box[]} | null} the last drawing */
  let shown = null;

  /** @param {PictureView} view @returns {Box[]} */
  function boxesIn(view) {
    return spec.lanes.map((/** @type {any} */ lane) => boxOf(fitted({ shapes: spec.shapes, ...lane }, view).box, view));
  }

  /** Draw the bands of one column. @param {Canvas} g @param {PictureView} view @param {Box} box @param {number} lane
   * @param {ArrayLike<number>} states @param {ArrayLike<number>} means @param {ArrayLike<number>} deviations
   * @param {("kept" | "partial" | "full")[]} fates kept, redrawn or restarted, for each state */
  function bands(g, view, box, lane, states, means, deviations, fates) {
    const wide = box.width / steps, y = (/** @type {number} */ at) => box.y + box.height * (1 - at / FULL);
    for (let first = 0, t = 1; t <= steps; t++) {
      if (t < steps && states[t] === states[first] && !begins.has(t)) continue;
      const state = states[first], at = state * lanes + lane, x = box.x + first * wide, width = (t - first) * wide;
      const mean = y(means[at]), half = box.height * deviations[at] / FULL;
      g.fillStyle = g.strokeStyle = view.colours[fates[state]];
      g.globalAlpha = WASH;
      g.fillRect(x, mean - half, width, 2 * half);
      g.globalAlpha = 1;
      g.lineWidth = 1.5;
      g.beginPath();
      g.moveTo(x, mean);
      g.lineTo(x + width, mean);
      g.stroke();
      first = t;
    }
  }

  /** Draw the observations of one column. @param {Canvas} g @param {PictureView} view @param {Box} box @param {number} lane */
  function line(g, view, box, lane) {
    const wide = box.width / steps;
    g.strokeStyle = g.fillStyle = view.colours.ink;
    g.lineWidth = 1;
    g.beginPath();
    for (let t = 0; t < steps; t++) {
      const x = box.x + (t + 0.5) * wide, y = box.y + box.height * (1 - values[t * lanes + lane] / FULL);
      if (begins.has(t)) g.moveTo(x, y);
      else g.lineTo(x, y);
    }
    g.stroke();
    if (wide < ROOMY) return;
    g.beginPath();
    for (let t = 0; t < steps; t++) {
      const x = box.x + (t + 0.5) * wide, y = box.y + box.height * (1 - values[t * lanes + lane] / FULL);
      g.moveTo(x + DOT, y);
      g.arc(x, y, DOT, 0, 2 * Math.PI);
    }
    g.fill();
  }

  return {
    legend: [
      ['<path d="M1 11l4-6 4 5 6-8" stroke="var(--pv-ink)"/>', "observed"],
      ['<rect x="1" y="4" width="14" height="8" stroke="none" fill="var(--pv-kept)" fill-opacity="0.35"/>'
        + '<path d="M1 8h14" stroke="var(--pv-kept)" stroke-width="1.5"/>', "state", ": mean ± 1 standard deviation"],
    ],
    hint(x, y) {
      const lane = shown ? shown.boxes.findIndex((box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) : -1;
      if (!shown || lane < 0) return "";
      const { x: left, width } = shown.boxes[lane], { low, high, name } = spec.lanes[lane];
      const t = Math.floor((x - left) / width * steps), state = shown.after[spec.states][t];
      const unit = (/** @type {number} */ value) => Number((low + (high - low) * value / FULL).toPrecision(4));
      const deviation = Number(((high - low) * shown.after[spec.deviations][state * lanes + lane] / FULL).toPrecision(3));
      return `Step ${t + 1}, ${name} ${unit(values[t * lanes + lane])}: state ${state + 1}, mean ${unit(shown.after[spec.means][state * lanes + lane])} ± ${deviation}`;
    },
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const from = before ?? after, boxes = boxesIn(view), n = after[spec.means].length / lanes;
      const means = between(from[spec.means], after[spec.means], t), deviations = between(from[spec.deviations], after[spec.deviations], t);
      const states = (t < 0.5 ? from : after)[spec.states], fates = fatesOf(after, [...Array(n).keys()], n);
      shown = { after, boxes };
      boxes.forEach((box, lane) => {
        titleAbove(g, view, box, ...spec.lanes[lane].titles);
        g.save();
        g.beginPath();
        g.rect(box.x, box.y, box.width, box.height);
        g.clip();
        bands(g, view, box, lane, states, means, deviations, fates);
        line(g, view, box, lane);
        g.restore();
        g.strokeStyle = view.colours.line;
        g.lineWidth = 1;
        g.strokeRect(box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
      });
    },
  };
}
