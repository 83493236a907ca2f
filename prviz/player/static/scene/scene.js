// The canvas, whose layers share one view that the user can zoom and move.

import { button } from "../base/buttons.js";
import { context, h, readColours, say } from "../base/dom.js";
import { LAYERS } from "./layers.js";
import { shapeFor } from "../base/shades.js";

const MOST_ZOOM = 40;
const FOOT = 26; // smallest height of the legend in pixels
const APART = 4; // pixels between text and picture
const LEGEND = 1.75; // smallest height of the legend as a multiple of the font size
const PRINTED = 300 / 96; // dots per pixel of printed bitmaps
const HIGHEST = 454; // largest height in pixels of a printed picture: 12 cm
const STILL = 5; // pixels that a finger may move in a tap
const ROOMY = 280; // width or height of the world, in pixels, from which on marks have their full size
const SMALLEST = 0.55; // size of marks in a small picture
const CHOOSABLE = { tabindex: "0", "aria-description": "Arrows choose, Enter shows, Escape closes." };

/** Maps the unit square of a picture to pixels, and leaves `foot` pixels free at the bottom. */
export class View {
  zoom = 1;
  width = 1;
  height = 1;
  ratio = 1; // dots per pixel
  aspect = 1; // width of the picture over its height
  /** @type {Colours} */ colours;
  theme = ""; // all colours as text
  /** @type {[u: number, v: number]} */ centre = [0.5, 0.5];

  constructor(foot = FOOT) {
    this.foot = foot;
  }

  reset() {
    this.zoom = 1;
    this.centre = [0.5, 0.5];
  }

  get fit() {
    return Math.min(this.width / this.aspect, this.height - this.foot) - 8;
  }

  /** Return the height of the zoomed picture in pixels. */
  get scale() {
    return this.fit * this.zoom;
  }

  /** Return the size of marks, which are smaller in a small picture, so that they do not cover each other. A zoom enlarges them. */
  get marks() {
    return Math.max(SMALLEST, Math.min(1, (this.fit * Math.sqrt(this.zoom) * Math.min(1, this.aspect)) / ROOMY));
  }

  get key() {
    return [this.width, this.height, this.foot, this.ratio, this.zoom, ...this.centre, this.theme].join();
  }

  /** @param {number} u */
  x(u) {
    return this.width / 2 + (u - this.centre[0]) * this.scale * this.aspect;
  }

  /** @param {number} v */
  y(v) {
    return (this.height - this.foot) / 2 - (v - this.centre[1]) * this.scale;
  }

  /**
   * Zoom by a factor around the point (px, py).
   * @param {number} factor @param {number} px @param {number} py
   */
  zoomAt(factor, px, py) {
    const zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor));
    const dx = px - this.width / 2, dy = (this.height - this.foot) / 2 - py;
    const shift = 1 / this.scale - 1 / (this.fit * zoom);
    this.centre[0] += (dx * shift) / this.aspect;
    this.centre[1] += dy * shift;
    this.zoom = zoom;
    this.hold();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.centre[0] -= dx / (this.scale * this.aspect);
    this.centre[1] += dy / this.scale;
    this.hold();
  }

  hold() {
    if (this.zoom === 1) this.centre = [0.5, 0.5];
    const within = (/** @type {number} */ c) => Math.max(0, Math.min(1, c));
    this.centre = [within(this.centre[0]), within(this.centre[1])];
  }
}

/**
 * @param {Layout} layout @param {Assets} assets @param {(name: string) => Promise<ArrayBuffer>} fetch
 * @param {() => void} onChange
 */
export function layersOf(layout, assets, fetch, onChange) {
  const known = layout.layers.filter((/** @type {any} */ { kind }) => LAYERS[kind]);
  return known.map((/** @type {any} */ spec) => {
    const layer = LAYERS[spec.kind]({ label: layout.noun[0], ...spec }, assets, fetch, onChange);
    return spec.shapes ? { ...layer, shape: shapeFor(spec.shapes) } : layer;
  });
}

/** Return the width of a picture divided by its height. @param {Layout} layout @returns {number} */
export function aspectOf({ aspect, world: { x, y } }) {
  return aspect ?? (x[1] - x[0]) / (y[1] - y[0]);
}

/**
 * Draw layers as a figure with a width in pixels; return its height.
 * @param {Canvas} g @param {number} width @param {Layer[]} layers @param {Shown} moment
 * @param {{aspect: number, [how: string]: any}} how
 */
export function drawOn(g, width, layers, moment, { aspect, ...how }) {
  const shaping = layers.find(({ shape }) => shape);
  const height = shaping ? 0.6 * width : Math.max(0.4 * width, Math.min(HIGHEST, width / aspect));
  const view = Object.assign(new View(0), { width, height, aspect, ratio: PRINTED, theme: "print" }, how);
  if (shaping?.shape) view.aspect = shaping.shape(width / height);
  g.save();
  g.beginPath();
  g.rect(0, 0, width, height);
  g.clip();
  for (const layer of layers) layer.draw(g, view, moment);
  g.restore();
  return height;
}

export class Scene {
  /** @type {Layer[]} */ layers = [];
  /** @type {LegendEntry[]} */ entries = [];
  /** @type {Shown | null} */ moment = null;
  /** @type {string | null} identifies the world of the last layout */ world = null;
  /** @type {Choice | null} */ choice = null;

  /** @param {HTMLElement} root @param {() => void} onChange @param {(text: string) => void} onSay */
  constructor(root, onChange, onSay) {
    this.root = root;
    this.onChange = onChange;
    this.onSay = onSay;
    this.canvas = h("canvas", { class: "pv-canvas", role: "img", "aria-label": "No picture yet." });
    this.legend = h("div", { class: "pv-legend", "aria-hidden": "true" });
    this.below = h("div", { class: "pv-key", "aria-hidden": "true" }); // the same legend, below the pictures on a phone
    this.tools = h("div", { class: "pv-tools" });
    this.shown = h("p", { class: "pv-shown", "aria-hidden": "true", hidden: true }); // the label of the canvas has the same text
    const foot = h("div", { class: "pv-foot" }, this.shown, this.legend, this.tools);
    this.node = h("div", { class: "pv-scene" }, this.canvas, foot);
    this.g = context(this.canvas);
    this.view = new View();
    this.drawn = 0; // number of drawings, for measurements
    this.bare = false; // whether to draw only points, because no search has started
    this.onPaint = () => {};
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.canvas);
    this.retheme();
    this.listen();
  }

  /**
   * Change the layers; keep the zoom if the ranges of the axes are the same.
   * @param {Layout} layout @param {Assets} assets @param {(name: string) => Promise<ArrayBuffer>} fetch
   */
  set(layout, assets, fetch) {
    const world = JSON.stringify(layout.world);
    if (this.world !== null && this.world !== world) this.view.reset();
    this.world = world;
    this.layers = layersOf(layout, assets, fetch, this.onChange);
    this.view.aspect = aspectOf(layout);
    this.shown.hidden = !layout.shown;
    say(this.shown, layout.shown ?? "");
    this.keepFoot();
    this.shape();
    this.choose(this.layers.find(({ choice }) => choice)?.choice ?? null);
    this.entries = [...this.layers].reverse().flatMap(({ legend }) => legend);
    for (const node of [this.legend, this.below]) node.replaceChildren(...this.entries.map(legendEntry));
    this.tools.replaceChildren(...this.layers.flatMap(({ tool }) => (tool ? [this.tool(tool)] : [])));
    this.moment = null;
  }

  /** Set the layer's choice (see layers.js), if any. @param {Choice | null} choice */
  choose(choice) {
    this.choice?.node.remove();
    this.choice = choice;
    this.canvas.classList.toggle("pv-choosable", choice !== null);
    for (const [name, value] of Object.entries(CHOOSABLE)) {
      if (choice) this.canvas.setAttribute(name, value);
      else this.canvas.removeAttribute(name);
    }
    if (choice) this.canvas.after(choice.node);
  }

  unchoose() {
    const closed = this.choice?.close() ?? false;
    if (closed) this.onChange();
    return closed;
  }

  /** @param {Frame} frame */
  follow(frame) {
    this.choice?.follow(frame);
  }

  /** @param {NonNullable<Layer["tool"]>} tool */
  tool({ label, title, press }) {
    const node = button({ class: "pv-lines", title, "aria-pressed": "false", onclick: () => {
      node.setAttribute("aria-pressed", String(press(this.moment ?? {})));
      this.onChange();
    } }, label);
    return node;
  }

  retheme(colours = readColours(this.root)) {
    this.view.colours = colours;
    this.keepFoot();
    this.view.theme = Object.values(this.view.colours).join();
    this.draw();
  }

  /** Reserve space for the legend and for the text above it. */
  keepFoot() {
    const seen = !this.node.isConnected || this.legend.offsetParent; // phones hide the legend
    const legend = seen ? Math.max(FOOT, Math.round(LEGEND * this.view.colours.small)) : 0;
    const words = this.shown.offsetHeight;
    this.view.foot = legend + (words && words + APART);
  }

  measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas; // the canvas is smaller than the node if there are tools above it
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { view, canvas } = this;
    if (!width || (view.width === width && view.height === height && view.ratio === ratio)) return;
    Object.assign(view, { width, height, ratio });
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    this.keepFoot();
    this.shape();
    this.draw(); // draw at once, so that a resize never shows a blank canvas
  }

  /** Let a layer choose the aspect ratio that fills the space best. */
  shape() {
    const { view } = this;
    for (const { shape } of this.layers) {
      if (shape) view.aspect = shape(view.width / Math.max(1, view.height - view.foot));
    }
  }

  draw(moment = this.moment) {
    this.moment = moment;
    this.drawn++;
    this.paint(this.g);
  }

  /** Return the same picture on a new canvas, `width` pixels wide. @param {number} width */
  picture(width) {
    const { view, moment } = this;
    const screen = view.ratio;
    view.ratio = width / view.width;
    const canvas = h("canvas", { width, height: Math.round(view.height * view.ratio) });
    this.paint(context(canvas));
    view.ratio = screen;
    this.draw(moment);
    return canvas;
  }

  /**
   * Draw the same picture for print with {@link drawOn}; return its height.
   * @param {Canvas} g @param {number} width @param {Colours} colours
   */
  print(g, width, colours) {
    const { zoom, centre, aspect } = this.view;
    const height = drawOn(g, width, this.layers, this.moment ?? {}, { zoom, centre, aspect, colours });
    this.shape(); // layers cache their last drawing, so set the shape of the screen again
    this.draw();
    return height;
  }

  /** @param {Canvas} g */
  paint(g) {
    const { view, moment } = this;
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    g.save();
    g.beginPath();
    g.rect(0, 0, view.width, view.height - view.foot); // the area above the legend
    g.clip();
    for (const layer of this.layers) if (!this.bare || layer.put) layer.draw(g, view, moment ?? {});
    g.restore();
    if (g === this.g) this.onPaint();
  }

  /** @param {string} text */
  describe(text) {
    if (this.canvas.getAttribute("aria-label") !== text) this.canvas.setAttribute("aria-label", text);
  }

  /** Describe a position of the canvas in a sentence. @param {number} x @param {number} y */
  hint(x, y) {
    for (const { hint } of this.layers) {
      const words = hint?.(x, y);
      if (words) return words;
    }
    return "";
  }

  changed() {
    // A finger moves a zoomed picture; if the picture is not zoomed, the finger scrolls the page.
    this.canvas.style.touchAction = this.view.zoom > 1 ? "none" : "pan-y";
    this.canvas.classList.toggle("pv-zoomed", this.view.zoom > 1);
    this.onChange();
  }

  listen() {
    const { canvas, view } = this;
    /** @type {Map<number, Point>} */
    const fingers = new Map();
    /** @type {Point | null} */
    let pressed = null; // position of a finger while it may still be a tap
    const place = /** @returns {Point} */ (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("wheel", (event) => {
      if (event.deltaY > 0 && view.zoom === 1) return; // let the page scroll
      event.preventDefault();
      view.zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), ...place(event));
      this.changed();
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      pressed = fingers.size || event.button ? null : place(event);
      fingers.set(event.pointerId, place(event));
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const old = fingers.get(event.pointerId);
      if (!old) {
        canvas.title = this.hint(...place(event));
        return;
      }
      const now = place(event);
      if (pressed && Math.hypot(now[0] - pressed[0], now[1] - pressed[1]) > STILL) pressed = null;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (/** @type {Point} */ [x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
        view.zoomAt(apart(now) / apart(old), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        view.pan((now[0] - old[0]) / 2, (now[1] - old[1]) / 2);
      } else view.pan(now[0] - old[0], now[1] - old[1]);
      fingers.set(event.pointerId, now);
      this.changed();
    });
    canvas.addEventListener("pointerup", () => {
      if (!pressed || !this.choice) return;
      this.choice.click(...pressed);
      this.onChange();
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const said = this.choice?.key(event.key) ?? null;
      if (said === null) return;
      event.preventDefault();
      this.onSay(said);
      this.onChange();
    });
    for (const type of ["focus", "blur"]) {
      canvas.addEventListener(type, () => {
        this.choice?.focus(canvas.matches(":focus-visible"));
        this.onChange();
      });
    }
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    canvas.addEventListener("dblclick", () => {
      view.reset();
      this.changed();
    });
  }

  close() {
    this.observer.disconnect();
  }
}

/** @param {LegendEntry} entry */
function legendEntry([shape, text, more]) {
  const entry = h("span", {}, h("span", {}, text, more ? h("span", { class: "pv-more" }, more) : ""));
  entry.insertAdjacentHTML("afterbegin", '<svg viewBox="0 0 16 16" width="14" height="14" ' +
    `fill="none" stroke="currentColor" stroke-width="1.5">${shape}</svg>`);
  return entry;
}
