// Convert an SVG document to PDF with jsPDF and svg2pdf.js. Lines stay vectors, and text stays text.

import { jsPDF } from "jspdf";
import "svg2pdf.js";
import { context, svg as element } from "../base/dom.js";

const POINTS = 0.75; // points per pixel
const FONT = "DejaVuSans"; // the name in print/font.json
const BOLD = 600; // text of at least this weight gets an outline, because the font has no bold letters
const GROWN = 0.04; // width of this outline, in ems
const FINE = 4; // bitmap pixels per pixel, for text with letters that are not in the font
const UNSEEN = /[\u200b-\u200d\u2060\ufeff]/g; // characters without width, which Plotly puts around exponents

/**
 * Return a document of print/paper.js as PDF; `font` comes from print/font.js.
 * @param {Page} page @param {string} title @param {PrintFont} font
 */
export async function pdfOf({ svg, width, height }, title, font) {
  const format = [width * POINTS, height * POINTS];
  const pdf = new jsPDF({ unit: "pt", format, orientation: width > height ? "landscape" : "portrait", compress: true,
    putOnlyUsedFonts: true });
  pdf.addFileToVFS(FONT, font.base64);
  pdf.addFont(FONT, FONT, "normal");
  pdf.setProperties({ title, creator: "prviz" }).setLanguage("en").viewerPreferences({ DisplayDocTitle: true });
  const host = document.createElement("div");
  host.style.cssText = "position: fixed; left: -100000px; top: 0; visibility: visible";
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  host.attachShadow({ mode: "open" }).append(root);
  document.body.append(host);
  try {
    for (const text of root.querySelectorAll("text")) text.replaceWith(piecesOf(text, font));
    for (const node of root.querySelectorAll(":is(svg, g)[font-family]")) node.removeAttribute("font-weight");
    root.querySelector("style")?.remove(); // the PDF already contains the font
    await pdf.svg(root, { width: format[0], height: format[1] });
  } finally {
    host.remove();
  }
  return pdf.output("blob");
}

/**
 * Return the pieces of a text, each at the position where the browser placed its first letter.
 * @param {SVGTextElement} text @param {PrintFont} font
 */
function piecesOf(text, font) {
  const group = element("g", { transform: text.getAttribute("transform") ?? "", opacity: getComputedStyle(text).opacity });
  const pieces = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0;
  while (pieces.nextNode()) {
    const piece = /** @type {Text} */ (pieces.currentNode);
    const style = getComputedStyle(/** @type {Element} */ (piece.parentElement));
    const kept = style.whiteSpaceCollapse === "preserve" || style.whiteSpace.startsWith("pre");
    const words = kept ? piece.data : piece.data.replace(/[ \t\r\n]+/g, " ");
    if (words.trim() && style.visibility === "visible" && at < text.getNumberOfChars()) {
      const place = text.getStartPositionOfChar(at);
      const written = words.replace(UNSEEN, "");
      const known = [...written].every((character) => font.characters.has(character));
      group.append(known ? wordsOf(written, place, style) : pictureOf(words, place, style));
    }
    at += words.length;
  }
  return group;
}

/** @param {string} words @param {DOMPoint} place @param {CSSStyleDeclaration} style */
function wordsOf(words, { x, y }, style) {
  const bold = Number(style.fontWeight) >= BOLD && style.fill !== "none";
  const node = element("text", { x, y, "xml:space": "preserve", "font-family": FONT, "font-size": style.fontSize,
    "font-weight": "400", "font-style": "normal", "text-anchor": "start", "stroke-linejoin": "round",
    "fill": style.fill, "fill-opacity": style.fillOpacity,
    "stroke": bold ? style.fill : style.stroke, "stroke-opacity": bold ? style.fillOpacity : style.strokeOpacity,
    "stroke-width": bold ? GROWN * parseFloat(style.fontSize) : style.strokeWidth });
  node.textContent = words;
  return node;
}

/**
 * Return a picture of text whose letters are not in the font, drawn by the browser.
 * @param {string} words @param {DOMPoint} place @param {CSSStyleDeclaration} style
 */
function pictureOf(words, { x, y }, style) {
  const em = parseFloat(style.fontSize);
  const canvas = document.createElement("canvas");
  const g = context(canvas);
  const font = `${style.fontWeight} ${em * FINE}px ${style.fontFamily}`;
  g.font = font;
  canvas.width = Math.ceil(g.measureText(words).width) + FINE;
  canvas.height = Math.ceil(1.6 * em * FINE);
  Object.assign(g, { font, fillStyle: style.fill === "none" ? style.stroke : style.fill });
  g.fillText(words, 0, 1.2 * em * FINE);
  return element("image", { x, y: y - 1.2 * em, width: canvas.width / FINE, height: canvas.height / FINE,
    href: canvas.toDataURL() });
}
