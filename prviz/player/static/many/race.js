// The board of a race: two charts, the state of every run, and a summary.

import { h, say } from "../base/dom.js";
import { menu } from "../base/buttons.js";
import { Curve } from "../stage/curve.js";
import { Board, renderer } from "./board.js";
import { Strips } from "./strips.js";

const ONE_COLUMN = 400; // width in px in print below which the charts are stacked
const NARROW = 640; // the same on a screen
const AXES = { iterations: "by iterations", seconds: "by CPU time" };

/** @param {Axis} axis */
const unitOf = (axis) => (axis === "seconds" ? "CPU seconds each" : `${axis} each`);

export const renderRace = renderer(() => new Race());

/**
 * @typedef {import("./board.js").BoardState & {version: number, axes: Axis[], axis: Axis, plan: string, left: string, words: string, title: string, figure?: PlotlyFigure, lanes: import("./strips.js").Lane[], rows: string[][], until: string, gaps: boolean, zero: boolean, cost: string, target: boolean, n: number, seeds: number, reached: string}} RaceState
 * @extends {Board<RaceState>}
 */
class Race extends Board {
  constructor() {
    const axis = menu("Unit of work", AXES, "iterations", (chosen) => this.look(chosen));
    const curve = new Curve();
    const strips = new Strips({ onChoose: (contender, seed) => this.watch(contender, seed) });
    curve.node.dataset.blank = "Medians with intervals, the share of runs that reach the target, and one dot per run.";
    const note = h("p", { class: "pv-race-note" });
    const table = h("table", { class: "pv-race-table" });
    super("Race", { menus: [axis], parts: [curve.node, note, strips.node, table], whole: "race" });
    this.axis = axis;
    this.curve = curve;
    this.strips = strips;
    this.note = note;
    this.table = table;
  }

  clear() {
    this.drawn = null;
    this.curve.load(new URL(`${this.data.base}player/static/plotly.min.js`, document.baseURI).href);
  }

  resize() {
    this.chart();
  }

  get filled() {
    return Boolean(this.shown?.figure);
  }

  /** @param {string} [axis] */
  holds(axis) {
    return this.filled && (!axis || this.shown?.axis === axis);
  }

  /** @param {RaceState} shown */
  standing({ state, message, recorded, n, seeds, reached, axis, plan, left }) {
    if (message) return message;
    const unit = unitOf(axis);
    const so = n && !recorded ? `${n} of ${seeds} seeds, with at least ${reached} ${unit}` : "";
    /** @type {Record<string, string>} */
    const words = { ready: plan, waiting: "Begins …", running: so ? [so, left].filter(Boolean).join("; ") : "First calls …", paused: "Paused.",
      finished: `Finished: ${so}.`, stopped: so ? `Stopped: ${so}.` : "Stopped." };
    return words[state] ?? "";
  }

  items() {
    if (!this.begun) return [];
    /** @type {import("./board.js").Item[]} */
    const items = [["CSV", this.at("runs.csv")], ["Figure", () => this.print()],
      ["Report", this.at(`report.html?axis=${this.shown?.axis}`)]];
    return items;
  }

  /** @param {RaceState} shown */
  async draw(shown) {
    this.axis.hidden = !["iterations", "seconds"].every((axis) => shown.axes.includes(/** @type {Axis} */ (axis)));
    this.axis.value = shown.axis;
    if (!shown.figure) return;
    const { lanes, gaps, zero, cost, target } = shown;
    this.strips.show(lanes, { gaps, zero, cost, target, colours: this.colours });
    const drawn = `${shown.version} ${shown.axis} ${shown.words} ${shown.until}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    say(this.words, shown.words);
    this.tabulate(shown);
    await this.chart();
  }

  chart() {
    const { figure, target = false } = this.shown ?? {};
    if (!figure) return null;
    const narrow = this.root.clientWidth < NARROW;
    this.curve.node.classList.toggle("pv-race-high", narrow && target);
    return this.curve.show(this.arranged(figure, narrow), this.colours);
  }

  /**
   * Return the figure with its charts side by side, or stacked if the space is `narrow`.
   * @param {PlotlyFigure} figure @param {boolean} narrow @returns {PlotlyFigure}
   */
  arranged(figure, narrow) {
    const { xaxis, yaxis, xaxis2, yaxis2, ...rest } = figure.layout;
    const alone = !this.shown?.target;
    const along = alone ? [[0, 1], [0, 1]] : narrow ? [[0, 1], [0, 1]] : [xaxis.domain, xaxis2.domain];
    const high = narrow && !alone ? [[0.58, 1], [0, 0.4]] : [[0, 1], [0, 1]];
    const layout = { ...rest, uirevision: this.shown?.axis,
      xaxis: { ...xaxis, domain: along[0], ...(narrow && !alone && { title: { text: "" } }) },
      yaxis: { ...yaxis, domain: high[0] } };
    if (!alone) Object.assign(layout, { xaxis2: { ...xaxis2, domain: along[1] }, yaxis2: { ...yaxis2, domain: high[1] } });
    return { data: figure.data, layout };
  }

  figures() {
    if (!this.shown?.figure) return [];
    const { title, words, figure, target, lanes } = this.shown;
    const names = lanes.map(({ name }) => name).join(", ");
    const about = (/** @type {string[]} */ below) => ({ title: `${title}: ${names}`, below });
    const plot = (/** @type {number} */ width) => {
      const narrow = width < ONE_COLUMN;
      return { Plotly: this.curve.Plotly, ...this.arranged(figure, narrow), height: width * (narrow && target ? 1.3 : 0.5) };
    };
    const charts = { name: "Charts", file: "prviz-race", plot, words: about([words, this.note.textContent ?? ""]) };
    const runs = { name: "Every run", file: "prviz-race-runs", paint: /** @type {Paint} */ ((...on) => this.strips.print(...on)),
      words: about([words, this.strips.meaning]) };
    return this.curve.Plotly ? [charts, runs] : [runs];
  }

  /** @param {RaceState} shown */
  tabulate({ rows, target, gaps, axis, until, reached }) {
    const head = ["Contender", "Runs", gaps ? "Median gap [95 %]" : "Median cost [95 %]", ...(target ? ["Solved [95 %]"] : [])];
    this.table.replaceChildren(
      h("caption", {}, until === reached ? "At the end of the charts" : `Up to ${until} ${unitOf(axis)}`),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name),
        ...cells.map((cell) => h("td", {}, cell))))));
    say(this.note, `Line: median. Dark band: its 95 % interval. Light band: the middle half of the runs.${
      target ? " Share solved: 95 % band for the whole curve." : ""} Nothing is smoothed.`);
  }

  close() {
    super.close();
    this.curve.close();
    this.strips.close();
  }
}
