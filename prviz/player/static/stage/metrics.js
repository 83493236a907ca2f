// The row of metrics, with the numbers of the present frame.

import { h, say } from "../base/dom.js";
import { KEPT, capital, count, gapNote, gapTo, iterationOf, number, percent, seconds } from "../base/words.js";

const CELLS = ["best", "gap", "decisions", "calls", "iterations", "seconds"];

/** @import { Engine } from "../run/engine.js" */

export class Metrics {
  constructor() {
    this.cells = Object.fromEntries(CELLS.map((name) => [name, {
      label: h("dt", {}), value: h("dd", {}, "–"), note: h("dd", { class: "pv-note" }),
    }]));
    this.node = h("dl", { class: "pv-metrics" }, ...CELLS.map((name) => {
      const { label, value, note } = this.cells[name];
      return h("div", { class: `pv-metric pv-metric-${name}` }, label, value, note);
    }));
    this.fill("decisions", "Kept · reverted", "–", "so far");
    this.fill("iterations", "Iterations", "–", "so far");
    this.fill("seconds", "CPU time", "–", "so far");
  }

  /** @param {string} name @param {string | null} label @param {string} value @param {string} note */
  fill(name, label, value, note) {
    const cell = this.cells[name];
    if (label !== null) say(cell.label, label);
    say(cell.value, value);
    say(cell.note, note);
  }

  /**
   * Show results and work at a frame; `frame` is null before the first frame.
   * @param {Frame | null} frame @param {Engine} engine @param {Layout} layout
   */
  show(frame, engine, layout) {
    const { best_known: known } = layout;
    this.fill("best", `Best ${layout.cost}`, frame && Number.isFinite(frame.best) ? number(frame.best, 6) : "–", "so far");
    const gap = frame && gapTo(frame.best, layout);
    const distance = known == null ? "unknown" : known === 0 ? number(gap) : percent(gap); // a gap relative to 0 does not exist
    this.fill("gap", "Gap to best known", distance, gapNote(gap, layout));
    const calls = frame ? frame.call - (frame.event < KEPT ? 1 : 0) : 0; // number of calls whose decision was shown
    const kept = engine.kept(calls);
    this.fill("decisions", null, frame ? `${count(kept)} · ${count(calls - kept)}` : "–", "so far");
    this.fill("calls", "Call", frame ? count(frame.call) : "–", `of ${count(engine.head.total ?? engine.calls)}`);
    const name = `${capital(iterationOf(layout))}s`;
    this.fill("iterations", name, frame ? count(frame.iterations) : "–", "so far");
    this.fill("seconds", layout.wall_clock ? "Time" : "CPU time", frame ? seconds(frame.seconds) : "–", "so far");
  }
}
