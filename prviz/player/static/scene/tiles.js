// A Boltzmann machine: one tile of weights per hidden unit, patterns with their probabilities, and samples.

import { KEPT, REDRAW, REVERTED, percent } from "../base/words.js";
import { KEPT_WASH, redraws, wash } from "../base/marks.js";
import { between, boxOf, cssShadesOf, fitted, titleAbove } from "../base/shades.js";

const CERTAIN = 65535;
const WIDEST = 0.6; // the probability of a full bar
const FILLED = 0.74; // height of a bar, as a share of its row
const LABEL = 0.26; // smallest share of the chart's width for the label of a bar
const LONGEST = "other examples"; // the longest label, which determines the width of all labels
const GAP = 6; // pixels
const PALE = 0.3;
const INSET = 0.18; // width of the tinted margin of a cell, as a share of the cell
const ROOM = 6; // smallest size in pixels of a cell with an inset tint
const TILE_MARGIN = 0.16; // margin between tiles, as a share of a slot
const SIGNS = '<rect x="1" y="4" width="7" height="8" fill="var(--pv-negative)" stroke="none"/>'
  + '<rect x="8" y="4" width="7" height="8" fill="var(--pv-positive)" stroke="none"/>';

/** @typedef {[x: number, y: number, width: number, height: number]} Cell */

/** Return the colours of bytes, from negative (0) through the background to positive (255). @param {Colours} colours */
function signs({ negative, ground, positive }) {
  return cssShadesOf({ ground: negative, tint: ground, ink: positive });
}

/**
 * Return the positions of `n` tiles of `columns` × `rows` cells in a box, with `across` tiles per row. `beside` is the
 * space on the left or right of each tile, in cells.
 * @param {Box} box @param {number} n @param {number} across @param {number} columns @param {number} rows
 * @param {number} beside
 */
function slots(box, n, across, columns, rows, beside) {
  const down = Math.ceil(n / across);
  const width = box.width / across, height = box.height / down;
  const cell = Math.min(width * (1 - TILE_MARGIN / 2) / (columns + beside), height * (1 - TILE_MARGIN) / rows);
  return {
    cell,
    at: (/** @type {number} */ i) => ({
      x: box.x + (i % across) * width,
      y: box.y + Math.floor(i / across) * height + (height - rows * cell) / 2,
    }),
  };
}

/** Weights and biases, coloured by sign; redrawn parameters are outlined. @type {MakeLayer} */
export function weights(spec) {
  const { n_visible: nVisible, n_hidden: nHidden, columns, across } = spec;
  const rows = Math.ceil(nVisible / columns);
  const nWeights = nVisible * nHidden;
  let theme = "";
  /** @type {string[]} */
  let colours = [];

  /** Return a function that returns the cell of a parameter. @param {ReturnType<typeof slots>} places @returns {(k: number) => Cell} */
  function placing(places) {
    const { cell } = places;
    /** @type {(tile: number, i: number) => Cell} */
    const inTile = (tile, i) => {
      const { x, y } = places.at(tile);
      return [x + (1.4 + i % columns) * cell, y + Math.floor(i / columns) * cell, cell, cell];
    };
    return (k) => {
      if (k < nWeights) return inTile(k % nHidden, Math.floor(k / nHidden));
      if (k < nWeights + nVisible) return inTile(nHidden, k - nWeights);
      const { x, y } = places.at(k - nWeights - nVisible);
      return [x, y, cell, rows * cell];
    };
  }

  /**
   * @param {Canvas} g @param {PictureView} view @param {Frame} frame @param {(k: number) => Cell} place
   * @param {Box} box
   */
  function outlines(g, view, { event, chosen }, place, box) {
    const restart = chosen.length === nWeights + nVisible + nHidden;
    if (restart && event !== REDRAW) return;
    g.strokeStyle = restart ? view.colours.full : view.colours.partial;
    g.lineWidth = 2;
    g.globalAlpha = event === KEPT ? 0.55 : 1;
    g.setLineDash(event === REVERTED ? [3, 2] : []);
    if (restart) g.strokeRect(box.x - 3, box.y, box.width + 3, box.height);
    else {
      for (const k of chosen) {
        const [x, y, width, height] = place(k);
        g.strokeRect(x + 1, y + 1, width - 2, height - 2);
      }
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  return {
    legend: [
      [SIGNS, "− / +"],
      KEPT_WASH,
      ...redraws('<rect x="3" y="3" width="10" height="10" stroke-width="2"/>'),
    ],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      if (theme !== view.theme) {
        theme = view.theme;
        colours = signs(view.colours);
      }
      const box = boxOf(fitted(spec, view).box, view);
      const places = slots(box, nHidden + 1, across, columns, rows, 1.4);
      const place = placing(places);
      titleAbove(g, view, box, ...spec.title);
      const inset = places.cell < ROOM ? 0 : INSET * places.cell;
      if (inset) wash(g, view.colours, after.chosen, nWeights + nVisible + nHidden, place);
      let k = 0;
      for (const channel of ["weights", "visible_bias", "hidden_bias"]) {
        for (const value of between((before ?? after)[channel], after[channel], t)) {
          g.fillStyle = colours[Math.round(value)];
          const [x, y, width, height] = place(k++);
          g.fillRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
        }
      }
      g.strokeStyle = view.colours.line;
      g.lineWidth = 1;
      for (let tile = 0; tile <= nHidden; tile++) {
        const { x, y } = places.at(tile), { cell } = places;
        g.strokeRect(x + 1.4 * cell - 0.5, y - 0.5, columns * cell + 1, rows * cell + 1);
        if (tile < nHidden) g.strokeRect(x - 0.5, y - 0.5, cell + 1, rows * cell + 1);
      }
      outlines(g, view, after, place, box);
    },
  };
}

/**
 * Draw bits as black and white cells.
 * @param {Canvas} g @param {Colours} colours @param {ArrayLike<number>} bits @param {number} from @param {any} spec
 * @param {{x: number, y: number}} corner @param {number} cell
 */
function code(g, colours, bits, from, { n_visible: n, columns }, { x, y }, cell) {
  for (let bit = 0; bit < n; bit++) {
    g.fillStyle = bits[from + bit] ? colours.ink : colours.ground;
    g.fillRect(x + (bit % columns) * cell, y + Math.floor(bit / columns) * cell, cell, cell);
  }
  g.strokeStyle = colours.line;
  g.lineWidth = 1;
  g.strokeRect(x - 0.5, y - 0.5, columns * cell + 1, Math.ceil(n / columns) * cell + 1);
}

/** Samples of the machine; samples that are not examples are pale. @type {MakeLayer} */
export function codes(spec) {
  return {
    legend: [],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const { n, n_visible: nVisible, columns, across, bits, known, title, box: corners } = fitted(spec, view);
      const shown = t < 0.5 && before ? before : after;
      const box = boxOf(corners, view);
      const places = slots(box, n, across, columns, Math.ceil(nVisible / columns), 0);
      titleAbove(g, view, box, ...title);
      for (let i = 0; i < n; i++) {
        g.globalAlpha = shown[known][i] ? 1 : PALE;
        code(g, view.colours, shown[bits], i * nVisible, spec, places.at(i), places.cell);
      }
      g.globalAlpha = 1;
    },
  };
}

/** Probabilities of patterns in the machine, and their frequencies in the examples. @type {MakeLayer} */
export function shares(spec) {
  const { rows, n_visible: nVisible, columns } = spec;
  const down = Math.ceil(nVisible / columns);
  return {
    legend: [['<path d="M1 8h9" stroke="var(--pv-tint)" stroke-width="6"/><path d="M12 2v12" stroke-width="2"/>',
      "share of the examples"]],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const { colours } = view, box = boxOf(fitted(spec, view).box, view);
      const values = between((before ?? after)[spec.channel], after[spec.channel], t);
      g.font = `${colours.small}px ${colours.font}`;
      const high = box.height / rows.length, legible = high >= colours.small;
      const label = Math.max(LABEL * box.width, legible ? g.measureText(LONGEST).width + GAP : 0);
      const left = box.x + label, width = box.width - label - (legible ? g.measureText("99.9 %").width + GAP : 0);
      const cell = Math.min((label - GAP) / columns, high * FILLED / down);
      rows.forEach((/** @type {{word?: string, bits: number[], share: number}} */ { word, bits, share }, /** @type {number} */ i) => {
        const y = box.y + i * high, part = values[i] / CERTAIN, bar = high * FILLED;
        g.fillStyle = colours.quiet;
        g.textAlign = "left";
        g.textBaseline = "middle";
        if (!word) code(g, colours, bits, 0, spec, { x: box.x, y: y + (bar - down * cell) / 2 }, cell);
        else if (legible) g.fillText(word, box.x, y + bar / 2);
        g.fillStyle = share || !word ? colours.tint : colours.quiet;
        g.fillRect(left, y, Math.max(1, Math.min(1, part / WIDEST) * width), bar);
        g.fillStyle = colours.ink;
        g.fillRect(left + Math.min(1, share / WIDEST) * width - 1, y - 1, 2, bar + 2);
        if (legible) g.fillText(percent(part), left + width + GAP, y + bar / 2);
      });
      const all = values.slice(0, spec.patterns).reduce((/** @type {number} */ sum, /** @type {number} */ value) => sum + value, 0) / CERTAIN;
      titleAbove(g, view, box, `${spec.title}: together ${percent(all)}`, `${spec.title} ${percent(all)}`);
    },
  };
}
