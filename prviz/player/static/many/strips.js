// The present state of every run: one lane per contender, one dot per seed, and solved runs on the left.

import { themed } from "../stage/curve.js";
import { h, say, sharp } from "../base/dom.js";
import { capital, number, percent } from "../base/words.js";

const LANE = 52, LABEL = 18, FOOT = 22; // height in px of a lane, of its name, and of the axis
const SIDE = 10, SOLVED = 72; // width in px of the margin, and of the space for solved runs
const NEAR = 12; // largest distance in px between pointer and dot
const EASE = 0.4; // share of the remaining distance that a dot moves each time the strips are drawn
const STEP = 60; // ms between two drawings; drawing a thousand dots more often would take a core from the search

/** @typedef {{name: string, colour: string, seeds: number[], watched: boolean, gaps: (number | null)[], hit: string}} Lane data of a contender from the server */
/** @typedef {Lane & {drawn: Point[]}} DrawnLane */
/** @typedef {[lane: number, i: number]} Dot */

export class Strips {
  /** @type {DrawnLane[]} */ lanes = [];
  /** @type {Dot | null} the dot under the pointer or keys */ at = null;
  /** @type {Colours} */ colours;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ due;
  gaps = false; // whether the axis has gaps to the best known cost
  zero = false; // whether the best known cost is 0
  target = false;
  cost = "";

  /**
   * `onChoose(lane, seed)` is called when a dot is pressed.
   * @param {{onChoose: (lane: string, seed: number) => void}} listeners
   */
  constructor({ onChoose }) {
    this.onChoose = onChoose;
    this.canvas = h("canvas", { class: "pv-strips-canvas", tabindex: "0", role: "application",
      "aria-label": "All runs by gap. Arrow keys move between runs, Enter plays one.",
      onpointermove: (event) => this.choose(this.nearest(event)), onpointerleave: () => this.choose(null),
      onclick: (event) => this.press(event), onkeydown: (event) => this.key(event) });
    this.words = h("p", { class: "pv-strips-words", "aria-live": "polite" });
    this.node = h("div", { class: "pv-strips" }, this.canvas, this.words);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** @param {Lane[]} lanes @param {Pick<Strips, "gaps" | "zero" | "cost" | "target" | "colours">} about */
  show(lanes, about) {
    Object.assign(this, about);
    const before = this.lanes;
    this.lanes = lanes.map((lane, i) => ({ ...lane, drawn: before[i]?.drawn ?? [] }));
    this.canvas.style.height = `${LANE * lanes.length + FOOT}px`;
    this.tell();
    this.draw();
  }

  /** Return the radius of a dot. */
  get radius() {
    return 3.2;
  }

  /** Return the gaps at both ends of the axis, as exponents of ten. */
  get range() {
    const seen = this.lanes.flatMap(({ gaps, hit }) =>
      gaps.flatMap((gap, i) => (gap !== null && gap > 0 && !(this.target && hit[i] === "1") ? gap : [])));
    const low = Math.floor(Math.log10(Math.min(...seen, 1)));
    const high = Math.ceil(Math.log10(Math.max(...seen, 10 ** low * 10)));
    return [Math.max(low, -8), Math.max(high, Math.max(low, -8) + 1)];
  }

  /** @param {Lane} lane @param {number} i @returns {Point} */
  place(lane, i, width = this.canvas.clientWidth) {
    const [low, high] = this.range;
    const left = this.target ? SOLVED : SIDE;
    const gap = lane.gaps[i];
    const through = this.target && lane.hit[i] === "1";
    const share = gap == null ? 1 : gap > 0 ? (Math.log10(gap) - low) / (high - low) : 0;
    const spread = ((lane.seeds[i] * 0.618034) % 1) - 0.5; // spreads the dots of a lane vertically
    const across = ((lane.seeds[i] * 0.754878) % 1) - 0.5;
    return [
      through ? SOLVED / 2 + across * (SOLVED - 28) : left + Math.max(0, Math.min(1, share)) * (width - left - SIDE),
      LABEL + (LANE - LABEL) / 2 + spread * (LANE - LABEL - 10),
    ];
  }

  draw() {
    clearTimeout(this.due);
    const { clientWidth: width } = this.canvas;
    if (!width || !this.lanes.length) return;
    const g = sharp(this.canvas);
    let moving = false;
    this.paint(g, width, (lane, i) => {
      const [x, y] = this.place(lane, i);
      const from = lane.drawn[i] ?? [x, y];
      /** @type {Point} */
      const now = this.calm.matches || Math.abs(from[0] - x) < 0.5 ? [x, y]
        : [from[0] + EASE * (x - from[0]), y];
      moving ||= now[0] !== x;
      return (lane.drawn[i] = now);
    });
    this.ring(g);
    if (moving) this.due = setTimeout(() => this.draw(), STEP);
  }

  /**
   * Draw the strips for print/paper.js, with every dot at its final position; return the height.
   * @param {Canvas} g @param {number} width @param {Colours} colours
   */
  print(g, width, colours) {
    /** @type {Strips} */
    const paper = Object.assign(Object.create(this), { colours });
    paper.paint(g, width, (lane, i) => this.place(lane, i, width));
    return LANE * this.lanes.length + FOOT;
  }

  /** @param {Canvas} g @param {number} width @param {(lane: DrawnLane, i: number) => Point} at */
  paint(g, width, at) {
    g.font = `${this.colours.small}px ${this.colours.font}`;
    g.lineWidth = 1;
    this.lanes.forEach((lane, row) => {
      const top = row * LANE;
      g.strokeStyle = this.colours.line;
      g.beginPath();
      g.moveTo(0, top + LANE - 0.5);
      g.lineTo(width, top + LANE - 0.5);
      g.stroke();
      g.fillStyle = this.colours.ink;
      const solved = [...lane.hit].filter((one) => one === "1").length;
      const count = this.target ? `: ${solved} of ${lane.seeds.length} solved` : `: ${lane.seeds.length} run${lane.seeds.length === 1 ? "" : "s"}`;
      g.fillText(`${capital(lane.name)}${count}`, 0, top + 13);
      g.fillStyle = themed(lane.colour, this.colours);
      lane.seeds.forEach((seed, i) => {
        const [x, y] = at(lane, i);
        g.globalAlpha = 0.65;
        g.beginPath();
        g.arc(x, top + y, this.radius, 0, 2 * Math.PI);
        g.fill();
      });
      g.globalAlpha = 1;
    });
    this.scale(g, width);
  }

  /** @param {Canvas} g @param {number} width */
  scale(g, width) {
    const [low, high] = this.range;
    const left = this.target ? SOLVED : SIDE;
    const y = this.lanes.length * LANE + 15;
    g.fillStyle = this.colours.quiet;
    if (this.target) g.fillText("solved", SIDE, y);
    const step = Math.ceil((high - low) / Math.max(1, Math.floor((width - left) / 90)));
    for (let power = low; power <= high; power += step) {
      const x = left + ((power - low) / (high - low)) * (width - left - SIDE);
      g.textAlign = power === low ? "left" : power + step > high ? "right" : "center";
      const label = this.zero ? number(10 ** power, 1)
        : power + 2 < -3 ? percent(10 ** power) : `${10 ** (power + 2)}\u202f%`;
      g.fillText(label, x, y);
    }
    g.textAlign = "left";
  }

  /** @param {Canvas} g */
  ring(g) {
    if (!this.at) return;
    const [row, i] = this.at;
    const at = this.lanes[row]?.drawn[i];
    if (!at) return;
    g.strokeStyle = this.colours.ink;
    g.lineWidth = 1.5;
    g.beginPath();
    g.arc(at[0], row * LANE + at[1], this.radius + 3.3, 0, 7);
    g.stroke();
  }

  /** @param {MouseEvent} event @returns {Dot | null} */
  nearest({ offsetX, offsetY }) {
    /** @type {Dot | null} */
    let best = null;
    let least = NEAR;
    this.lanes.forEach((lane, row) => lane.drawn.forEach(([x, y], i) => {
      const far = Math.hypot(x - offsetX, row * LANE + y - offsetY);
      if (far < least) [best, least] = [[row, i], far];
    }));
    return best;
  }

  /** @param {Dot | null} at */
  choose(at) {
    if (String(at) === String(this.at)) return;
    this.at = at;
    this.canvas.style.cursor = at ? "pointer" : "default";
    this.tell();
    this.draw();
  }

  get meaning() {
    return `One dot per run at its present ${this.zero ? this.cost : `gap to the best ${this.gaps ? "known" : "of this race"}`}.`;
  }

  /** Write a description of the chosen run, or an explanation of the dots, below the strips. */
  tell() {
    const [row, i] = this.at ?? [-1, 0];
    const lane = this.lanes[row];
    say(this.words, lane
      ? `${capital(lane.name)}, seed ${lane.seeds[i]}: ${
        this.zero ? `${this.cost} ${number(lane.gaps[i])}` : `gap ${percent(lane.gaps[i])}`}.${
        lane.watched ? " Press to watch this run." : " This method cannot be played."}`
      : `${this.meaning} Press a dot to watch its run.`);
  }

  /** @param {MouseEvent} event */
  press(event) {
    const at = this.nearest(event);
    if (at) this.watch(at);
  }

  /** @param {Dot} dot */
  watch([row, i]) {
    const { name, seeds, watched } = this.lanes[row];
    if (watched) this.onChoose(name, seeds[i]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const n = this.lanes[0]?.seeds.length ?? 0;
    if (!n) return;
    const [row, i] = this.at ?? [0, -1];
    /** @type {Record<string, Dot>} */
    const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    if (event.key === "Enter" && this.at) this.watch(this.at);
    else if (steps[event.key]) {
      const [down, right] = steps[event.key];
      this.choose([
        (row + down + this.lanes.length) % this.lanes.length, Math.max(0, (i + right + n) % n)]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    clearTimeout(this.due);
    this.observer.disconnect();
  }
}
