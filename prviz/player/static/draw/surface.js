// The drawing surface, a canvas over the picture with a pen for pointer, touch and keys.

import { context, h } from "../base/dom.js";
import { SIDE } from "./dots.js";

const STEP = 16, LEAP = 64; // steps of the pen by keys, in units of the grid
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const MARGIN = 6; // pixels around the square
const TOLD = "Drawing surface: arrows move the pen, Enter draws, Delete erases, Escape leaves the surface.";

/**
 * @typedef {{begin(): void, draw(place: Point, milliseconds: number | null): void, end(keyed?: boolean): void, erase(place: Point): void, moved(place: Point): void, undo(): void, redo(): void, leave(): void}} Act
 */

export class Surface {
  /** @type {Point | null} position of the pen on the grid */ at = null;
  /** @type {Point} position of the pen when keys move it */ keyed = [SIDE / 2, SIDE / 2];
  /** @type {number | null} id of the pointer that draws */ finger = null;
  byKeys = false;
  drawn = 0; // time of the last spray
  going = 0;

  /**
   * `pen` is the present tool: {tool, radius}. `act` has the actions: begin(), draw(place, milliseconds), end(),
   * erase(place), undo(), redo(), leave().
   * @param {{view: PictureView, canvas: HTMLCanvasElement}} scene @param {{tool: string, radius: number, rate: number}} pen
   * @param {Act} act
   */
  constructor(scene, pen, act) {
    this.scene = scene;
    this.pen = pen;
    this.act = act;
    this.canvas = h("canvas", { class: "pv-surface", tabindex: "0", role: "application", "aria-label": TOLD,
      "data-own-keys": true, hidden: true });
    this.g = context(this.canvas);
    this.listen();
  }

  get drawing() {
    return this.finger !== null;
  }

  /** Convert pixels to a position on the grid. @param {MouseEvent} event @returns {Point} */
  place(event) {
    const { view } = this.scene;
    const box = this.canvas.getBoundingClientRect();
    const u = (event.clientX - box.left - view.x(0)) / (view.x(1) - view.x(0));
    const v = (event.clientY - box.top - view.y(0)) / (view.y(1) - view.y(0));
    return [u * (SIDE - 1), v * (SIDE - 1)];
  }

  listen() {
    const { canvas, act } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || this.drawing) return;
      event.preventDefault();
      this.byKeys = false;
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      this.finger = event.pointerId;
      this.at = this.place(event);
      act.begin();
      act.draw(this.at, null);
      this.drawn = performance.now();
      this.goOn();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.drawing && event.pointerId !== this.finger) return;
      this.byKeys = false;
      for (const each of event.getCoalescedEvents?.() ?? []) this.passed(this.place(each));
      this.passed(this.place(event));
      this.draw();
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      canvas.addEventListener(end, (event) => {
        if (event.pointerId !== this.finger) return;
        this.finger = null;
        cancelAnimationFrame(this.going);
        act.end();
        if (event.pointerType !== "mouse") this.at = null;
        this.draw();
      });
    }
    canvas.addEventListener("pointerleave", () => {
      if (this.drawing || this.byKeys) return;
      this.at = null;
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => { // pass the event to the picture, which zooms
      const same = new WheelEvent(event.type, event);
      if (!this.scene.canvas.dispatchEvent(same)) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.press(event));
    canvas.addEventListener("focus", () => {
      this.byKeys = canvas.matches(":focus-visible") && !this.drawing;
      if (this.byKeys) this.at ??= this.keyed;
      this.draw();
    });
    canvas.addEventListener("blur", () => {
      if (this.byKeys) this.at = null;
      this.byKeys = false;
      this.draw();
    });
  }

  /** @param {Point} place */
  passed(place) {
    this.at = place;
    if (this.drawing && this.pen.tool === "erase") this.act.draw(place, 0);
  }

  /** Spray while the button is held down. */
  goOn() {
    if (this.pen.tool !== "spray") return;
    this.going = requestAnimationFrame((now) => {
      if (!this.drawing || !this.at) return;
      this.act.draw(this.at, Math.max(0, now - this.drawn));
      this.drawn = now;
      this.goOn();
    });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (altKey) return;
    const by = ARROWS[key];
    const { act } = this;
    if (ctrlKey || metaKey) {
      const letter = key.toLowerCase();
      if (letter === "y" || letter === "z" && shiftKey) act.redo();
      else if (letter === "z") act.undo();
      else return;
    } else if (by) {
      this.byKeys = true;
      const far = shiftKey ? LEAP : STEP;
      const from = this.at ?? this.keyed;
      const moved = (/** @type {0 | 1} */ axis) => Math.max(0, Math.min(SIDE - 1, from[axis] + far * by[axis]));
      this.keyed = this.at = [moved(0), moved(1)];
      act.moved(this.at);
    } else if (key === "Enter" || key === " " || key === "Delete" || key === "Backspace") {
      this.byKeys = true;
      this.at ??= this.keyed;
      act.begin();
      if (key === "Enter" || key === " ") act.draw(this.at, null);
      else act.erase(this.at);
      act.end(true);
    } else if (key === "Escape") act.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  /** Draw the edge of the surface, and the pen. */
  draw() {
    const { g, canvas, at, pen, scene: { view } } = this;
    if (canvas.hidden) return;
    canvas.classList.toggle("pv-keyed", this.byKeys === true);
    const [width, height] = [view.width * view.ratio, view.height * view.ratio].map(Math.round);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    const [left, right, top, bottom] = [view.x(0), view.x(1), view.y(1), view.y(0)];
    g.strokeStyle = view.colours.line;
    g.lineWidth = 1;
    g.strokeRect(left - MARGIN / 2, top - MARGIN / 2, right - left + MARGIN, bottom - top + MARGIN);
    if (!at) return;
    const [x, y] = [view.x(at[0] / (SIDE - 1)), view.y(at[1] / (SIDE - 1))];
    const radius = pen.tool === "point" ? 4 : (pen.radius * (right - left)) / (SIDE - 1);
    g.strokeStyle = view.colours.ink;
    g.lineWidth = this.drawing ? 2 : 1.25;
    g.setLineDash(pen.tool === "erase" ? [4, 3] : []);
    g.beginPath();
    g.arc(x, y, radius, 0, 2 * Math.PI);
    g.stroke();
    g.setLineDash([]);
    if (!this.byKeys) return;
    g.beginPath();
    for (const [dx, dy] of [[1, 0], [0, 1]]) {
      g.moveTo(x - 7 * dx, y - 7 * dy);
      g.lineTo(x + 7 * dx, y + 7 * dy);
    }
    g.stroke();
  }
}
