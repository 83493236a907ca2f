// The map of a tuning: one pane per α and sub-set, and one square per setting with k₁ to the right and M₁ upwards.

import { h, say, sharp } from "../base/dom.js";

const CELL = 56, LEAST = 30; // largest and smallest side of a cell in px
const LEFT = 62, TOP = 24, FOOT = 38, GAP = 18; // space around the cells of a pane and between panes in px
const SIDE = 0.94, FIRST = 0.5; // largest side of a square, as a share of its cell's side; smallest side, as a share of the largest
const PALE = 0.1; // opacity of the square with the worst score; the best score has 0.9

/** @typedef {[k1: number, m1: number, alpha: number, subset: number]} Place indices of a setting on the grid */
/** @typedef {{name: string, place: Place | null, m: number, n: number, dropped: number | null, same: number | null, seed: number, score?: number | null, says?: string, hits?: number}} Cell a setting and its results */
/** @typedef {{axes: Record<"k1" | "m1" | "alpha" | "subset", string[]>, cells: Cell[], rungs: number[], needed?: (number | null)[], leader: number | null, full: number | null, usual: number | null, whose: string, target: boolean, watched: boolean, finished?: boolean}} MapState */
/** @typedef {{name: string, columns: string[], rows: string[], of: [alpha: number, subset: number], x: number, y: number}} Pane */

/** Return the word on the leader's square; the leader is not called the best if it never reached the target. @param {Pick<Cell, "hits">} cell */
export const wordOf = ({ hits }) => (hits === 0 ? "leads" : "best");

export class SettingsMap {
  /** @type {MapState} */ shown;
  /** @type {Colours} */ colours;
  /** @type {number | null} the cell under the pointer or keys */ chosen = null;
  /** @type {number[]} cells outside the grid */ loose = [];
  /** @type {Map<number, Point>} positions of cells, in pixels */ places = new Map();
  side = CELL; // side length of a cell, in pixels
  stands = false; // whether settings that are not on the grid are drawn to the right of it

  /** `onChoose(cell)` is called when a setting is pressed. @param {{onChoose: (cell: Cell) => void}} listeners */
  constructor({ onChoose }) {
    this.onChoose = onChoose;
    this.canvas = h("canvas", { class: "pv-strips-canvas", tabindex: "0", role: "application",
      "aria-label": "All settings. Arrow keys move between settings, Enter plays the median run.",
      onpointermove: (event) => this.choose(this.nearest(event)), onpointerleave: () => this.choose(null),
      onclick: (event) => this.press(this.nearest(event)), onkeydown: (event) => this.key(event) });
    this.words = h("p", { class: "pv-strips-words", "aria-live": "polite" });
    this.key_ = h("p", { class: "pv-strips-words" });
    this.node = h("div", { class: "pv-strips pv-map" }, this.canvas, this.words, this.key_);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  /** @param {MapState} shown @param {Colours} colours */
  show(shown, colours) {
    this.shown = shown;
    this.colours = colours;
    this.tell();
    this.draw();
  }

  /** Return the panes by α and sub-set. */
  get panes() {
    const { axes, cells } = this.shown;
    /** @type {Pane[]} */
    const panes = [];
    axes.alpha.forEach((alpha, a) => axes.subset.forEach((subset, s) => {
      const named = [axes.alpha.length > 1 ? `α = ${alpha}` : "", axes.subset.length > 1 ? subset : ""];
      panes.push({ name: named.filter(Boolean).join(", "), columns: axes.k1, rows: axes.m1, of: [a, s], x: 0, y: 0 });
    }));
    this.loose = [...cells.keys()].filter((i) => !cells[i].place);
    return panes;
  }

  /** Lay out all panes, side by side if there is space. @param {number} width */
  arrange(width) {
    const { panes } = this;
    const { k1, m1 } = this.shown.axes;
    const beside = 96; // width in px of a setting that is not on the grid, with its name
    const side = Math.max(LEAST, Math.min(CELL, Math.floor((width - LEFT - GAP) / k1.length)));
    const across = LEFT + side * k1.length + GAP, high = TOP + side * m1.length + FOOT;
    const many = Math.max(1, Math.min(panes.length, Math.floor((width + GAP) / across)));
    this.side = side;
    this.places = new Map();
    panes.forEach((pane, p) => {
      pane.x = (p % many) * across + LEFT;
      pane.y = Math.floor(p / many) * high + TOP;
    });
    this.shown.cells.forEach(({ place }, i) => {
      if (!place) return;
      const pane = panes.find(({ of }) => of[0] === place[2] && of[1] === place[3]);
      if (pane) this.places.set(i, [pane.x + place[0] * side, pane.y + (m1.length - 1 - place[1]) * side]);
    });
    const rows = Math.ceil(panes.length / many), bottom = rows * high;
    const right = many * across + 8;
    const stands = width - right >= beside; // right of the grid if there is space, otherwise below
    this.loose.forEach((i, j) => this.places.set(i, stands
      ? [right, TOP + j * (side + 30)] : [LEFT + j * (side + 96), bottom]));
    const below = stands ? Math.max(bottom, TOP + this.loose.length * (side + 30)) : bottom + side + 8;
    this.stands = stands;
    return { panes, height: below };
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (!width || !this.shown?.cells) return;
    const { panes, height } = this.arrange(width);
    this.canvas.style.height = `${height}px`;
    const g = sharp(this.canvas, width, height);
    this.paint(g, panes);
    if (this.chosen !== null) this.outline(g, this.chosen, this.colours.ink, 1.5, [], -3);
  }

  /** Draw the map for print/paper.js; return its height. @param {Canvas} g @param {number} width @param {Colours} colours */
  print(g, width, colours) {
    /** @type {SettingsMap} */
    const paper = Object.assign(Object.create(this), { colours }); // a copy, because positions differ in print
    const { panes, height } = paper.arrange(width);
    paper.paint(g, panes);
    return height;
  }

  /** @param {Canvas} g @param {Pane[]} panes */
  paint(g, panes) {
    g.font = `${this.colours.small}px ${this.colours.font}`;
    for (const pane of panes) this.frame(g, pane);
    const scores = this.shown.cells.flatMap(({ score }) => score ?? []);
    /** @type {[least: number, most: number]} */
    const range = [Math.min(...scores), Math.max(...scores)];
    this.shown.cells.forEach((cell, i) => this.square(g, cell, i, range));
    this.loose.forEach((i) => this.name(g, i));
    this.formula(g, panes);
  }

  /**
   * Mark the formula's M₁ in each column, also between two rows, if the first pane has α = 0 and random sub-sets.
   * @param {Canvas} g @param {Pane[]} panes
   */
  formula(g, [pane]) {
    const { needed, cells, axes } = this.shown;
    if (!needed?.some((m) => m != null) || axes.alpha[0] !== "0" || axes.subset[0] !== "random") return;
    const at = (/** @type {number} */ i, /** @type {number} */ j) => cells.find(({ place }) => place?.join() === [i, j, 0, 0].join());
    needed.forEach((m, i) => {
      const rows = axes.m1.map((name, j) => Math.log(at(i, j)?.m ?? NaN));
      if (m == null || rows.some(Number.isNaN)) return;
      const order = rows.map((value, j) => /** @type {const} */ ([value, j])).sort(([a], [b]) => a - b);
      const above = order.findIndex(([value]) => value >= Math.log(m));
      const [low, high] = [order[above - 1] ?? order[0], order[above] ?? order[order.length - 1]];
      const share = high[0] > low[0] ? Math.min(1, Math.max(0, (Math.log(m) - low[0]) / (high[0] - low[0]))) : 0.5;
      const row = low[1] + share * (high[1] - low[1]);
      const x = pane.x + i * this.side, y = pane.y + (axes.m1.length - 0.5 - row) * this.side;
      for (const [colour, width] of /** @type {[string, number][]} */ ([[this.colours.ground, 6], [this.colours.kept, 3]])) {
        g.strokeStyle = colour;
        g.lineWidth = width;
        g.beginPath();
        for (const [from, to] of [[0.04, 0.26], [0.74, 0.96]]) { // two short lines, so that the text between them stays readable
          g.moveTo(x + from * this.side, y);
          g.lineTo(x + to * this.side, y);
        }
        g.stroke();
      }
    });
  }

  /** @param {Canvas} g @param {Pane} pane */
  frame(g, { name, columns, rows, x, y }) {
    const { side, colours } = this;
    g.strokeStyle = colours.line;
    g.lineWidth = 1;
    g.strokeRect(x - 0.5, y - 0.5, columns.length * side + 1, rows.length * side + 1);
    g.fillStyle = colours.ink;
    g.textAlign = "left";
    g.fillText(name, x, y - 8);
    g.fillStyle = colours.quiet;
    g.textAlign = "right";
    rows.forEach((text, j) => g.fillText(text, x - 6, y + (rows.length - 0.5 - j) * side + 4));
    g.fillText("M₁", x - 6, y - 8);
    g.textAlign = "center";
    columns.forEach((text, i) => g.fillText(text, x + (i + 0.5) * side, y + rows.length * side + 14));
    g.fillText("k₁", x + columns.length * side / 2, y + rows.length * side + 29);
    g.textAlign = "left";
  }

  /**
   * Draw a setting. Its opacity shows the score, its size the number of seeds.
   * @param {Canvas} g @param {Cell} cell @param {number} i @param {[best: number, worst: number]} range
   */
  square(g, cell, i, [best, worst]) {
    const [x, y] = this.at(i);
    const { side, colours, shown } = this;
    const { rungs } = shown;
    const size = side * (!cell.n ? 0.14
      : SIDE * (FIRST + (1 - FIRST) * Math.sqrt(Math.min(1, cell.n / rungs[rungs.length - 1]))));
    const [left, top] = [x + (side - size) / 2, y + (side - size) / 2];
    const good = cell.score == null ? 0 : worst > best ? (worst - cell.score) / (worst - best) : 1;
    g.lineWidth = 1;
    if (!cell.n) {
      g.fillStyle = colours.line;
      g.fillRect(left, top, size, size);
      return;
    }
    if (cell.score == null) { // no run has reached the target
      g.strokeStyle = colours.quiet;
      g.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
    } else {
      g.globalAlpha = PALE + (0.9 - PALE) * good;
      g.fillStyle = colours.ink;
      g.fillRect(left, top, size, size);
      g.globalAlpha = 1;
    }
    const dark = cell.score != null && good > 0.45;
    if (cell.dropped == null && i !== shown.leader && !shown.finished) this.hatch(g, left, top, size, dark);
    if (cell.dropped != null || cell.same != null) {
      g.fillStyle = dark ? colours.ground : colours.ink;
      g.textAlign = "center";
      g.fillText(cell.same != null ? "=" : `×${rungs[cell.dropped ?? 0]}`, x + side / 2, y + side / 2 + 4);
      g.textAlign = "left";
    }
    if (i === shown.full) this.outline(g, i, colours.full, 2.5, [6, 3], 1);
    if (i === shown.usual) this.outline(g, i, colours.partial, 2.5, [], 1);
    if (i === shown.leader) {
      this.outline(g, i, colours.ink, 2.5, [], -2);
      g.fillStyle = dark ? colours.ground : colours.ink;
      g.textAlign = "center";
      g.fillText(wordOf(cell), x + side / 2, y + side / 2 + 4);
      g.textAlign = "left";
    }
  }

  /** @param {Canvas} g @param {number} left @param {number} top @param {number} size @param {boolean} dark */
  hatch(g, left, top, size, dark) {
    g.save();
    g.beginPath();
    g.rect(left, top, size, size);
    g.clip();
    g.strokeStyle = dark ? this.colours.ground : this.colours.ink;
    g.globalAlpha = 0.55;
    g.beginPath();
    for (let d = -size; d < size; d += 7) {
      g.moveTo(left + d, top + size);
      g.lineTo(left + d + size, top);
    }
    g.stroke();
    g.restore();
  }

  /**
   * @param {Canvas} g @param {number} i @param {string} colour @param {number} width @param {number[]} dash
   * @param {number} inset
   */
  outline(g, i, colour, width, dash, inset) {
    const [x, y] = this.at(i);
    g.strokeStyle = colour;
    g.lineWidth = width;
    g.setLineDash(dash);
    const by = inset + 1;
    g.strokeRect(x + by, y + by, this.side - 2 * by, this.side - 2 * by);
    g.setLineDash([]);
  }

  /** Draw the name of a setting that is not on the grid, below or to the right of its square. @param {Canvas} g @param {number} i */
  name(g, i) {
    const [x, y] = this.at(i);
    const parts = this.shown.cells[i].name.split(", ");
    g.fillStyle = this.colours.quiet;
    if (this.stands) g.fillText(parts.join(", "), x, y + this.side + 14);
    else parts.forEach((part, j) => g.fillText(part, x + this.side + 6, y + 14 + 15 * j));
  }

  /** Return the top left corner of the cell of setting number i. @param {number} i @returns {Point} */
  at(i) {
    return this.places.get(i) ?? [0, 0];
  }

  /** @param {MouseEvent} event */
  nearest({ offsetX, offsetY }) {
    for (const [i, [x, y]] of this.places) {
      if (offsetX >= x && offsetX < x + this.side && offsetY >= y && offsetY < y + this.side) return i;
    }
    return null;
  }

  /** @param {number | null} i */
  choose(i) {
    if (i === this.chosen) return;
    this.chosen = i;
    this.canvas.style.cursor = i === null ? "default" : "pointer";
    this.tell();
    this.draw();
  }

  /** @param {number | null} i */
  press(i) {
    if (i !== null && this.shown.cells[i].n && this.shown.watched) this.onChoose(this.shown.cells[i]);
  }

  /** Write a description of the chosen setting, or an explanation of the marks, below the map. */
  tell() {
    const { shown } = this;
    const cell = this.chosen === null ? null : shown.cells[this.chosen];
    const measure = shown.target ? "expected work to the target" : "median cost";
    say(this.words, !cell ? `One square per setting. Press one to watch its median run.`
      : `${cell.name}: ${!cell.n ? "no runs yet" : `${measure} ${cell.says}${
        shown.target ? `, ${cell.hits} of ${cell.n} solved` : ""}, n = ${cell.n}`}${
        cell.dropped != null ? `; dropped after ${shown.rungs[cell.dropped]} seeds` : ""}${
        cell.same != null ? `; no run makes M₁ redraws, so the runs are the same as with ${shown.cells[cell.same].name}` : ""}.`);
    say(this.key_, `Stronger colour: ${shown.target ? "reaches the target sooner" : "lower cost"}. Larger: more seeds. `
      + `${shown.finished ? "" : "Hatched: undecided. "}×5: dropped as worse after 5 seeds. ${
        shown.cells.some(({ same }) => same != null) ? "=: no run makes M₁ redraws, so the runs are the same as with a smaller M₁. " : ""}${shown.target ? "Empty: never solved. " : ""}`
      + `Orange: ${shown.whose}; blue, dashed: full restarts.${shown.needed?.some((m) => m != null)
        ? " Green lines: M₁ = ln \u03b4 / ln (1 − \u03b5) at the leader's last local optimum, \u03b4 = 1\u202f%." : ""}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, Point>} */
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    if (event.key === "Enter") this.press(this.chosen);
    else if (steps[event.key]) this.choose(this.beyond(...steps[event.key]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Return the next setting in a direction; if none is chosen, return the leader. @param {number} right @param {number} down */
  beyond(right, down) {
    if (this.chosen === null) return this.shown.leader ?? 0;
    const [x, y] = this.at(this.chosen);
    let best = this.chosen, least = Infinity;
    for (const [i, [ax, ay]] of this.places) {
      const [along, off] = [(ax - x) * right + (ay - y) * down, Math.abs((ax - x) * down) + Math.abs((ay - y) * right)];
      if (along > 1 && along + 3 * off < least) [best, least] = [i, along + 3 * off];
    }
    return best;
  }

  close() {
    this.observer.disconnect();
  }
}
