// The picture of the second search (full restarts, or fewer levels): its best configuration after equal work.

import { bestAt, readFull } from "../run/full.js";
import { View, aspectOf, drawOn, layersOf } from "../scene/scene.js";
import { h, say } from "../base/dom.js";
import { foundAt, namesOf, standing } from "../base/words.js";

const REFRESH = 800; // milliseconds between requests while the search runs

export class FullPanel {
  /** @type {ShownRun | null} */ run = null;
  /** @type {FullRestarts | null} */ found = null;
  /** @type {Frame | null} the first redraw */ start = null;
  /** @type {Frame | null} the best after equal work */ best = null;
  /** @type {Frame | null} the frame to draw */ frame = null;
  /** @type {Frame | null} the frame drawn last */ drawn = null;
  aspect = 1;
  /** @type {Layer[]} */ layers = [];
  asking = false;
  asked = 0;
  known = "";
  key = "";

  /** `wake()` requests a redraw. @param {() => void} wake */
  constructor(wake) {
    this.wake = wake;
    this.head = new Standing("full");
    this.canvas = h("canvas", { role: "img", "aria-label": "Full restarts: no picture yet." });
    this.node = h("div", { class: "pv-full-picture" }, this.canvas);
    this.view = new View();
    this.observer = new ResizeObserver(() => this.wake());
    this.observer.observe(this.node);
  }

  /** Change to another run. @param {ShownRun} run */
  set(run) {
    this.run = run;
    this.found = this.start = this.best = this.frame = this.drawn = null;
    this.known = "";
    this.head.rename(run.layout);
    this.aspect = aspectOf(run.layout);
    this.layers = layersOf(run.layout, run.assets, run.fetch, () => {
      this.drawn = null;
      this.wake();
    });
  }

  /** Return true if the run has full restarts beside it. */
  get available() {
    return this.run?.projector.engine.head.full != null;
  }

  /** Fetch the results of full restarts again if the search has advanced. */
  async refresh() {
    const { run } = this;
    const { engine, source, onTrouble } = run?.projector ?? {};
    if (!run || !engine || !source?.full || this.asking || !this.available) return;
    const now = performance.now();
    const { state } = engine.head;
    const known = `${engine.calls} ${state}`;
    if (this.found && (this.known === known || state === "running" && now - this.asked < REFRESH)) return;
    Object.assign(this, { asking: true, asked: now, known });
    try {
      const found = readFull(await source.full(), run.layout);
      if (run === this.run) this.found = found;
      this.wake();
    } catch (error) {
      onTrouble?.(/** @type {Failure} */ (error), 0);
      return;
    } finally {
      this.asking = false;
    }
    if (!engine.active || run !== this.run) this.refresh(); // the search has ended meanwhile, or another run is shown
  }

  /**
   * Show the best of full restarts after the same work as the search at `frame`, or after all work if the
   * search has `ended`.
   * @param {Frame | null} frame @param {Axis} axis @param {Colours} colours @param {boolean} ended
   */
  show(frame, axis, colours, ended) {
    const { found, run } = this;
    if (!run || !frame || !found) return;
    if (frame.call === 1 && frame.sub === 0) this.start = frame; // both searches begin with the same redraw
    const best = bestAt(found, axis, ended ? Infinity : frame[axis]) ?? this.start ?? found.frames[0];
    if (!best) return;
    if (best !== this.best) {
      this.best = best;
      const { names, variables } = run.layout;
      this.frame = { ...best, chosen: names ? [] : [...new Array(variables).keys()] };
    }
    const turn = run.layout.names ? "call" : "restart";
    const value = best === this.start ? "–" : standing(best, run.layout);
    this.head.show(value, best === this.start ? `${turn} 1` : foundAt(turn, best.call));
    const text = `${this.head.label}: ${value}.`;
    if (this.canvas.getAttribute("aria-label") !== text) this.canvas.setAttribute("aria-label", text);
    this.draw(colours);
  }

  /** @param {Colours} colours */
  draw(colours) {
    const { view, canvas, node, frame } = this;
    const theme = Object.values(colours).join();
    Object.assign(view, { width: node.clientWidth, height: node.clientHeight,
      ratio: Math.min(2, devicePixelRatio || 1), colours, theme, aspect: this.aspect });
    if (!frame || !view.width || this.drawn === frame && this.key === view.key) return;
    this.drawn = frame;
    this.key = view.key;
    const [width, height] = [view.width, view.height].map((side) => Math.round(side * view.ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const { shape } of this.layers) if (shape) view.aspect = shape(view.width / Math.max(1, view.height - view.foot));
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    for (const layer of this.layers) layer.draw(g, view, stillOf(frame));
  }

  /** Draw the picture with its text for print; return its height. @param {any} g @param {number} width @param {Colours} colours */
  print(g, width, colours) {
    const { head, layers, frame, aspect } = this;
    if (!frame) return 0;
    const top = head.print(g, colours);
    g.translate(0, top);
    const height = drawOn(g, width, layers, stillOf(frame), { aspect, zoom: 1, centre: [0.5, 0.5], colours });
    this.drawn = null; // layers cache their last drawing, so draw the screen again
    return height + top;
  }

  close() {
    this.observer.disconnect();
  }
}

/** The header of one of two pictures: name, best cost, the call that found it, and the variables that are kept now. */
export class Standing {
  /** @param {"full" | "partial"} name */
  constructor(name) {
    this.name = this.colour = name;
    this.title = h("dt", {});
    this.value = h("dd", {}, "–");
    this.note = h("span", {});
    this.kept = h("span", {});
    this.rename({});
    this.node = h("dl", { class: `pv-standing pv-standing-${name}` },
      h("div", { class: "pv-metric" }, this.title, this.value, h("dd", { class: "pv-note" }, this.note, this.kept)));
  }

  /** Set the name and the colour of the search. @param {Pick<Layout, "names">} layout */
  rename(layout, colour = this.name) {
    this.colour = colour;
    this.label = namesOf(layout)[this.name];
    say(this.title, this.label);
  }

  /** @param {string} value @param {string} note */
  show(value, note, kept = "") {
    say(this.value, value);
    say(this.note, note);
    say(this.kept, kept);
  }

  /** Draw the header for print; return its height. @param {any} g @param {Colours} colours */
  print(g, colours) {
    const { small, font, ink } = colours;
    g.textAlign = "left";
    g.textBaseline = "alphabetic";
    g.font = `600 ${small}px ${font}`;
    g.fillStyle = colours[this.colour];
    g.fillText(this.label, 0, small);
    g.font = `${small}px ${font}`;
    g.fillStyle = ink;
    const told = [this.value, this.note, this.kept].map((node) => node.textContent).filter(Boolean);
    g.fillText(told.join(", "), 0, 2.4 * small);
    return 3 * small;
  }
}

/** Return the moment that shows a frame without motion. @param {Frame} frame @returns {Moment} */
function stillOf(frame) {
  return { before: frame, after: frame, t: 1, start: frame, origin: null, way: [] };
}
