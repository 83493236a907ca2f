// Colours for files and for print.

import { context, h, readColours } from "../base/dom.js";
import { STYLE_SHEET } from "../base/style.js";

const PAPER = "--st-background-color: #ffffff; --st-text-color: #1f2328; --st-secondary-background-color: #f3f4f6;"
  + "--st-primary-color: #46447a;";
/** @type {Map<string, {hex: string, alpha: number}>} */
const known = new Map();

/**
 * Convert any colour of the style sheet to {hex: "#rrggbb", alpha}.
 * @param {string} colour @returns {{hex: string, alpha: number}}
 */
export function hexOf(colour) {
  const found = known.get(colour) ?? painted(colour);
  known.set(colour, found);
  return found;
}

/** @param {string} colour */
function painted(colour) {
  const g = context(h("canvas", { width: 1, height: 1 }), { willReadFrequently: true });
  g.fillStyle = colour;
  g.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = g.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  return { hex: `#${hex}`, alpha: alpha / 255 };
}

/**
 * Return the light theme's colours, whatever the page's theme, and the font for print: {ground, ink, …, font, small}.
 * @param {string} font @param {number} small @returns {Colours}
 */
export function paperColours(font, small) {
  const sheet = h("style", {}, STYLE_SHEET);
  const paper = h("div", { class: "prviz", "data-theme": "light", style: `${PAPER} --pv-small: ${small}px; --st-font: ${font}` });
  const host = h("div", { style: "position: absolute; visibility: hidden; width: 0" });
  host.attachShadow({ mode: "open" }).append(sheet, paper);
  document.body.append(host);
  const colours = readColours(paper);
  host.remove();
  return { ...colours, font };
}
