// Numbers without further structure: one bar per number, or a point in space for up to three numbers.

import { REDRAW, KEPT, REVERTED } from "../base/words.js";
import { redraws } from "../base/marks.js";
import { between } from "../base/shades.js";
import { LEGEND, ballInPlane, shape } from "./landscape.js";

const FULL = 65535;
const GAP = 0.28; // gap between bars, as a share of the space of a bar
const TIGHT = 4; // bars narrower than this, in pixels, have no gaps
const LEAST = 2; // smallest height of a bar in pixels, so that 0 is visible
const AHEAD = 3; // pixels between an axis and its label

/**
 * Draw an axis with a label at its end.
 * @param {Canvas} g @param {PictureView} view
 * @param {{from: Point, to: Point, word: string, align?: CanvasTextAlign}} axis
 */
function axis(g, view, { from: [x0, y0], to: [x1, y1], word, align = "left" }) {
  g.strokeStyle = view.colours.line;
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(view.x(x0), view.y(y0));
  g.lineTo(view.x(x1), view.y(y1));
  g.stroke();
  g.fillStyle = view.colours.quiet;
  g.font = `${view.colours.small}px ${view.colours.font}`;
  g.textAlign = align;
  g.textBaseline = "bottom";
  g.fillText(word, view.x(x1) + (align === "left" ? AHEAD : 0), view.y(y1) - AHEAD);
}

/** One bar per number, from `base` to its height; redrawn bars are outlined. @type {MakeLayer} */
export function bars(spec) {
  const { channel, base, owners, room: [left, right] } = spec;
  const n = owners.length;
  return {
    legend: [
      ['<rect x="3" y="4" width="4" height="10" fill="var(--pv-tint)" stroke="none"/><rect x="9" y="7" width="4" height="7" fill="var(--pv-tint)" stroke="none"/>', spec.label],
      ...redraws('<rect x="5" y="3" width="6" height="11"/>'),
    ],
    shape,
    draw(g, view, moment) {
      for (const each of spec.axes) axis(g, view, each);
      const { before, after, t } = moment;
      if (!after) return;
      const heights = between((before ?? after)[channel], after[channel], t);
      const share = (view.x(right) - view.x(left)) / n;
      const gap = share > TIGHT ? GAP * share : 0;
      const zero = view.y(base);
      /** @type {(i: number, height: number) => [x: number, y: number, w: number, h: number]} */
      const box = (i, height) => {
        const y = view.y(height / FULL);
        const tall = Math.max(LEAST, Math.abs(zero - y));
        return [view.x(left) + i * share + gap / 2, Math.min(y, zero), share - gap, tall];
      };
      g.fillStyle = view.colours.tint;
      for (let i = 0; i < n; i++) g.fillRect(...box(i, heights[i]));
      outlines(g, view, /** @type {Moment} */ (moment), box, heights);
    },
  };

  /**
   * Outline redrawn numbers, with a dashed line at their old heights.
   * @param {Canvas} g @param {PictureView} view @param {Moment} moment
   * @param {(i: number, height: number) => [x: number, y: number, w: number, h: number]} box
   * @param {Uint16Array} heights
   */
  function outlines(g, view, { before, after, origin }, box, heights) {
    const restart = after.chosen.length === spec.variables;
    if (restart && after.event !== REDRAW) return;
    const chosen = new Set(after.chosen);
    const source = after.event === REVERTED ? before : origin;
    g.strokeStyle = restart ? view.colours.full : view.colours.partial;
    g.lineWidth = 2;
    for (let i = 0; i < n; i++) {
      if (!chosen.has(owners[i])) continue;
      g.globalAlpha = after.event === KEPT ? 0.6 : 1;
      g.strokeRect(...box(i, heights[i]));
      if (restart || !source) continue;
      g.globalAlpha = 0.75;
      g.setLineDash([4, 3]);
      g.strokeRect(...box(i, source[channel][i]));
      g.setLineDash([]);
    }
    g.globalAlpha = 1;
  }
}

/** The whole configuration as one point, with the position before the redraw. @type {MakeLayer} */
export function place(spec) {
  return {
    legend: LEGEND,
    shape,
    draw(g, view, moment) {
      for (const each of spec.axes) axis(g, view, each);
      if (moment.after) ballInPlane(g, view, /** @type {Moment} */ (moment), spec.channel);
    },
  };
}
