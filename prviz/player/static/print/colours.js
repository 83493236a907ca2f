// @ts-nocheck -- not typed yet
// Colours as files have them, and those of paper.

import { h, readColours } from "../base/dom.js";
import { STYLE_SHEET } from "../base/style.js";

const PAPER = "--st-background-color: #ffffff; --st-text-color: #1f2328; --st-secondary-background-color: #f3f4f6;"
  + "--st-primary-color: #46447a;";
const known = new Map();

/** Any colour of the style sheet as {hex: "#rrggbb", alpha}. */
export function hexOf(colour) {
  if (!known.has(colour)) known.set(colour, painted(colour));
  return known.get(colour);
}

function painted(colour) {
  const g = h("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  g.fillStyle = colour;
  g.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = g.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  return { hex: `#${hex}`, alpha: alpha / 255 };
}

/** The light theme's colours, whatever the page has, with the type of print: {ground, ink, …, font, small}. */
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
