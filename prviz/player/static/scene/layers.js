// Layers of a picture. LAYERS maps a kind to a function (spec, assets, fetch, wake) → {legend, draw(g, view, moment)}.
// `fetch(name)` loads a layer's `lazy` asset; `wake()` requests a redraw. A layer may also have
// - put(xy): replace the points of its asset by other points, as u16 pairs;
// - shape(aspect ratio of the space) → the aspect ratio of the picture that fills the space best;
// - hint(x, y): a sentence about a position, for the tooltip;
// - a tool: a button {label, title, press(moment) → true if it is down now};
// - a choice of something in the picture: {node, click(x, y), key(key) → words or null, close() → true if something was
//   closed, focus(on), follow(frame)}.
// types.d.ts describes the parts of a moment.

import { REDRAW, KEPT, REVERTED } from "../base/words.js";
import { context } from "../base/dom.js";
import { profiles, relief } from "./landscape.js";
import { arrowHead, disc, redraws } from "../base/marks.js";
import { bonds, cells, lattice } from "./lattice.js";
import { matrices } from "./markov/matrices.js";
import { names } from "./names.js";
import { bars, place } from "./numbers.js";
import { series } from "./markov/series.js";
import { strip } from "./markov/strip.js";
import { codes, shares, weights } from "./tiles.js";
import { wall } from "./wall.js";

const FULL = 65535;
const MOST_MARKS = 20000; // largest number of points that are single marks in print; more points are one bitmap
const MANY = 12; // largest number of redrawn variables that have arrows

/** @type {Record<string, MakeLayer>} */
export const LAYERS = {
  points, truth, markers, matrices, series, strip, wall, names, weights, codes, shares, profiles, relief, bars, place, cells,
  bonds, lattice,
};

/** @param {ArrayBuffer} buffer */
function u16(buffer) {
  return new Uint16Array(buffer);
}

/** Static points, cached as a picture until the view changes; in print, up to MOST_MARKS points are single marks. @type {MakeLayer} */
function points(spec, assets) {
  /** @type {Uint16Array} */
  let xy = u16(assets[spec.asset]);
  const picture = document.createElement("canvas");
  let drawn = "";
  /** @param {PictureView} view */
  function render(view) {
    picture.width = view.width * view.ratio;
    picture.height = view.height * view.ratio;
    squares(context(picture), view, xy, view.ratio, Math.round, spec.dot);
  }
  return {
    legend: [],
    put(others) {
      xy = others;
      drawn = "";
    },
    draw(g, view) {
      if (g.vector && xy.length <= 2 * MOST_MARKS) {
        g.save();
        squares(g, view, xy, 1, Number, spec.dot);
        g.restore();
        return;
      }
      if (drawn !== view.key) {
        render(view);
        drawn = view.key;
      }
      g.drawImage(picture, 0, 0, view.width, view.height);
    },
  };
}

/**
 * Draw a square per point, with `ratio` dots per pixel; `whole` rounds to whole dots. `dot` is
 * the size of a point in pixels, 1.6 by default.
 * @param {Canvas} g @param {PictureView} view @param {Uint16Array} xy @param {number} ratio
 * @param {(x: number) => number} whole @param {number} [dot]
 */
function squares(g, view, xy, ratio, whole, dot) {
  const size = Math.max(1, whole((dot ?? 1.6) * view.marks * ratio * Math.sqrt(view.zoom)));
  const [width, height] = [view.width * ratio, view.height * ratio];
  g.globalAlpha = Math.min(0.75, (dot ? 0.6 : 0.26) + 0.1 * Math.log2(view.zoom));
  g.fillStyle = view.colours.ink;
  for (let i = 0; i < xy.length; i += 2) {
    const x = view.x(xy[i] / FULL) * ratio, y = view.y(xy[i + 1] / FULL) * ratio;
    if (x < -size || y < -size || x > width || y > height) continue;
    g.fillRect(whole(x - size / 2), whole(y - size / 2), size, size);
  }
}

/** The ground truth: clusters without a centre, and clusters with two or more centres. @type {MakeLayer} */
function truth(spec, assets) {
  const xy = u16(assets[spec.asset]);
  return {
    legend: [
      ['<circle cx="8" cy="8" r="6" stroke-dasharray="2.6 2.2"/>', `no ${spec.label}`],
      ['<rect x="2.5" y="2.5" width="11" height="11" rx="2"/>', "two or more"],
    ],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const claims = (t < 0.5 ? before : after)[spec.channel];
      g.strokeStyle = view.colours.ink;
      g.globalAlpha = 0.8;
      g.lineWidth = 1.25 * view.marks;
      const r = 13 * view.marks * Math.sqrt(view.zoom);
      for (let i = 0; i < claims.length; i++) {
        if (claims[i] === 1) continue;
        const x = view.x(xy[2 * i] / FULL), y = view.y(xy[2 * i + 1] / FULL);
        g.beginPath();
        g.setLineDash(claims[i] ? [] : [4, 3.5]);
        if (claims[i]) g.roundRect(x - r, y - r, 2 * r, 2 * r, 3);
        else g.arc(x, y, r, 0, 2 * Math.PI);
        g.stroke();
      }
      g.setLineDash([]);
      g.globalAlpha = 1;
    },
  };
}

/**
 * Return a function that returns the positions of a frame's variables, from a channel or from static points.
 * @param {any} spec @param {Assets} assets @returns {(frame: Frame) => ArrayLike<number> | undefined}
 */
function positions(spec, assets) {
  if (!spec.asset) return (frame) => frame[spec.channel];
  const xy = u16(assets[spec.asset]);
  /** @type {WeakMap<Frame, number[]>} */
  const known = new WeakMap();
  return (frame) => {
    if (!known.has(frame)) {
      const at = /** @type {number[]} */ (Array.from(frame[spec.channel]));
      known.set(frame, at.flatMap((i) => [xy[2 * i], xy[2 * i + 1]]));
    }
    return known.get(frame);
  };
}

/**
 * Moving positions of variables, with trails, and with a ring and an arrow for redrawn variables. If variables have
 * several positions, `rows` lists the positions of each variable.
 * @type {MakeLayer}
 */
function markers(spec, assets) {
  const placed = positions(spec, assets);
  /** @type {(frame: Frame) => number[]} */
  const marksOf = ({ chosen }) => (spec.rows ? chosen.flatMap((variable) => spec.rows[variable]) : chosen);
  return {
    legend: [
      ['<circle cx="8" cy="8" r="3.5" fill="var(--pv-kept)" stroke="none"/>', "kept"],
      ...redraws('<path d="M1 8h5M4 6l2 2-2 2"/><circle cx="11.5" cy="8" r="3.7"/>', '<circle cx="8" cy="8" r="5"/>'),
    ],
    draw(g, view, { before, after, t, origin, way }) {
      const to = after && placed(after);
      if (!to) return;
      const from = placed(before) ?? to;
      const ease = after.event === REDRAW || after.event === REVERTED ? t * t * (3 - 2 * t) : t;
      const placeOf = /** @returns {Point} */ (/** @type {number} */ i) => [
        view.x((from[2 * i] + (to[2 * i] - from[2 * i]) * ease) / FULL),
        view.y((from[2 * i + 1] + (to[2 * i + 1] - from[2 * i + 1]) * ease) / FULL),
      ];
      const at = /** @returns {Point} */ (/** @type {Frame} */ frame, /** @type {number} */ i) => {
        const xy = placed(frame) ?? to;
        return [view.x(xy[2 * i] / FULL), view.y(xy[2 * i + 1] / FULL)];
      };
      const n = to.length / 2;
      const chosen = marksOf(after);
      const restart = chosen.length === n;
      const steps = after.event === REVERTED || !spec.trail ? [] : way.slice(-spec.trail);
      if (steps.length) trails(g, view, n, steps, at, placeOf);
      if (!restart && chosen.length <= MANY) {
        for (const i of chosen) arrow(g, view, i, { before, after, origin, at, placeOf });
      }
      g.strokeStyle = view.colours.ground;
      g.lineWidth = 2.5 * view.marks; // the disc covers half of this line
      const r = 4.25 * view.marks * Math.min(1.6, Math.sqrt(view.zoom));
      const redrawn = new Set(chosen);
      for (let i = 0; i < n; i++) {
        g.fillStyle = restart ? view.colours.full : redrawn.has(i) ? view.colours.partial : view.colours.kept;
        disc(g, placeOf(i), r);
      }
      if (restart && after.event === REDRAW) rings(g, view.colours.full, chosen, placeOf, r + 3.5 * view.marks, 1.75 * view.marks);
      else if (!restart) rings(g, view.colours.partial, chosen, placeOf, r + 5 * view.marks, 2.25 * view.marks);
    },
  };
}

/**
 * @param {Canvas} g @param {string} colour @param {number[]} chosen @param {(i: number) => Point} placeOf
 * @param {number} r @param {number} width
 */
function rings(g, colour, chosen, placeOf, r, width) {
  g.strokeStyle = colour;
  g.lineWidth = width;
  for (const i of chosen) {
    g.beginPath();
    g.arc(...placeOf(i), r, 0, 2 * Math.PI);
    g.stroke();
  }
}

/**
 * @param {Canvas} g @param {PictureView} view @param {number} n @param {Frame[]} steps
 * @param {(frame: Frame, i: number) => Point} at @param {(i: number) => Point} placeOf
 */
function trails(g, view, n, steps, at, placeOf) {
  g.strokeStyle = view.colours.ink;
  g.globalAlpha = 0.45;
  g.lineWidth = 2;
  g.lineCap = "round";
  g.beginPath();
  for (let i = 0; i < n; i++) {
    g.moveTo(...at(steps[0], i));
    for (let s = 1; s < steps.length; s++) g.lineTo(...at(steps[s], i));
    g.lineTo(...placeOf(i));
  }
  g.stroke();
  g.globalAlpha = 1;
}

/**
 * Draw an arrow from the old to the new position; it is dashed for a revert.
 * @param {Canvas} g @param {PictureView} view @param {number} i
 * @param {{before: Frame, after: Frame, origin: Frame | null, at: (frame: Frame, i: number) => Point, placeOf: (i: number) => Point}} shown
 */
function arrow(g, view, i, { before, after, origin, at, placeOf }) {
  const back = after.event === REVERTED;
  const source = back ? before : origin;
  if (!source) return;
  const [x0, y0] = at(source, i), [x1, y1] = placeOf(i);
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 18) return;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [ex, ey] = [x1 - 11 * view.marks * ux, y1 - 11 * view.marks * uy]; // the arrow ends at the ring
  g.strokeStyle = g.fillStyle = view.colours.partial;
  g.globalAlpha = after.event === KEPT ? 0.55 : 0.9;
  g.lineWidth = 1.75;
  g.setLineDash(back ? [5, 4] : []);
  g.beginPath();
  g.arc(x0, y0, 3, 0, 2 * Math.PI);
  g.moveTo(x0 + 3 * ux, y0 + 3 * uy);
  g.lineTo(ex, ey);
  g.stroke();
  g.setLineDash([]);
  arrowHead(g, [ex, ey], [ux, uy]);
  g.globalAlpha = 1;
}
