// The panel beside the picture: the cost so far, or Algorithm 1.

import { button, choices, menu, tool } from "../base/buttons.js";
import { h, leisure, say } from "../base/dom.js";
import { iterationOf } from "../base/words.js";
import { Algorithm } from "../cards/cards.js";
import { Curve, axesOf } from "./curve.js";

const CURVE = 700; // milliseconds between new cost curves

/** @import { Projector } from "../run/projector.js" */

export class Panel {
  /** @type {Layout} */ layout;
  /** @type {Colours} */ colours;
  /**
   * `act` is the Controls object with the actions of the buttons; `wake` redraws the picture.
   * @param {import("./controls.js").Controls} act @param {() => void} wake
   */
  constructor(act, wake) {
    this.wake = wake;
    this.curve = new Curve();
    this.algorithm = new Algorithm();
    /** @type {string | null} */ this.axis = null; // the unit of work that the user has chosen
    this.beside = "";
    /** @type {{projector?: Projector, calls?: number, beside?: string, at?: number, curve?: PlotlyFigure}} */
    this.drawn = {}; // the state of the curve: {projector, calls, beside, at}
    /** @type {Projector | null} */ this.refreshing = null; // the projector whose curve is being fetched
    const toggle = { class: "pv-lines", "aria-pressed": "false", onclick: () => this.open() };
    this.lines = button(toggle, "Algorithm 1");
    this.steps = h("div", { role: "group", "aria-label": "Lines of Algorithm 1", hidden: true },
      tool("frameBack", "Back one line", ",", () => act.line(-1)),
      tool("frameForward", "Forward one line", ".", () => act.line(1)));
    this.title = h("h2", {}, "Cost so far");
    this.work = menu("Work on the axis", {}, "", (axis) => this.along(axis));
    this.work.hidden = true;
    this.node = h("div", { class: "pv-panel" },
      h("div", { class: "pv-panel-head" }, this.title, this.steps, this.work, this.lines),
      this.curve.node, this.algorithm.node);
  }

  /** Set the labels for another run. @param {Layout} layout */
  set(layout) {
    this.layout = layout;
    this.lines.hidden = !this.algorithm.set(layout);
  }

  /** Before the first call, highlight no line of Algorithm 1 and mark no point of the curve. */
  blank() {
    this.algorithm.show(0);
    this.curve.mark(null);
  }

  /**
   * Update the cost curve at intervals; `beside` has the names of the other methods in the curve.
   * @param {Projector} projector @param {string} beside @param {Colours} colours
   */
  async follow(projector, beside, colours) {
    const { engine, source } = projector;
    const { drawn } = this;
    const now = performance.now();
    Object.assign(this, { beside, colours });
    const same = drawn.projector === projector;
    if (same && engine.calls === drawn.calls && beside === drawn.beside) return;
    if (this.refreshing === projector || same && engine.active && now - (drawn.at ?? 0) < CURVE) return;
    this.refreshing = projector;
    await leisure();
    const { calls } = engine;
    try {
      const figure = projector.closed ? null : await source.curve();
      if (projector.closed) return;
      await this.show(figure, this.colours); // the theme may have changed meanwhile
    } catch (error) {
      projector.onTrouble(/** @type {Failure} */ (error), 0);
    }
    if (projector.closed) return;
    this.refreshing = null;
    this.drawn = { projector, calls, beside, at: now };
    if (!engine.active) this.follow(projector, this.beside, this.colours);
  }

  /**
   * Draw a cost curve. Its axis is the unit of work that the user has chosen, if the curve has this unit.
   * @param {PlotlyFigure} figure @param {Colours} colours
   */
  show(figure, colours) {
    this.colours = colours;
    const axes = axesOf(figure);
    const axis = axes.find((name) => name === this.axis) ?? this.layout.curve_axis;
    this.work.hidden = axes.length < 2 || !this.algorithm.node.hidden;
    this.fill(axes, axis);
    return this.curve.show(figure, colours, axis);
  }

  /** @param {Colours} colours */
  retheme(colours) {
    this.colours = colours;
    if (this.curve.whole) this.curve.show(this.curve.whole, colours, this.curve.axis);
  }

  /**
   * Set the choices of the unit of work: iterations or time.
   * @param {string[]} axes @param {string} axis
   */
  fill(axes, axis) {
    const names = axes.map((name) => [name, name === "seconds" ? (this.layout.wall_clock ? "by time" : "by CPU time") : `by ${iterationOf(this.layout)}s`]);
    if (String(names) !== this.named) this.work.replaceChildren(...choices(Object.fromEntries(names), axis));
    this.named = String(names);
    if (axes.length) this.work.value = axis;
  }

  /** @param {string} axis */
  along(axis) {
    this.axis = axis;
    if (this.curve.whole) this.show(this.curve.whole, this.colours);
    this.wake();
  }

  close() {
    this.curve.close();
  }

  /** Show Algorithm 1 in place of the curve, or the curve again. */
  open(open = this.algorithm.node.hidden) {
    if (open !== this.algorithm.node.hidden) return;
    this.algorithm.node.hidden = this.steps.hidden = !open;
    this.curve.node.hidden = open;
    this.work.hidden = open || axesOf(this.curve.whole).length < 2;
    this.lines.setAttribute("aria-pressed", String(open));
    say(this.title, open ? "Algorithm 1" : "Cost so far");
    this.wake();
  }

  /**
   * Highlight the frame's line of Algorithm 1. Mark the frame on the curve, except if the story is `over`.
   * @param {Frame} frame @param {Line} line @param {boolean} over
   */
  mark(frame, { line, level }, over) {
    this.curve.mark(over ? null : frame[this.curve.axis]);
    this.algorithm.show(line);
    if (this.algorithm.node.hidden) return;
    say(this.title, `l = ${level}${level === this.layout.levels.length ? ", a restart" : ""}`);
  }
}
