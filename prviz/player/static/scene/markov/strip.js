// A string, line by line. The filled part of each cell is the predicted probability of its symbol. The bar below shows
// whether the state that emitted the symbol was kept or redrawn.

import { between, boxOf, cssShadesOf, fitted, titleAbove } from "../../base/shades.js";
import { percent } from "../../base/words.js";

const CELL_ROOM = 5.5; // smallest width in pixels of a cell that shows its symbol
const TALLEST = 1.6; // height of a cell, as a multiple of its width
const BAR = 0.14; // height of the bar, as a share of a cell's height

/** @type {MakeLayer} */
export function strip(spec, assets) {
  const numbers = new Uint16Array(assets[spec.asset]);
  const longest = Math.max(...spec.symbols.map((/** @type {string} */ symbol) => [...symbol].length)); // long symbols need more space
  let theme = "";
  /** @type {string[]} */
  let css = [];
  /** @type {(i: number) => Box} the cells of the last drawing */
  let cellOf;
  /** @type {Uint8Array | null} */
  let shown = null;
  return {
    legend: [],
    hint(x, y) {
      if (!shown) return "";
      const i = [...numbers.keys()].find((each) => {
        const box = cellOf(each);
        return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
      });
      return i === undefined ? "" : `Symbol ${i + 1}, ${spec.symbols[numbers[i]]}: probability ${percent(shown[i] / 255)}`;
    },
    draw(g, view, { before, after, t, origin }) {
      if (!after) return;
      const { box: corners, columns } = fitted(spec, view);
      const box = boxOf(corners, view), lines = Math.ceil(numbers.length / columns);
      const width = box.width / columns, height = Math.min(box.height / lines, TALLEST * width);
      const values = between((before ?? after)[spec.channel], after[spec.channel], t);
      if (theme !== view.theme) css = cssShadesOf(view.colours);
      ({ theme } = view);
      shown = after[spec.channel];
      cellOf = (i) => ({ x: box.x + (i % columns) * width, y: box.y + Math.floor(i / columns) * height, width, height });
      titleAbove(g, view, box, "Filled part: probability of each symbol, given the previous ones", "Filled: P(symbol)", "P(symbol)");
      const readable = width >= CELL_ROOM * longest;
      const fates = fatesOf(after, (origin ?? after)[spec.states], spec.variables);
      g.font = `${Math.min(0.6 * height, 1.1 * width / longest).toFixed(1)}px ${view.colours.font}`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      for (let i = 0; i < numbers.length; i++) {
        const { x, y } = cellOf(i);
        if (x > view.width || y > view.height || x + width < 0 || y + height < 0) continue;
        if (readable) cell(g, view, { x, y, width, height }, values[i] / 255, spec.symbols[numbers[i]], fates[i]);
        else {
          g.fillStyle = css[values[i]];
          g.fillRect(x, y, width, height);
        }
      }
    },
  };
}

/**
 * Return for each symbol whether the state that emitted it was kept, redrawn, or redrawn by a restart.
 * @param {Frame} frame @param {ArrayLike<number>} states @param {number} n
 * @returns {("kept" | "partial" | "full")[]}
 */
export function fatesOf({ chosen }, states, n) {
  const redrawn = new Set(chosen), restart = redrawn.size === n;
  return Array.from(states, (state) => (restart ? "full" : redrawn.has(state) ? "partial" : "kept"));
}

/**
 * @param {Canvas} g @param {PictureView} view @param {Box} box @param {number} part @param {string} symbol
 * @param {"kept" | "partial" | "full"} fate
 */
function cell(g, { colours }, { x, y, width, height }, part, symbol, fate) {
  const bar = BAR * height, inner = height - bar - 2, filled = part * inner;
  g.fillStyle = colours.tint;
  g.globalAlpha = 0.65;
  g.fillRect(x + 1, y + inner - filled, width - 2, filled);
  g.globalAlpha = 1;
  g.strokeStyle = colours.line;
  g.lineWidth = 1;
  g.strokeRect(x + 1, y, width - 2, inner);
  g.fillStyle = colours.ink;
  g.fillText(symbol, x + width / 2, y + 0.54 * inner);
  g.fillStyle = colours[fate];
  g.fillRect(x + 1, y + inner + 1, width - 2, bar);
}
