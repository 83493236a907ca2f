// A colour scale for bytes, from the background colour to the text colour.

import { context } from "./dom.js";

const STEPS = 256;
const LEAST_LABEL = 0.78; // size of labels in a small picture, as a multiple of the font size
const ABOVE = 5; // pixels between a box and the label above it

/**
 * Return the colour of each byte as RGBA: the ground for 0, the tint in the middle, and the ink for 255.
 * @param {Record<string, any>} colours
 */
export function shadesOf({ ground, tint, ink }) {
  const g = context(document.createElement("canvas"), { willReadFrequently: true });
  g.canvas.width = STEPS;
  g.canvas.height = 1;
  const gradient = g.createLinearGradient(0, 0, STEPS, 0);
  [ground, tint, ink].forEach((colour, i) => gradient.addColorStop(i / 2, colour));
  g.fillStyle = gradient;
  g.fillRect(0, 0, STEPS, 1);
  return new Uint32Array(g.getImageData(0, 0, STEPS, 1).data.buffer);
}

/** Return the scale of `shadesOf` as CSS colours. @param {Record<string, any>} colours */
export function cssShadesOf(colours) {
  return Array.from(shadesOf(colours), (rgba) => `rgb(${rgba & 255} ${(rgba >> 8) & 255} ${(rgba >> 16) & 255})`);
}

const STRIPES = 7; // stripes of the legend's swatch on each side of its middle

/** The legend's swatch of the scale of `shadesOf`. It has no gradient, because a hidden legend would hide the gradient of its copy. */
export const SHADES_SWATCH = [...Array.from({ length: 2 * STRIPES }, (_, i) => {
  const place = `x="${1 + i}" y="3" width="1" height="10" stroke="none"`, share = Math.abs(i - STRIPES + 0.5) / STRIPES;
  const end = i < STRIPES ? "ground" : "ink";
  return `<rect ${place} fill="var(--pv-tint)"/><rect ${place} fill="var(--pv-${end})" fill-opacity="${share.toFixed(2)}"/>`;
}), '<rect x="0.5" y="2.5" width="15" height="11" rx="2" stroke-width="1"/>'].join("");

/**
 * Interpolate the values between two frames; return `to` at the end.
 * @template {Uint8Array | Uint16Array} Values whole numbers @param {Values} from @param {Values} to @param {number} t
 */
export function between(from, to, t) {
  if (t >= 1 || from === to || from.length !== to.length) return to;
  return to.map((byte, i) => from[i] + (byte - from[i]) * t);
}

/**
 * Convert a box in the unit square, [left, bottom, right, top], to pixels.
 * @param {[left: number, bottom: number, right: number, top: number]} corners @param {PictureView} view
 */
export function boxOf([left, bottom, right, top], view) {
  const x = view.x(left), y = view.y(top);
  return { x, y, width: view.x(right) - x, height: view.y(bottom) - y };
}

/**
 * Return a layer's parameters for the aspect ratio of the view. If a picture has two aspect ratios, `narrow` contains
 * the parameters that differ for the narrower one.
 * @param {any} spec @param {{aspect: number}} view
 */
export function fitted(spec, view) {
  return spec.shapes && view.aspect < spec.shapes[0] ? { ...spec, ...spec.narrow } : spec;
}

/** Return a function that takes the aspect ratio of the space and returns `wide` or `narrow`, whichever is closer. @param {[wide: number, narrow: number]} shapes */
export function shapeFor([wide, narrow]) {
  return (/** @type {number} */ room) => (room * room < wide * narrow ? narrow : wide);
}

/**
 * Return the font size of labels in a picture: smaller in a small picture, so that labels do not touch the parts beside them.
 * @param {Pick<PictureView, "colours" | "marks" | "least">} view
 */
export function labelSize({ colours, marks, least = LEAST_LABEL }) {
  return colours.small * Math.max(least, marks);
}

/**
 * Write the first of the texts that fits above a box, in a size that does not depend on the zoom.
 * @param {CanvasRenderingContext2D} g @param {PictureView} view @param {Pick<Box, "x" | "y"> & {width?: number}} box
 * @param {...string} texts
 */
export function titleAbove(g, view, { x, y, width = Infinity }, ...texts) {
  g.fillStyle = view.colours.quiet;
  g.font = `${labelSize(view)}px ${view.colours.font}`;
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  const text = texts.length < 2 ? texts[0] : texts.find((each) => g.measureText(each).width <= width);
  if (text) g.fillText(text, x, y - ABOVE * view.marks);
}
