// A spin glass: spins up and down, with highlighted frustrated bonds, tinted kept cells and outlined redrawn cells.

import { KEPT, REDRAW, REVERTED, percent } from "../base/words.js";
import { labelSize } from "../base/shades.js";
import { KEPT_WASH, redraws, wash } from "../base/marks.js";

const FULL = 65535;
const SEGMENT = 7; // numbers per bond: two spins, the sign (1 if positive), and two ends
const SIDE = 0.58; // side of a spin's square, as a share of a cell
const NEAR = 1 / 16; // lines that are closer than this share of a cell count as one line

const OVER = 0.5; // pixels by which the tint of a cell overlaps its neighbours, to avoid seams

/** The background of the spins, which shows kept and redrawn spins. @type {MakeLayer} */
export function cells(spec, assets) {
  const xy = new Uint16Array(assets[spec.asset]);
  return {
    legend: [],
    draw(g, view, { after }) {
      if (!after) return;
      const side = spec.cell * (view.x(1) - view.x(0)) + 2 * OVER;
      wash(g, view.colours, after.chosen, xy.length / 2, (i) => [
        view.x(xy[2 * i] / FULL) - side / 2, view.y(xy[2 * i + 1] / FULL) - side / 2, side, side]);
    },
  };
}

/** The bonds, [i, j, sign, x, y, x, y] each. Satisfied bonds are thin, frustrated bonds highlighted. @type {MakeLayer} */
export function bonds(spec, assets) {
  const lines = new Uint16Array(assets[spec.asset]);
  return {
    legend: [['<path d="M2 8h12" stroke="var(--pv-tint)" stroke-width="3.5"/>', "frustrated"]],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const spins = (t < 0.5 && before ? before : after)[spec.channel];
      drawBonds(g, view, lines, spins, spec.cell * (view.x(1) - view.x(0)));
    },
  };
}

/**
 * @param {Canvas} g @param {PictureView} view @param {Uint16Array} lines @param {Uint8Array} spins @param {number} cell
 */
function drawBonds(g, view, lines, spins, cell) {
  for (const lit of [false, true]) {
    g.strokeStyle = lit ? view.colours.tint : view.colours.line;
    g.lineWidth = lit ? Math.max(1.5, 0.24 * cell) : 1;
    g.lineCap = "butt";
    g.beginPath();
    for (let b = 0; b < lines.length; b += SEGMENT) {
      const alike = spins[lines[b]] === spins[lines[b + 1]];
      if ((alike === (lines[b + 2] === 1)) === lit) continue;
      g.moveTo(view.x(lines[b + 3] / FULL), view.y(lines[b + 4] / FULL));
      g.lineTo(view.x(lines[b + 5] / FULL), view.y(lines[b + 6] / FULL));
    }
    g.stroke();
  }
}

/**
 * Return the outline of the chosen cells as lines [x, y, x, y] in units of cells, which do not depend on the zoom.
 * @param {number[]} chosen @param {(i: number) => Point} place
 */
function edges(chosen, place) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  const [x0, y0] = chosen.length ? place(chosen[0]) : [0, 0];
  const key = (/** @type {number} */ x, /** @type {number} */ y) => [x - x0, y - y0].map((from) => Math.round(from / NEAR)).join();
  for (const i of chosen) {
    const [x, y] = place(i), left = x - 0.5, right = x + 0.5, below = y - 0.5, above = y + 0.5;
    for (const side of [[left, below, right, below], [left, above, right, above],
      [left, below, left, above], [right, below, right, above]]) {
      const middle = key((side[0] + side[2]) / 2, (side[1] + side[3]) / 2);
      if (found.has(middle)) found.delete(middle);
      else found.set(middle, side);
    }
  }
  return found.values();
}

/**
 * @param {Canvas} g @param {PictureView} view @param {Frame} frame @param {Uint16Array} xy @param {number} wide
 * @param {number} n
 */
function outline(g, view, { event, chosen }, xy, wide, n) {
  const restart = chosen.length === n, high = wide * view.aspect; // height of a cell in the unit square
  if (restart && event !== REDRAW) return;
  g.strokeStyle = restart ? view.colours.full : view.colours.partial;
  g.lineWidth = 2.25;
  g.lineCap = "square";
  g.globalAlpha = event === KEPT ? 0.6 : 1;
  g.setLineDash(event === REVERTED ? [5, 3] : []);
  g.beginPath();
  for (const [a, b, c, d] of edges(chosen, (i) => [xy[2 * i] / FULL / wide, xy[2 * i + 1] / FULL / high])) {
    g.moveTo(view.x(a * wide), view.y(b * high));
    g.lineTo(view.x(c * wide), view.y(d * high));
  }
  g.stroke();
  g.setLineDash([]);
  g.globalAlpha = 1;
}

/** Format a number with two decimals, or with none from 100 on, so that its width hardly changes. @param {number} value */
function signed(value) {
  const size = Math.abs(value), digits = size >= 100 ? size.toFixed(0) : size.toFixed(2);
  return `${value < 0 && Number(digits) ? "−" : ""}${digits}`;
}

/**
 * Write energy and magnetisation per spin, and the share of frustrated bonds.
 * @param {Canvas} g @param {PictureView} view @param {any} spec @param {Frame} frame
 */
export function spinWords(g, view, spec, frame) {
  const { colours, width } = view, size = labelSize(view);
  const spins = frame[spec.channel], n = spins.length;
  const up = spins.reduce((/** @type {number} */ sum, /** @type {number} */ spin) => sum + spin, 0);
  const energy = signed(frame[spec.energy][0] / n), m = signed((2 * up - n) / n);
  const share = percent(frame[spec.frustrated][0]);
  g.font = `${size}px ${colours.font}`;
  g.textBaseline = "top";
  g.textAlign = "left";
  const long = `energy per spin ${energy} · magnetisation ${m} · frustrated ${share}`;
  const short = `frustrated ${share}`; // this text also fits beside a second picture on a phone
  const text = [long, `E/N ${energy} · m ${m} · ${short}`].find((line) => g.measureText(line).width < width - 20) ?? short;
  g.fillStyle = colours.ground; // the background of the text, over a zoomed picture
  g.fillRect(6, 0, g.measureText(text).width + 8, 1.6 * size);
  g.fillStyle = colours.quiet;
  g.fillText(text, 10, 4);
}

/** @type {MakeLayer} */
export function lattice(spec, assets) {
  const xy = new Uint16Array(assets[spec.asset]);
  return {
    legend: [
      ['<rect x="1" y="4" width="6.5" height="8" fill="var(--pv-ink)" stroke="none"/>'
        + '<rect x="9" y="4.5" width="6" height="7" stroke-width="1"/>', "up, down"],
      KEPT_WASH,
      ...redraws('<rect x="2.5" y="2.5" width="11" height="11" stroke-width="2"/>'),
    ],
    draw(g, view, { before, after, t }) {
      if (!after) return;
      const to = after[spec.channel], from = before?.[spec.channel] ?? to, n = to.length;
      const cell = spec.cell * (view.x(1) - view.x(0)), side = SIDE * cell;
      const at = /** @returns {Point} */ (/** @type {number} */ i) => [view.x(xy[2 * i] / FULL), view.y(xy[2 * i + 1] / FULL)];
      const edge = side > 5 ? 1 : 0;
      for (let i = 0; i < n; i++) {
        const [x, y] = at(i);
        if (x < -cell || y < -cell || x > view.width + cell || y > view.height + cell) continue;
        const high = from[i] + (to[i] - from[i]) * t; // 0 is down, 1 is up
        g.fillStyle = view.colours.ground;
        g.fillRect(x - side / 2, y - side / 2, side, side);
        g.fillStyle = view.colours.ink;
        g.globalAlpha = high;
        g.fillRect(x - side / 2, y - side / 2, side, side);
        g.globalAlpha = 1;
        if (edge) {
          g.strokeStyle = view.colours.quiet;
          g.lineWidth = edge;
          g.strokeRect(x - side / 2, y - side / 2, side, side);
        }
      }
      outline(g, view, after, xy, spec.cell, n);
      spinWords(g, view, spec, after);
    },
  };
}
