// @ts-nocheck -- not typed yet
// What scenes draw on a canvas, as SVG: as much of the canvas's context as they use.

import { h } from "../base/dom.js";
import { hexOf } from "./colours.js";

const FONT = /^(?:(\w+) )?([\d.]+)px (.+)$/;
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const LOWERED = { alphabetic: 0, top: 0.93, middle: 0.35, bottom: -0.24 }; // ems, of the printed font
const FIRST = {
  fillStyle: "#000000", strokeStyle: "#000000", globalAlpha: 1, lineWidth: 1, lineCap: "butt",
  lineJoin: "miter", font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic",
  imageSmoothingEnabled: true,
};

export class SvgContext {
  vector = true; // by which a layer knows that it is printed
  dashes = [];
  parts = [];
  states = []; // what `save` has kept: {style, dashes, x, y, groups}
  x = 0; // where the origin is
  y = 0;
  groups = 0; // that are open, of clips
  shared = null; // what all shapes of the group that is open have
  clips = 0;

  constructor() {
    Object.assign(this, FIRST);
    this.ruler = h("canvas").getContext("2d");
    this.beginPath();
  }

  /** All that was drawn, as SVG elements. */
  get markup() {
    return `${this.parts.join("")}${this.shared === null ? "" : "</g>"}${"</g>".repeat(this.groups)}`;
  }

  // State

  save() {
    const style = Object.fromEntries(Object.keys(FIRST).map((name) => [name, this[name]]));
    this.states.push({ style, dashes: this.dashes, x: this.x, y: this.y, groups: this.groups });
  }

  restore() {
    const { style, groups, ...kept } = this.states.pop();
    this.close();
    this.parts.push("</g>".repeat(this.groups - groups));
    Object.assign(this, style, kept, { groups });
  }

  translate(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  setLineDash(dashes) {
    this.dashes = dashes;
  }

  // Paths

  beginPath() {
    this.path = [];
    this.single = null; // the one circle or rectangle that the path is
  }

  to(command, ...numbers) {
    const placed = numbers.map((value, i) => short(value + (i % 2 ? this.y : this.x)));
    this.path.push(`${command}${placed.join(" ")}`);
    this.single = null;
  }

  moveTo(x, y) {
    this.to("M", x, y);
  }

  lineTo(x, y) {
    this.to(this.path.length ? "L" : "M", x, y);
  }

  quadraticCurveTo(...points) {
    this.to("Q", ...points);
  }

  rect(x, y, width, height) {
    this.roundRect(x, y, width, height, 0);
  }

  roundRect(x, y, width, height, round) {
    const alone = !this.path.length;
    const r = short(round), corner = round ? `a${r} ${r} 0 0 1 ` : "l";
    const arc = (dx, dy) => (round ? `${corner}${short(dx)} ${short(dy)}` : "");
    this.to("M", x + round, y);
    this.path.push(`h${short(width - 2 * round)}${arc(round, round)}v${short(height - 2 * round)}${arc(-round, round)}`
      + `h${short(2 * round - width)}${arc(-round, -round)}v${short(2 * round - height)}${arc(round, -round)}z`);
    if (alone) this.single = box(x + this.x, y + this.y, width, height, r);
  }

  arc(x, y, radius, from, to) {
    const alone = !this.path.length;
    const whole = Math.abs(to - from) >= 2 * Math.PI - 1e-9;
    const at = (angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
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

  fillRect(x, y, width, height) {
    this.put(this.inFill, box(x + this.x, y + this.y, width, height));
  }

  strokeRect(x, y, width, height) {
    this.put(this.inStroke, box(x + this.x, y + this.y, width, height));
  }

  clearRect() {} // paper is white

  // Words and pictures

  measureText(text) {
    this.ruler.font = this.font;
    this.ruler.textRendering = "geometricPrecision"; // as wide as in print
    return this.ruler.measureText(text);
  }

  fillText(text, x, y) {
    this.words(this.inFill, text, x, y);
  }

  strokeText(text, x, y) {
    this.words(this.inStroke, text, x, y);
  }

  words(style, text, x, y) {
    const [, weight = "400", size, family] = FONT.exec(this.font);
    const baseline = y + this.y + LOWERED[this.textBaseline] * size;
    const type = `font-size="${size}" font-weight="${weight}" font-family="${escaped(family)}"`;
    const anchor = `text-anchor="${ANCHORS[this.textAlign]}"`;
    this.put(`${style} ${type} ${anchor}`,
      `<text x="${short(x + this.x)}" y="${short(baseline)}">${escaped(String(text))}</text>`);
  }

  /** A canvas, or a part of it, as it is: a picture in a picture. */
  drawImage(image, ...places) {
    const [left, top, wide, high, x, y, width, height] = places.length > 4 ? places
      : [0, 0, image.width, image.height, ...places];
    const part = h("canvas", { width: Math.round(wide), height: Math.round(high) });
    part.getContext("2d").drawImage(image, left, top, wide, high, 0, 0, part.width, part.height);
    const sharp = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
    this.put(`opacity="${this.globalAlpha}"`,
      `<image x="${short(x + this.x)}" y="${short(y + this.y)}" width="${short(width)}" height="${short(height)}" `
      + `preserveAspectRatio="none"${sharp} href="${part.toDataURL()}"/>`);
  }

  /** A mark of a legend, as it stands on the page: shapes in a square of 16 × 16. */
  mark(shapes, x, y, size, colours) {
    const coloured = shapes.replace(/var\(--pv-(\w+)\)/g, (_, name) => hexOf(colours[name]).hex);
    const ink = hexOf(colours.quiet).hex;
    this.put(`fill="none" stroke="${ink}" color="${ink}" stroke-width="1.5"`,
      `<g transform="translate(${short(x + this.x)} ${short(y + this.y)}) scale(${short(size / 16)})">${coloured}</g>`);
  }

  // What is written

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

  /** Neighbours that look alike share a group. */
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

function box(x, y, width, height, round = "0") {
  const sides = width < 0 || height < 0 ? [Math.abs(width), Math.abs(height)] : [width, height];
  const corner = round === "0" ? "" : ` rx="${round}"`;
  return `<rect x="${short(Math.min(x, x + width))}" y="${short(Math.min(y, y + height))}" `
    + `width="${short(sides[0])}" height="${short(sides[1])}"${corner}/>`;
}

/** A number as a drawing needs it: to the hundredth of a pixel. */
function short(value) {
  return String(Math.round(100 * value) / 100);
}

/** Text as it may stand in XML. */
export function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"]/g, (sign) => names[sign]);
}
