// The metric row: where the search is, and where the picture is.

import { h, say } from "../base/dom.js";
import { capital, count, gapTo, iterationOf, number, percent, seconds } from "../base/words.js";

const CELLS = ["best", "gap", "decisions", "calls", "iterations", "seconds"];

export class Metrics {
  constructor() {
    this.cells = Object.fromEntries(CELLS.map((name) => [name, {
      label: h("dt", {}), value: h("dd", {}, "–"), note: h("dd", { class: "pv-note" }),
    }]));
    this.node = h("dl", { class: "pv-metrics" }, ...CELLS.map((name) => {
      const { label, value, note } = this.cells[name];
      return h("div", { class: `pv-metric pv-metric-${name}` }, label, value, note);
    }));
    this.fill("decisions", "Kept · reverted", "–", "at the head");
    this.fill("iterations", "Iterations", "–", "at the head");
    this.fill("seconds", "CPU time", "–", "at the head");
  }

  fill(name, label, value, note) {
    const cell = this.cells[name];
    if (label !== null) say(cell.label, label);
    say(cell.value, value);
    say(cell.note, note);
  }

  show(head, call, layout) {
    const { best_known: known, solved_within: solved } = layout;
    const some = head.calls > 0;
    const gap = some ? gapTo(head.best, known) : null;
    this.fill("best", `Best ${layout.cost}`, some ? number(head.best, 6) : "–", "at the head");
    const [distance, from] = known == null ? ["unknown", "no best known"]
      : known === 0 ? [number(gap), "above 0"] // there is no share of nothing
        : [percent(gap), `of ${number(known, 6)}`];
    this.fill("gap", "Gap to best known", distance,
      gap !== null && solved != null && gap <= solved ? `solved: within ${percent(solved)}` : from);
    const decisions = `${count(head.kept)} · ${count(head.reverted)}`;
    const calls = `${call ? count(call) : "–"} / ${count(head.total ?? head.calls)}`;
    this.fill("decisions", null, some ? decisions : "–", "at the head");
    this.fill("calls", "Call", some ? calls : "–", "playhead / head");
    const name = `${capital(iterationOf(layout))}s`;
    this.fill("iterations", name, some ? count(head.iterations) : "–", "at the head");
    this.fill("seconds", null, some ? seconds(head.seconds) : "–", "at the head");
  }
}
