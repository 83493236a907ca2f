// From bytes to colours: one ramp from the ground to the ink, for light and dark alike.

import { context } from "./dom.js";

const STEPS = 256;

/**
 * RGBA of each byte: the ground for 0, the ink for 255, and the tint halfway in lightness.
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

/** The same as a style sheet has them. @param {Record<string, any>} colours */
export function cssShadesOf(colours) {
  return Array.from(shadesOf(colours), (rgba) => `rgb(${rgba & 255} ${(rgba >> 8) & 255} ${(rgba >> 16) & 255})`);
}

/** The legend's swatch of the same ramp. */
export const SHADES_SWATCH = '<defs><linearGradient id="pv-shades">'
  + '<stop stop-color="var(--pv-ground)"/><stop offset="0.5" stop-color="var(--pv-tint)"/>'
  + '<stop offset="1" stop-color="var(--pv-ink)"/></linearGradient></defs>'
  + '<rect x="0.5" y="2.5" width="15" height="11" rx="2" fill="url(#pv-shades)" stroke-width="1"/>';

/**
 * The bytes between two frames; those of `to` itself at the end.
 * @template {Uint8Array | Uint16Array} Values whole numbers @param {Values} from @param {Values} to @param {number} t
 */
export function between(from, to, t) {
  if (t >= 1 || from === to || from.length !== to.length) return to;
  return to.map((byte, i) => from[i] + (byte - from[i]) * t);
}

/**
 * A box of the unit square, [left, bottom, right, top], in pixels.
 * @param {[left: number, bottom: number, right: number, top: number]} corners @param {PictureView} view
 */
export function boxOf([left, bottom, right, top], view) {
  const x = view.x(left), y = view.y(top);
  return { x, y, width: view.x(right) - x, height: view.y(bottom) - y };
}

/**
 * A line of words above a box; it has the same size at every zoom.
 * @param {CanvasRenderingContext2D} g @param {PictureView} view @param {{x: number, y: number}} box
 * @param {string} text
 */
export function titleAbove(g, view, { x, y }, text) {
  g.fillStyle = view.colours.quiet;
  g.font = `${view.colours.small}px ${view.colours.font}`;
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  g.fillText(text, x, y - 5);
}
