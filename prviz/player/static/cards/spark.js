// A small curve with the cost of each inner iteration of this call, and a line for the checkpoint.

import { h } from "../base/dom.js";
import { ITERATE } from "../base/words.js";

const WIDTH = 100, HEIGHT = 24, EDGE = 3;
const ROOM = 12; // the width of the curve spans at least this many iterations

export class Spark {
  constructor() {
    this.node = h("span", { class: "pv-spark", "aria-hidden": "true" });
    this.node.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path/><polyline/></svg>`;
    this.checkpoint = this.node.querySelector("path");
    this.costs = this.node.querySelector("polyline");
  }

  /** Draw the iterations of `frames`, the frames of this call so far. @param {Frame[]} frames */
  show(frames) {
    const iterations = frames.filter(({ event }) => event === ITERATE);
    const costs = iterations.map(({ cost }) => cost);
    const known = iterations.at(-1)?.checkpoints[0];
    const compared = known != null && Number.isFinite(known) ? [known] : [];
    const all = [...costs, ...compared];
    const low = Math.min(...all), high = Math.max(...all);
    const y = (/** @type {number} */ cost) => EDGE + ((high - cost) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
    const step = WIDTH / (Math.max(ROOM, costs.length) - 1);
    this.costs?.setAttribute("points", costs.map((cost, i) =>
      `${(i * step).toFixed(2)},${y(cost).toFixed(2)}`).join(" "));
    this.checkpoint?.setAttribute("d", compared.map((cost) => `M0 ${y(cost).toFixed(2)}H${WIDTH}`).join(""));
  }
}
