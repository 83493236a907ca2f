// A Boltzmann machine: its weights as tiles, one a hidden unit, and rows of bits with their chances.

import { KEPT, REDRAW, REVERTED, percent } from "../base/words.js";
import { KEPT_WASH, redraws, wash } from "../base/marks.js";
import { between, boxOf, cssShadesOf, titleAbove } from "../base/shades.js";

const CERTAIN = 65535;
const INSET = 0.18; // of a cell on each side, where its tint is seen
const ROOM = 6; // pixels of a cell from which on it has one
const TILE_MARGIN = 0.16; // of a slot, between tiles
const SIGNS = '<rect x="1" y="4" width="7" height="8" fill="var(--pv-negative)" stroke="none"/>'
  + '<rect x="8" y="4" width="7" height="8" fill="var(--pv-positive)" stroke="none"/>';

/** @typedef {[x: number, y: number, width: number, height: number]} Cell */

/** Colours of the bytes: from the negative's for 0 by the ground to the positive's for 255. @param {Colours} colours */
function signs({ negative, ground, positive }) {
  return cssShadesOf({ ground: negative, tint: ground, ink: positive });
}

/**
 * Places for `n` tiles of `columns` × `rows` cells in a box, `across` side by side; `beside`: the room that each
 * has on its left or right, in cells.
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

/** Weights and biases by sign, what was redrawn outlined. @type {MakeLayer} */
export function weights(spec) {
  const { n_visible: nVisible, n_hidden: nHidden, columns, across } = spec;
  const rows = Math.ceil(nVisible / columns);
  const nWeights = nVisible * nHidden;
  let theme = "";
  /** @type {string[]} */
  let colours = [];

  /** Where a parameter has its cell. @param {ReturnType<typeof slots>} places @returns {(k: number) => Cell} */
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
      [SIGNS, "negative, positive"],
      KEPT_WASH,
      ...redraws('<rect x="3" y="3" width="10" height="10" stroke-width="2"/>'),
    ],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      if (theme !== view.theme) {
        theme = view.theme;
        colours = signs(view.colours);
      }
      const box = boxOf(spec.box, view);
      const places = slots(box, nHidden + 1, across, columns, rows, 1.4);
      const place = placing(places);
      titleAbove(g, view, box, spec.title);
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

/** Rows of bits, and how probable the machine finds each. @type {MakeLayer} */
export function codes(spec) {
  const { n, n_visible: nVisible, columns, across } = spec;
  const rows = Math.ceil(nVisible / columns);
  const words = Math.max(4, 20 / columns); // room for the chance, in cells
  return {
    legend: [],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const shown = t < 0.5 && before ? before : after;
      const box = boxOf(spec.box, view);
      const places = slots(box, n, across, columns, rows, words);
      const { cell } = places;
      titleAbove(g, view, box, spec.title);
      g.font = `${view.colours.small}px ${view.colours.font}`;
      g.textAlign = "left";
      g.textBaseline = "middle";
      for (let i = 0; i < n; i++) {
        const { x, y } = places.at(i);
        for (let bit = 0; bit < nVisible; bit++) {
          g.fillStyle = shown[spec.bits][i * nVisible + bit] ? view.colours.ink : view.colours.ground;
          g.fillRect(x + (bit % columns) * cell, y + Math.floor(bit / columns) * cell, cell, cell);
        }
        g.strokeStyle = view.colours.line;
        g.lineWidth = 1;
        g.strokeRect(x - 0.5, y - 0.5, columns * cell + 1, rows * cell + 1);
        g.fillStyle = view.colours.ink;
        g.fillText(chance(shown[spec.chances][i]), x + (columns + 0.5) * cell, y + (rows * cell) / 2);
      }
    },
  };
}

/** A chance in 65535ths for people. @param {number} part */
function chance(part) {
  if (part < 0.0001 * CERTAIN) return "< 0.01\u202f%";
  return percent(part / CERTAIN);
}
