// The board of a tuning: the map of settings, their ranking, and a summary.

import { h, say } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { SettingsMap } from "./map.js";
import { Board, renderer } from "./board.js";

const ROWS = 8; // rows of the ranking

export const renderTuning = renderer(() => new Tuning());

/**
 * @typedef {import("./board.js").BoardState & import("./map.js").MapState & {title: string, words: string, plan: string, left: string, rung: number, check: number, checking: number, work: number, kept: boolean, ranking: number[]}} TuningState
 * @extends {Board<TuningState>}
 */
class Tuning extends Board {
  constructor() {
    const map = new SettingsMap({ onChoose: ({ name, seed }) => this.watch(name, seed) });
    const table = h("table", { class: "pv-race-table" });
    const use = button({ class: "pv-use", onclick: () => this.send({ name: "use" }) }, "Use it on the page");
    const parts = [use, h("div", { class: "pv-tuning" }, map.node, h("div", { class: "pv-ranking" }, table))];
    super("Tuning", { parts, whole: "tuning" });
    this.map = map;
    this.table = table;
    this.use = use;
  }

  clear() {
    this.map.chosen = null;
  }

  get filled() {
    return Boolean(this.shown?.cells?.some(({ n }) => n));
  }

  holds() {
    return Boolean(this.shown?.cells);
  }

  /** @param {TuningState} shown */
  standing({ state, message, rung, rungs, check, checking, work, kept, plan, left }) {
    if (message) return message;
    const each = work ? `, ${Math.round(work).toLocaleString("en").replaceAll(",", "\u202f")} iterations per run` : "";
    const so = checking ? `Checking on fresh seeds: ${checking} of ${check}${each}`
      : `Up to ${rungs[rung]} seeds per setting${each}`;
    /** @type {Record<string, string>} */
    const words = { ready: plan, waiting: "Begins …", running: [so, left].filter(Boolean).join("; "), paused: "Paused.",
      finished: `Finished${each}${kept ? "; all runs were already stored" : ""}.`, stopped: `Stopped${each}.` };
    return words[state] ?? "";
  }

  items() {
    if (!this.begun) return [];
    /** @type {import("./board.js").Item[]} */
    const items = [["CSV", this.at("runs.csv")], ["Figure", () => this.print()], ["Report", this.at("report.html")]];
    return items;
  }

  figures() {
    if (!this.shown) return [];
    const words = { title: this.shown.title, below: [this.shown.words, this.map.key_.textContent ?? ""] };
    const paint = /** @type {Paint} */ ((...on) => this.map.print(...on));
    return [{ name: "Map", file: "prviz-tuning", words, paint }];
  }

  /** @param {TuningState} shown */
  draw(shown) {
    if (!shown.cells) return;
    shown.finished = shown.state === "finished" || Boolean(shown.recorded);
    say(this.words, shown.words);
    this.use.hidden = shown.leader == null || this.going;
    this.map.show(shown, this.colours);
    this.tabulate(shown);
  }

  /** @param {TuningState} shown */
  tabulate({ ranking, cells, rungs, target }) {
    const head = ["Setting", target ? "Work [95 %]" : "Median cost", ...(target ? ["Solved"] : []), "n"];
    const row = (/** @type {number} */ i) => {
      const { name, says = "", hits, n, dropped } = cells[i];
      const left = dropped == null ? "" : `, ×${rungs[dropped]}`;
      return h("tr", {}, h("th", { scope: "row" }, name), ...[says, ...(target ? [`${hits}`] : []), `${n}${left}`]
        .map((text) => h("td", {}, text)));
    };
    this.table.replaceChildren(
      h("caption", {}, ranking.length > ROWS ? `The first ${ROWS} of ${ranking.length}` : "All settings"),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...ranking.slice(0, ROWS).map(row)));
  }

  close() {
    super.close();
    this.map.close();
  }
}
