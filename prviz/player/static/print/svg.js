// A canvas context that writes SVG. It has only the methods that scenes need.

import { context, h } from "../base/dom.js";
import { hexOf } from "./colours.js";

const FONT = /^(?:(\w+) )?([\d.]+)px (.+)$/;
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const LOWERED = { alphabetic: 0, top: 0.93, middle: 0.35, bottom: -0.24 }; // distance from y to the baseline, in ems of the printed font

/** The fields that `save` stores. */
class State {
  fillStyle = "#000000";
  strokeStyle = "#000000";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "10px sans-serif";
  /** @type {keyof typeof ANCHORS} */ textAlign = "start";
  /** @type {keyof typeof LOWERED} */ textBaseline = "alphabetic";
  imageSmoothingEnabled = true;
  /** @type {number[]} */ dashes = [];
  x = 0; // the origin
  y = 0;
  groups = 0; // number of open groups with a clip
}

export class SvgContext extends State {
  vector = true; // layers read this field to know that they are printed
  /** @type {string[]} */ parts = [];
  /** @type {State[]} */ states = [];
  /** @type {string | null} */ shared = null; // style of the open group
  clips = 0;
  /** @type {string[]} */ path = [];
  /** @type {string | null} */ single = null; // the path as an element, if it is a circle or rectangle
  ruler = context(h("canvas"));

  /** Return all drawn shapes as SVG elements. */
  get markup() {
    return `${this.parts.join("")}${this.shared === null ? "" : "</g>"}${"</g>".repeat(this.groups)}`;
  }

  // State

  save() {
    const state = new State();
    for (const name of Object.keys(state)) Reflect.set(state, name, Reflect.get(this, name));
    this.states.push(state);
  }

  restore() {
    const state = this.states.pop();
    if (!state) return;
    this.close();
    this.parts.push("</g>".repeat(this.groups - state.groups));
    Object.assign(this, state);
  }

  /** @param {number} dx @param {number} dy */
  translate(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /** @param {number[]} dashes */
  setLineDash(dashes) {
    this.dashes = dashes;
  }

  // Paths

  beginPath() {
    this.path = [];
    this.single = null;
  }

  /** @param {string} command @param {...number} numbers */
  to(command, ...numbers) {
    const placed = numbers.map((value, i) => short(value + (i % 2 ? this.y : this.x)));
    this.path.push(`${command}${placed.join(" ")}`);
    this.single = null;
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.to("M", x, y);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.to(this.path.length ? "L" : "M", x, y);
  }

  /** @param {...number} points */
  quadraticCurveTo(...points) {
    this.to("Q", ...points);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.roundRect(x, y, width, height, 0);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} round */
  roundRect(x, y, width, height, round) {
    const alone = !this.path.length;
    const r = short(round), corner = round ? `a${r} ${r} 0 0 1 ` : "l";
    const arc = (/** @type {number} */ dx, /** @type {number} */ dy) => (round ? `${corner}${short(dx)} ${short(dy)}` : "");
    this.to("M", x + round, y);
    this.path.push(`h${short(width - 2 * round)}${arc(round, round)}v${short(height - 2 * round)}${arc(-round, round)}`
      + `h${short(2 * round - width)}${arc(-round, -round)}v${short(2 * round - height)}${arc(round, -round)}z`);
    if (alone) this.single = box(x + this.x, y + this.y, width, height, r);
  }

  /** @param {number} x @param {number} y @param {number} radius @param {number} from @param {number} to */
  arc(x, y, radius, from, to) {
    const alone = !this.path.length;
    const whole = Math.abs(to - from) >= 2 * Math.PI - 1e-9;
    const at = /** @returns {Point} */ (/** @type {number} */ angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    this.lineTo(...at(from));
    const r = short(radius);
    const ends = whole ? [from + Math.PI, from + 2 * Math.PI] : [to];
    for (const end of ends) {
      const [ex, ey] = at(end);
      const large = !whole && to - from > Math.PI ? 1 : 0;
      this.path.push(`A${r} ${r} 0 ${large} 1 ${short(ex + this.x)} ${short(ey + this.y)}`);
    }
    if (whole && alone) this.single = `<circle cx="${short(x + this.x)}" cy="${short(y + this.y)}" r="${r}"/>`;
  }

  clip() {
    this.close();
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}">${this.shape}</clipPath><g clip-path="url(#${id})">`);
    this.groups++;
  }

  get shape() {
    return this.single ?? `<path d="${this.path.join("")}"/>`;
  }

  fill() {
    this.put(this.inFill, this.shape);
  }

  stroke() {
    this.put(this.inStroke, this.shape);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.put(this.inFill, box(x + this.x, y + this.y, width, height));
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.put(this.inStroke, box(x + this.x, y + this.y, width, height));
  }

  clearRect() {} // the paper is already white

  // Text and pictures

  /** @param {string} text */
  measureText(text) {
    this.ruler.font = this.font;
    this.ruler.textRendering = "geometricPrecision"; // measure text as it will be printed
    return this.ruler.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.words(this.inFill, text, x, y);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.words(this.inStroke, text, x, y);
  }

  /** @param {string} style @param {string} text @param {number} x @param {number} y */
  words(style, text, x, y) {
    const [, weight = "400", size, family] = /** @type {RegExpExecArray} */ (FONT.exec(this.font));
    const baseline = y + this.y + LOWERED[this.textBaseline] * Number(size);
    const type = `font-size="${size}" font-weight="${weight}" font-family="${escaped(family)}"`;
    const anchor = `text-anchor="${ANCHORS[this.textAlign]}"`;
    this.put(`${style} ${type} ${anchor}`,
      `<text x="${short(x + this.x)}" y="${short(baseline)}">${escaped(String(text))}</text>`);
  }

  /**
   * Draw a canvas, or a part of it, as an embedded picture.
   * @param {HTMLCanvasElement} image @param {...number} places
   */
  drawImage(image, ...places) {
    const [left, top, wide, high, x, y, width, height] = places.length > 4 ? places
      : [0, 0, image.width, image.height, ...places];
    const part = h("canvas", { width: Math.round(wide), height: Math.round(high) });
    context(part).drawImage(image, left, top, wide, high, 0, 0, part.width, part.height);
    const sharp = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
    this.put(`opacity="${this.globalAlpha}"`,
      `<image x="${short(x + this.x)}" y="${short(y + this.y)}" width="${short(width)}" height="${short(height)}" `
      + `preserveAspectRatio="none"${sharp} href="${part.toDataURL()}"/>`);
  }

  /**
   * Draw a mark of a legend: shapes in a square of 16 × 16, as on the page.
   * @param {string} shapes @param {number} x @param {number} y @param {number} size @param {Colours} colours
   */
  mark(shapes, x, y, size, colours) {
    const coloured = shapes.replace(/var\(--pv-(\w+)\)/g, (_, name) => hexOf(colours[name]).hex);
    const ink = hexOf(colours.quiet).hex;
    this.put(`fill="none" stroke="${ink}" color="${ink}" stroke-width="1.5"`,
      `<g transform="translate(${short(x + this.x)} ${short(y + this.y)}) scale(${short(size / 16)})">${coloured}</g>`);
  }

  // Output

  get inFill() {
    const { hex, alpha } = hexOf(this.fillStyle);
    return `fill="${hex}" fill-opacity="${short(alpha * this.globalAlpha)}"`;
  }

  get inStroke() {
    const { hex, alpha } = hexOf(this.strokeStyle);
    const dashes = this.dashes.length ? ` stroke-dasharray="${this.dashes.join(" ")}"` : "";
    return `fill="none" stroke="${hex}" stroke-opacity="${short(alpha * this.globalAlpha)}" stroke-width="${short(this.lineWidth)}"`
      + ` stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"${dashes}`;
  }

  /** Write a shape; consecutive shapes of one style share a group. @param {string} style @param {string} shape */
  put(style, shape) {
    if (style !== this.shared) {
      this.close();
      this.parts.push(`<g ${style}>`);
      this.shared = style;
    }
    this.parts.push(shape);
  }

  close() {
    if (this.shared !== null) this.parts.push("</g>");
    this.shared = null;
  }
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function box(x, y, width, height, round = "0") {
  const sides = width < 0 || height < 0 ? [Math.abs(width), Math.abs(height)] : [width, height];
  const corner = round === "0" ? "" : ` rx="${round}"`;
  return `<rect x="${short(Math.min(x, x + width))}" y="${short(Math.min(y, y + height))}" `
    + `width="${short(sides[0])}" height="${short(sides[1])}"${corner}/>`;
}

/** Format a number to the hundredth of a pixel. @param {number} value */
function short(value) {
  return String(Math.round(100 * value) / 100);
}

/** Escape text for XML. @param {string} text */
export function escaped(text) {
  /** @type {Record<string, string>} */
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"]/g, (sign) => names[sign]);
}
