// Matrices as heat maps. Their rows, and in some also the columns, are variables.

import { KEPT, REDRAW, REVERTED } from "../../base/words.js";
import { redraws } from "../../base/marks.js";
import { SHADES_SWATCH, between, boxOf, fitted, shadesOf, titleAbove } from "../../base/shades.js";
import { context } from "../../base/dom.js";
import { firstVisits } from "./path.js";

const BAR = 3; // width in pixels of the bar beside a row
const SYMBOL_ROOM = 9; // smallest width in pixels of a column with a symbol
const LEADING = 1.7; // height of a line of text, as a multiple of the font size
const APART = 16; // pixels between the matrices and the text

/** @type {MakeLayer} */
export function matrices(spec, assets) {
  /** @type {Panel[]} */
  const panels = spec.panels.map((/** @type {any} */ panel) => new Panel(panel));
  /** @type {Uint16Array | null} */
  let order = null; // the variable at each position; null if variables are in numerical order
  /** @type {PictureView} the view of the last drawing */
  let shown;
  return {
    legend: [
      [SHADES_SWATCH, "0 to 1"],
      ['<path d="M1 8h14" stroke="var(--pv-kept)" stroke-width="4"/>', "kept"],
      ...redraws('<rect x="1" y="5" width="14" height="6" stroke-width="2"/>'),
    ],
    ...(spec.asset && {
      tool: {
        label: "Sort by path",
        title: "Sort the states by their first visit on the most probable path of this frame",
        press(/** @type {Moment} */ { after }) {
          order = order || !after ? null : firstVisits(/** @type {any} */ (after), new Uint16Array(assets[spec.asset]));
          return order !== null;
        },
      },
    }),
    draw(g, view, { before, after, t }) {
      if (!after) return;
      shown = view;
      for (const panel of panels) panel.draw(g, view, { before: before ?? after, after, t, order });
      beside(g, view, panels.map((panel) => panel.spec));
    },
    hint: (x, y) => panels.find((panel) => shown && within(panel.box(shown), x, y))?.spec.says ?? "",
  };
}

/** Write the title of each matrix, if there is space. @param {Canvas} g @param {PictureView} view @param {any[]} specs */
function beside(g, view, specs) {
  const boxes = specs.map((spec) => boxOf(fitted(spec, view).box, view));
  const { y, height } = boxes[0], left = Math.max(...boxes.map((box) => box.x + box.width)) + APART;
  const { small, font, quiet } = view.colours, line = LEADING * small;
  g.font = `${small}px ${font}`;
  g.textAlign = "left";
  g.textBaseline = "top";
  g.fillStyle = quiet;
  const longest = Math.max(...specs.map(({ says }) => (says ? g.measureText(says).width : 0)));
  if (longest > view.x(1) - left || specs.length * line > height) return;
  specs.forEach(({ says }, i) => says && g.fillText(says, left, y + i * line));
}

/** @param {Box} box @param {number} x @param {number} y */
function within(box, x, y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

class Panel {
  /** @type {Uint32Array} */ shades;

  /** @param {any} spec of the panel */
  constructor(spec) {
    this.spec = spec;
    this.picture = document.createElement("canvas");
    this.picture.width = spec.columns;
    this.picture.height = spec.rows;
    this.g = context(this.picture);
    this.image = this.g.createImageData(spec.columns, spec.rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
    /** @type {any[]} */ this.painted = []; // identifies the cached picture
  }

  /** @param {PictureView} view */
  box(view) {
    return boxOf(fitted(this.spec, view).box, view);
  }

  /**
   * @param {Canvas} g @param {PictureView} view
   * @param {{before: Frame, after: Frame, t: number, order: Uint16Array | null}} shown
   */
  draw(g, view, { before, after, t, order }) {
    const box = this.box(view);
    this.paint(view, before[this.spec.channel], after[this.spec.channel], t, order);
    g.imageSmoothingEnabled = box.height * view.ratio < this.spec.rows;
    g.drawImage(this.picture, box.x, box.y, box.width, box.height);
    g.strokeStyle = view.colours.line;
    g.lineWidth = 1;
    g.strokeRect(box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
    titleAbove(g, view, box, this.spec.title);
    this.symbols(g, view, box);
    this.outlines(g, view, box, after, order);
  }

  /**
   * Update the cached picture, which has one pixel per entry.
   * @param {PictureView} view @param {Uint8Array} from @param {Uint8Array} to @param {number} t
   * @param {Uint16Array | null} order
   */
  paint(view, from, to, t, order) {
    const made = [from, to, t, order, view.theme];
    if (made.every((part, i) => part === this.painted[i])) return;
    if (view.theme !== this.painted.at(-1)) this.shades = shadesOf(view.colours);
    this.painted = made;
    const { rows, columns, sorted } = this.spec;
    const { pixels, shades } = this;
    const values = between(from, to, t);
    const across = sorted.includes("columns") ? order : null;
    for (let r = 0, i = 0; r < rows; r++) {
      const start = (order ? order[r] : r) * columns;
      for (let c = 0; c < columns; c++) pixels[i++] = shades[values[start + (across ? across[c] : c)]];
    }
    this.g.putImageData(this.image, 0, 0);
  }

  /** @param {Canvas} g @param {PictureView} view @param {Box} box */
  symbols(g, view, box) {
    const { symbols, columns } = this.spec;
    const each = box.width / columns;
    if (!symbols || each < SYMBOL_ROOM) return;
    g.textAlign = "center";
    g.textBaseline = "top";
    for (let c = 0; c < columns; c++) g.fillText(symbols[c], box.x + (c + 0.5) * each, box.y + box.height + 3);
  }

  /**
   * Outline redrawn variables; after a restart, outline everything in the colour of full restarts.
   * @param {Canvas} g @param {PictureView} view @param {Box} box @param {Frame} frame @param {Uint16Array | null} order
   */
  outlines(g, view, box, { event, chosen }, order) {
    const { rows, sorted } = this.spec;
    const restart = chosen.length === rows;
    g.fillStyle = restart ? view.colours.full : view.colours.kept; // the bar beside each row of a kept variable
    g.fillRect(box.x - BAR - 2, box.y, BAR, box.height);
    g.fillStyle = view.colours.partial;
    if (!restart) for (const [first, count] of stretches(chosen, order)) {
      g.fillRect(box.x - BAR - 2, box.y + (first / rows) * box.height, BAR, (count / rows) * box.height);
    }
    if (restart && event !== REDRAW) return;
    g.strokeStyle = restart ? view.colours.full : view.colours.partial;
    g.lineWidth = Math.max(0.75, Math.min(1.5, box.height / rows / 2)); // narrow lines, so that small cells stay visible
    g.globalAlpha = event === KEPT ? 0.6 : 1;
    g.setLineDash(event === REVERTED ? [5, 3] : []);
    for (const [first, count] of stretches(chosen, order)) {
      const from = (first / rows), size = count / rows;
      g.strokeRect(box.x - 1, box.y + from * box.height - 1, box.width + 2, size * box.height + 2);
      if (sorted.includes("columns") && !restart) {
        g.strokeRect(box.x + from * box.width - 1, box.y - 1, size * box.width + 2, box.height + 2);
      }
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }
}

/**
 * Return the positions of variables, as ranges [first, count].
 * @param {number[]} chosen @param {Uint16Array | null} order
 */
function stretches(chosen, order) {
  const wanted = new Set(chosen);
  const places = order ? [...order.keys()].filter((place) => wanted.has(order[place])) : chosen;
  /** @type {[first: number, count: number][]} */
  const found = [];
  for (const place of places) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === place) last[1]++;
    else found.push([place, 1]);
  }
  return found;
}
