// A pointer for an audience: while its key is held down, a dot with a trail follows the mouse.

import { h, sharp } from "../base/dom.js";

const LASTS = 900; // milliseconds until the trail has faded
const WIDE = 14, RIM = 4; // width of the dot and of its rim, in pixels

export class Pointer {
  /** @type {{x: number, y: number, at: number}[]} */ trail = [];
  /** @type {{x: number, y: number} | null} position of the mouse */ place = null;
  held = false;
  drawing = 0;
  colour = "";
  rim = "";

  constructor() {
    this.canvas = h("canvas", { class: "pv-pointer", "aria-hidden": "true", hidden: true });
    this.move = (/** @type {PointerEvent} */ { clientX: x, clientY: y }) => {
      this.place = { x, y };
      if (this.held) this.leave();
    };
    this.release = () => (this.held = false);
  }

  /** Start to record the mouse. */
  begin() {
    addEventListener("pointermove", this.move);
    for (const type of ["keyup", "blur"]) addEventListener(type, this.release);
  }

  end() {
    removeEventListener("pointermove", this.move);
    for (const type of ["keyup", "blur"]) removeEventListener(type, this.release);
    this.held = false;
    this.trail = [];
  }

  /** Show the pointer, because its key is held down. */
  hold() {
    if (this.held) return;
    this.held = true;
    this.colour = getComputedStyle(this.canvas).color;
    this.rim = getComputedStyle(this.canvas).outlineColor;
    this.leave();
  }

  leave() {
    if (this.place) this.trail.push({ ...this.place, at: performance.now() });
    this.drawing ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.drawing = 0;
    const now = performance.now();
    this.trail = this.trail.filter(({ at }, i, all) => now - at < LASTS || this.held && i === all.length - 1);
    this.canvas.hidden = !this.trail.length;
    if (this.canvas.hidden) return;
    this.paint(now);
    this.drawing = requestAnimationFrame(() => this.draw());
  }

  /** @param {number} now */
  paint(now) {
    const { canvas, trail } = this;
    const g = sharp(canvas, innerWidth, innerHeight);
    g.lineCap = "round";
    for (const { colour, less } of [{ colour: this.rim, less: 0 }, { colour: this.colour, less: RIM }]) {
      g.strokeStyle = colour;
      trail.slice(1).forEach(({ x, y, at }, i) => {
        const left = Math.max(0, 1 - (now - at) / LASTS);
        g.lineWidth = Math.max(0.5, left * WIDE - less);
        g.globalAlpha = left;
        g.beginPath();
        g.moveTo(trail[i].x, trail[i].y);
        g.lineTo(x, y);
        g.stroke();
      });
    }
    if (!this.held) return;
    const { x, y } = trail[trail.length - 1];
    g.globalAlpha = 1;
    g.beginPath();
    g.arc(x, y, WIDE / 2, 0, 2 * Math.PI);
    g.fillStyle = this.colour;
    g.fill();
    g.strokeStyle = this.rim;
    g.lineWidth = 2;
    g.stroke();
  }
}
