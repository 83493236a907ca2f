// A string, line by line, each symbol's cell shaded by a byte of the frame.

import { between, boxOf, cssShadesOf, titleAbove } from "../base/shades.js";

const CELL_ROOM = 5.5; // pixels a cell must be wide for its symbol

/** @type {MakeLayer} */
export function strip(spec, assets) {
  const numbers = new Uint16Array(assets[spec.asset]);
  const longest = Math.max(...spec.symbols.map((/** @type {string} */ symbol) => [...symbol].length)); // words need more room
  const lines = Math.ceil(numbers.length / spec.columns);
  let theme = "";
  /** @type {string[]} */
  let css = [];
  return {
    legend: [],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const to = after[spec.channel];
      if (theme !== view.theme) css = cssShadesOf(view.colours);
      ({ theme } = view);
      const values = between((before ?? after)[spec.channel], to, t);
      const box = boxOf(spec.box, view);
      const width = box.width / spec.columns, height = box.height / lines;
      const readable = width >= CELL_ROOM * longest;
      titleAbove(g, view, box, spec.title);
      g.font = `${Math.min(0.72 * height, 1.3 * width / longest).toFixed(1)}px ${view.colours.font}`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      for (let i = 0; i < numbers.length; i++) {
        const x = box.x + (i % spec.columns) * width, y = box.y + Math.floor(i / spec.columns) * height;
        if (x > view.width || y > view.height || x + width < 0 || y + height < 0) continue;
        g.fillStyle = css[values[i]];
        g.fillRect(x, y, width, height);
        if (!readable) continue;
        g.fillStyle = values[i] < 128 ? view.colours.ink : view.colours.ground;
        g.fillText(spec.symbols[numbers[i]], x + width / 2, y + 0.54 * height);
      }
      g.strokeStyle = view.colours.line;
      g.lineWidth = 1;
      g.strokeRect(box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
    },
  };
}
