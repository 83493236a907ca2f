// Print a figure on white paper as an SVG document, with the colours of the light theme.
// A figure is {name, file, words: {title, below: [lines]}} with one of these functions:
// - paint(g, width, colours) draws on a canvas context, `width` pixels of 1/96 inch wide, and returns the height;
// - plot(width) returns a Plotly figure: {Plotly, data, layout, height}.
// A figure may also have a legend, with entries like those of layers: [shape, word, more].

import { FAMILY, font, fontFace } from "./font.js";
import { SvgContext, escaped } from "./svg.js";
import { paperColours } from "./colours.js";

export const PIXELS_A_CM = 96 / 2.54;

const SMALL = 11; // size of text in pixels (8¼ points)
const LEAST = 260; // smallest height in pixels of a chart with full width
const MARGIN = 6, LINE = 16, TITLE = 24;

/**
 * Return the document and its size in pixels: {svg, width, height}. If `worded` is true, the document has a title and
 * sentences.
 * @param {PrintFigure} figure @param {number} centimetres @param {boolean} worded @returns {Promise<Page>}
 */
export async function onPaper(figure, centimetres, worded) {
  const type = await font();
  const width = centimetres * PIXELS_A_CM, inner = width - 2 * MARGIN;
  const colours = paperColours(FAMILY, SMALL);
  const pen = new SvgContext();
  pen.translate(MARGIN, MARGIN);
  const { title, below } = figure.words ?? {};
  let height = worded && title ? headed(pen, title, inner, colours) : 0;
  pen.save();
  pen.translate(0, height);
  pen.font = `${SMALL}px ${FAMILY}`;
  let chart = "";
  if (figure.plot) {
    const plotted = await plot(figure.plot(inner), inner, colours);
    chart = plotted.svg(MARGIN, MARGIN + height);
    height += plotted.height;
  } else height += figure.paint?.(/** @type {Canvas} */ (/** @type {unknown} */ (pen)), inner, colours) ?? 0;
  pen.restore();
  height = legend(pen, figure.legend ?? [], height + 4, inner, colours);
  if (worded) for (const words of below ?? []) height = written(pen, words, height + 4, inner, colours);
  return finished(figure, width, height + 2 * MARGIN, chart + pen.markup, type);
}

/**
 * @param {PrintFigure} figure @param {number} width @param {number} height @param {string} markup
 * @param {PrintFont} type
 */
function finished({ name, words }, width, height, markup, type) {
  const size = (/** @type {number} */ pixels) => `${Math.round(1000 * pixels / PIXELS_A_CM) / 1000}cm`;
  const [w, h] = [width, height].map((side) => Math.round(1000 * side) / 1000);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size(width)}" `
    + `height="${size(height)}" viewBox="0 0 ${w} ${h}" font-family="${FAMILY}" text-rendering="geometricPrecision">`
    + `<title>${escaped(words?.title ?? name)}</title><style>${fontFace(type)}</style>`
    + `<rect width="${w}" height="${h}" fill="#ffffff"/>${markup}</svg>`;
  return { svg, width: w, height: h };
}

/** @param {SvgContext} pen @param {string} title @param {number} width @param {Colours} colours */
function headed(pen, title, width, colours) {
  pen.font = `600 13px ${FAMILY}`;
  return lines(pen, title, width, colours.ink, 0, TITLE - 6, 13) + 6;
}

/** @param {SvgContext} pen @param {string} words @param {number} top @param {number} width @param {Colours} colours */
function written(pen, words, top, width, colours) {
  pen.font = `${SMALL}px ${FAMILY}`;
  return lines(pen, words, width, colours.ink, top, LINE, SMALL);
}

/**
 * Write text in lines; return the position below them.
 * @param {SvgContext} pen @param {string} text @param {number} width @param {string} colour @param {number} top
 * @param {number} step @param {number} size
 */
function lines(pen, text, width, colour, top, step, size) {
  pen.fillStyle = colour;
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  let line = "", at = top;
  const put = () => {
    pen.fillText(line, 0, at + size);
    at += step;
  };
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && pen.measureText(longer).width > width) {
      put();
      line = word;
    } else line = longer;
  }
  if (line) put();
  return at;
}

/**
 * Return a Plotly figure as a part of the document: {svg(x, y), height}.
 * @param {ReturnType<NonNullable<PrintFigure["plot"]>>} figure @param {number} width @param {Colours} colours
 */
async function plot({ Plotly, data, layout, height: wanted }, width, colours) {
  const height = Math.max(wanted, Math.min(LEAST, width));
  const dressed = { ...forPaper(layout, colours), width, height };
  const image = { format: "svg", width, height };
  const address = await Plotly.toImage({ data, layout: dressed, config: { staticPlot: true } }, image);
  const text = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const svg = (/** @type {number} */ x, /** @type {number} */ y) => {
    for (const [name, value] of Object.entries({ x, y, width, height })) root.setAttribute(name, String(value));
    return new XMLSerializer().serializeToString(root);
  };
  return { svg, height };
}

/**
 * Return a layout with the font and colours of print, and narrow margins.
 * @param {PlotlyFigure["layout"]} layout @param {Colours} colours
 */
function forPaper(layout, colours) {
  const type = { family: FAMILY, size: SMALL, color: colours.ink };
  const axes = Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key));
  const small = axes.map((key) => [key, { ...layout[key], automargin: true,
    title: { standoff: 6, ...layout[key].title, font: { ...layout[key].title?.font, ...type } } }]);
  return {
    ...layout, ...Object.fromEntries(small), autosize: false, template: undefined, uirevision: undefined,
    margin: { l: 40, r: 10, t: 12, b: 34 }, font: { ...layout.font, ...type },
    paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff",
  };
}

/**
 * Draw the legend below a picture; return the position below it.
 * @param {SvgContext} pen @param {LegendEntry[]} entries @param {number} top @param {number} width
 * @param {Colours} colours
 */
function legend(pen, entries, top, width, colours) {
  const mark = 12, gap = 4, apart = 14;
  pen.font = `${colours.small}px ${FAMILY}`;
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  let x = 0, y = top;
  for (const [shape, word, more = ""] of entries) {
    const text = word + more;
    const wide = mark + gap + pen.measureText(text).width;
    if (x && x + wide > width) [x, y] = [0, y + LINE];
    pen.mark(shape, x, y + 1, mark, colours);
    pen.fillStyle = colours.quiet;
    pen.fillText(text, x + mark + gap, y + 11);
    x += wide + apart;
  }
  return entries.length ? y + LINE : top;
}
