// The five phases of a call as words, with the present phase highlighted.

import { h } from "../base/dom.js";
import { ITERATE, KEPT, REDRAW } from "../base/words.js";

const WORDS = ["redrawn", "settling", "stuck", "kept", "reverted"];
const HARDLY = 0.01; // a call is "stuck" if at most this share of its improvement is left

/**
 * Return the phase of a frame; `frames` are all frames of its call.
 * @param {Pick<Frame, "event" | "cost">} frame @param {Pick<Frame, "event" | "cost">[]} frames
 */
export function phaseOf(frame, frames) {
  if (frame.event === REDRAW) return "redrawn";
  if (frame.event !== ITERATE) return frame.event === KEPT ? "kept" : "reverted";
  const costs = frames.filter(({ event }) => event === ITERATE).map(({ cost }) => cost);
  const last = costs[costs.length - 1];
  const toCome = frame.cost - last, all = costs[0] - last;
  return toCome <= HARDLY * all ? "stuck" : "settling";
}

export class Phases {
  constructor() {
    this.words = Object.fromEntries(WORDS.map((word) => [word, h("li", { class: `pv-phase-${word}` }, word)]));
    this.node = h("ol", { class: "pv-phases", "aria-hidden": "true" }, ...Object.values(this.words));
  }

  /** @param {Frame} frame @param {Frame[]} frames */
  show(frame, frames) {
    const shown = phaseOf(frame, frames);
    this.node.classList.toggle("pv-restart", frame.level === frame.counters.length);
    for (const [word, node] of Object.entries(this.words)) node.classList.toggle("pv-lit", word === shown);
  }
}
