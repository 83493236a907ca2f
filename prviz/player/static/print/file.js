// Save figures as files.

import { font } from "./font.js";
import { loadPart } from "../base/parts.js";
import { onPaper } from "./paper.js";
import { pngOf } from "./png.js";

/** @typedef {keyof typeof FORMATS} Format */

export const FORMATS = { pdf: "PDF, vectors", svg: "SVG, vectors", png: "PNG, 300 dpi" };
export const WIDTHS = { "8.5": "one column, 8.5 cm", "17": "two columns, 17 cm" };

const DOTS = 300;

/**
 * Return a figure of print/paper.js as a file with a width of `centimetres`, without a dialog.
 * @param {PrintFigure} figure @param {Format} format
 */
export async function printed(figure, format, centimetres = 17, worded = true) {
  return fileOf(figure, await onPaper(figure, centimetres, worded), format);
}

/** Return a figure on paper as a file: {blob, name}. @param {PrintFigure} figure @param {Page} page @param {Format} format */
export async function fileOf(figure, page, format) {
  return { blob: await blobOf(figure, page, format), name: `${figure.file}.${format}` };
}

/** @param {PrintFigure} figure @param {Page} page @param {Format} format */
async function blobOf(figure, page, format) {
  if (format === "png") return pngOf(page, DOTS);
  if (format === "svg") return new Blob([page.svg], { type: "image/svg+xml" });
  const { pdfOf } = await loadPart("pdf.js");
  return pdfOf(page, figure.words?.title ?? figure.name, await font());
}
