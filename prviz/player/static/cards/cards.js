// The hierarchy as cards, one checkpoint per level, and Algorithm 1 with the current line highlighted.

import { h, icon, say } from "../base/dom.js";
import { Spark } from "./spark.js";
import { ITERATE, KEPT, REDRAW, REVERTED, count, iterationOf, levelName, number, redrawn, restartsEnded, size } from "../base/words.js";

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} n */
function below(n) {
  return String(n).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)]);
}

/** @typedef {ReturnType<Cards["card"]>} Card */

export class Cards {
  /** @type {Layout} */ layout;
  /** @type {Card[]} by level, the lowest first */ cards = [];
  /** @type {Card[]} the cards with that of the optimiser as level 0 */ all = [];
  /** @type {Card} */ optimiser;
  spark = new Spark();

  constructor() {
    this.node = h("div", { class: "pv-cards", role: "group", "aria-label": "Checkpoints by level" });
  }

  /** Reuse the nodes for the next run if it has the same number of levels. @param {Layout} layout */
  set(layout) {
    this.layout = layout;
    if (this.cards.length !== layout.levels.length) this.build(layout.levels.length);
    layout.levels.forEach((level, i) => {
      const card = this.cards[i];
      card.size = level.size == null ? size(level) : `k${below(i + 1)} = ${size(level)}`;
      say(card.name, levelName(i + 1, layout));
      say(card.what, card.size);
    });
    say(this.optimiser.name, layout.optimiser);
  }

  /** @param {number} top */
  build(top) {
    const head = h("div", { class: "pv-card pv-card-head", "aria-hidden": "true" },
      h("span", { class: "pv-card-name" }, "level"), h("span", {}, "redraws"), h("span", {}, "done"), h("span", {}, "checkpoint"));
    this.cards = Array.from({ length: top }, (_, i) => this.card(i + 1 === top ? "full" : "partial"));
    this.optimiser = this.card("optimiser");
    this.optimiser.what.replaceWith(this.spark.node);
    this.all = [this.optimiser, ...this.cards];
    this.node.replaceChildren(head, ...[...this.all].reverse().map(({ node }) => node));
    this.node.style.setProperty("--pv-rows", String(this.all.length));
  }

  /** @param {"full" | "partial" | "optimiser"} kind */
  card(kind) {
    const parts = {
      name: h("span", { class: "pv-card-name" }),
      what: h("span", { class: "pv-card-what" }),
      done: h("span", { class: "pv-card-done" }, "–"),
      cost: h("span", { class: "pv-card-cost" }, "–"),
    };
    const picture = h("canvas", { class: "pv-card-picture", hidden: true, "aria-hidden": "true" });
    const bar = h("span", { class: "pv-card-bar" });
    const cost = h("span", { class: "pv-card-value" }, icon("rewind"), parts.cost);
    const node = h("div", { class: `pv-card pv-card-${kind}` }, ...(kind === "optimiser" ? [] : [picture]),
      parts.name, parts.what, h("span", { class: "pv-card-count" }, parts.done, bar), cost);
    return { node, bar, picture, size: "", ...parts };
  }

  /** Show that there is no configuration yet. */
  clear() {
    for (const card of this.all) {
      card.node.classList.remove("pv-active", "pv-back");
      card.bar.style.transform = "scaleX(0)";
      say(card.what, card.size);
      say(card.done, "–");
      say(card.cost, "–");
    }
    this.spark.show([]);
  }

  /**
   * Show the state of every level at a frame; `frames` are the frames of its call so far.
   * @param {Frame} frame @param {Frame[]} frames
   */
  show(frame, frames) {
    const { layout } = this;
    const active = frame.event === ITERATE ? 0 : frame.level;
    const decides = frame.event === KEPT || frame.event === REVERTED;
    this.all.forEach((card, level) => {
      card.node.classList.toggle("pv-active", level === active);
      const back = level === active && frame.event === REVERTED;
      if (back !== card.node.classList.contains("pv-back")) card.node.classList.toggle("pv-back", back);
    });
    layout.levels.forEach(({ repeats = 0 }, i) => {
      const card = this.cards[i];
      const closed = decides && i < frame.level && !frame.counters[i]; // after its decision, a level counts from 0 again
      const counted = i + 1 === layout.levels.length ? restartsEnded(frame, layout) : frame.counters[i];
      const done = closed && repeats ? repeats : counted;
      const redraw = frames.findLast(({ event, level }) => event === REDRAW && level === i + 1);
      const what = redraw && redraw.chosen.length !== layout.variables && redraw.chosen.length === 1
        ? redrawn(redraw.chosen, layout) : card.size;
      say(card.what, what);
      say(card.done, repeats ? `${count(done)} / ${short(repeats)}` : count(done));
      card.bar.style.transform = `scaleX(${repeats ? Math.min(1, done / repeats) : 0})`;
      const cost = frame.checkpoints[i];
      const back = card.node.classList.contains("pv-back");
      say(card.cost, Number.isFinite(cost) ? `${back ? "back to " : ""}${number(cost)}` : "none yet");
    });
    this.spark.show(frames);
    say(this.optimiser.done, frame.iteration ? `${iterationOf(layout)} ${count(frame.iteration)}` : "–");
    say(this.optimiser.cost, Number.isNaN(frame.cost) ? "–" : `now ${number(frame.cost)}`); // the optimiser has no checkpoint
  }
}

export class Algorithm {
  /** @type {HTMLElement[]} */ lines = [];

  constructor() {
    this.node = h("ol", { class: "pv-algorithm", hidden: true });
  }

  /** @param {Layout} layout */
  set(layout) {
    this.lines = layout.algorithm.map((line) => {
      const depth = line.length - line.trimStart().length;
      const [words, ...others] = line.trim().split("ₗ"); // few fonts have a visible subscript l
      return h("li", { style: `--pv-depth:${depth}` }, words, ...others.flatMap((more) => [h("sub", {}, "l"), more]));
    });
    this.node.replaceChildren(...this.lines);
    return this.lines.length > 0;
  }

  /** @param {number} line */
  show(line) {
    this.lines.forEach((node, i) => {
      const lit = i + 1 === line;
      if (lit === node.classList.contains("pv-lit")) return;
      node.classList.toggle("pv-lit", lit);
      if (lit) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      if (lit) this.reveal(node);
    });
  }

  /** Scroll only the list, so that a line is visible. @param {HTMLElement} line */
  reveal({ offsetTop: top, offsetHeight: height }) {
    const { node } = this;
    const lowest = top + height - node.clientHeight;
    node.scrollTop = Math.min(top, Math.max(lowest, node.scrollTop));
  }
}

/** Abbreviate a number: 50k for 50 000. @param {number} n */
function short(n) {
  return n >= 10000 && n % 1000 === 0 ? `${count(n / 1000)}k` : count(n);
}
