// A landscape with a ball on it, as one profile per coordinate or as a relief seen from above.

import { REDRAW, REVERTED } from "../base/words.js";
import { arrowHead, disc, redraws } from "../base/marks.js";
import { context } from "../base/dom.js";
import { between, boxOf, shadesOf, titleAbove } from "../base/shades.js";

const HIGHEST = 65535;
const BALL = 7; // pixels
const LEAP = 0.3; // height of a redrawn ball's flight, as a share of a profile's height
const BOW = 0.3; // bend of a leap's arrow in the relief, as a share of its length
const LINE_OF_WORDS = 14; // height of a line of text in pixels
const WIDEST = 5, NARROWEST = 1; // limits of the aspect ratio
const GROUND_SHADE = 0.28, LOWER_SHADE = 0.85; // share of the tint in the background, and in the parts of the relief below the best cost
const SLOPES = 0.14; // strength of light and shadow on slopes

export const LEGEND = [
  ['<circle cx="8" cy="8" r="4.5" stroke="var(--pv-ink)" stroke-dasharray="2.4 2"/>', "checkpoint"],
  ['<circle cx="8" cy="8" r="4.5" fill="var(--pv-ink)" stroke="none"/>', "now"],
  ...redraws('<circle cx="8" cy="8" r="4.5" fill="currentColor"/>'),
];
const LOWER = ['<rect x="1" y="4" width="14" height="8" stroke="none" fill="var(--pv-tint)" fill-opacity="0.85"/>',
  "still lower", " than the best so far"];

/** Return the aspect ratio that fills the space, within limits. @param {number} room */
export function shape(room) {
  return Math.max(NARROWEST, Math.min(WIDEST, room));
}

/**
 * Return the frames before (`from`) and after (`to`) the last redraw of this call, if they are known.
 * @param {Moment} moment
 */
function leapOf({ after, origin, way }) {
  const landed = after.event === REDRAW ? after : way.findLast(({ event }) => event === REDRAW);
  return landed && { from: origin, to: landed, restart: landed.level === landed.counters.length };
}

/** @param {Frame} frame */
function leaps({ event }) {
  return event === REDRAW || event === REVERTED;
}

/** @param {number} t */
function eased(t) {
  return t * t * (3 - 2 * t);
}

/** Draw the checkpoint. @param {Canvas} g @param {PictureView} view @param {Point} place */
function ghost(g, view, place, radius = BALL) {
  g.strokeStyle = view.colours.ink;
  g.lineWidth = 1.5;
  g.setLineDash([3.5, 3]);
  g.beginPath();
  g.arc(...place, radius, 0, 2 * Math.PI);
  g.stroke();
  g.setLineDash([]);
}

/** @param {Canvas} g @param {PictureView} view @param {Point} place @param {string} colour */
function ball(g, view, place, colour, radius = BALL) {
  g.fillStyle = colour;
  g.strokeStyle = view.colours.ground;
  g.lineWidth = 2;
  disc(g, place, radius);
}

/**
 * Draw an arrow from ball to ball over a point between them; it is dashed for a revert.
 * @param {Canvas} g @param {string} colour @param {Point} from @param {Point} over @param {Point} to
 * @param {boolean} back
 */
function leapArrow(g, colour, from, over, to, back, radius = BALL) {
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 2 * radius) return;
  const towards = /** @returns {Point} */ (/** @type {Point} */ [x, y]) => {
    const away = Math.hypot(x - over[0], y - over[1]) || 1;
    return [(x - over[0]) / away, (y - over[1]) / away];
  };
  /** @type {(centre: Point, way: Point, room: number) => Point} */
  const rim = ([x, y], [ux, uy], room) => [x - (radius + room) * ux, y - (radius + room) * uy];
  const along = towards(to);
  const tip = rim(to, along, 5);
  g.strokeStyle = g.fillStyle = colour;
  g.lineWidth = 1.75;
  g.globalAlpha = 0.85;
  g.setLineDash(back ? [5, 4] : []);
  g.beginPath();
  g.moveTo(...rim(from, towards(from), 0));
  g.quadraticCurveTo(...over, ...tip);
  g.stroke();
  g.setLineDash([]);
  arrowHead(g, tip, along);
  g.globalAlpha = 1;
}

/** Profiles of the landscape along its coordinates, each with its ball. @type {MakeLayer} */
export function profiles(spec, assets) {
  /** @type {{samples: number, panels: {box: [number, number, number, number], title?: string}[]}} */
  const { samples: n, panels } = spec;
  const fixed = spec.asset ? new Uint16Array(assets[spec.asset]) : null;

  /**
   * Return the height of profile `i` at `u` (0 to 1), as a share of the largest height.
   * @param {Uint16Array} heights @param {number} i @param {number} u
   */
  function height(heights, i, u) {
    const at = Math.max(0, Math.min(n - 1, u * (n - 1)));
    const low = Math.min(n - 2, Math.floor(at));
    const [a, b] = [heights[i * n + low], heights[i * n + low + 1]];
    return (a + (b - a) * (at - low)) / HIGHEST;
  }

  /** @param {Canvas} g @param {Uint16Array} heights @param {number} i @param {Box} box @param {number} least */
  function outline(g, heights, i, { x, y, width, height: tall }, least) {
    for (let s = 0; s < n; s++) {
      const share = Math.min(least, heights[i * n + s] / HIGHEST);
      g.lineTo(x + (s / (n - 1)) * width, y + tall * (1 - share));
    }
  }

  /**
   * @param {Canvas} g @param {PictureView} view @param {Uint16Array} heights @param {number} i @param {Box} box
   * @param {number} best
   */
  function ground(g, view, heights, i, box, best) {
    const { x, y, width, height: tall } = box;
    g.beginPath();
    g.moveTo(x, y + tall);
    outline(g, heights, i, box, Infinity);
    g.lineTo(x + width, y + tall);
    g.fillStyle = view.colours.tint;
    g.globalAlpha = GROUND_SHADE;
    g.fill();
    if (best < 1) {
      const level = y + tall * (1 - best);
      g.beginPath();
      g.moveTo(x, level);
      outline(g, heights, i, box, best);
      g.lineTo(x + width, level);
      g.globalAlpha = LOWER_SHADE;
      g.fill();
      g.globalAlpha = 0.8;
      g.strokeStyle = view.colours.quiet;
      g.lineWidth = 1;
      g.setLineDash([2, 4]);
      g.beginPath();
      g.moveTo(x, Math.round(level) + 0.5);
      g.lineTo(x + width, Math.round(level) + 0.5);
      g.stroke();
      g.setLineDash([]);
    }
    g.globalAlpha = 1;
    g.beginPath();
    outline(g, heights, i, box, Infinity);
    g.strokeStyle = view.colours.tint;
    g.lineWidth = 1.75;
    g.lineJoin = "round";
    g.stroke();
  }

  /** @param {Canvas} g @param {string} colour @param {Box} box */
  function frameOf(g, colour, { x, y, width, height: tall }) {
    g.strokeStyle = colour;
    g.lineWidth = 1.5;
    g.strokeRect(x - 2, y - 2, width + 4, tall + 4);
  }

  return {
    legend: spec.ceiling ? [LOWER, ...LEGEND] : LEGEND,
    shape,
    draw(g, view, moment) {
      const { before, after, t } = moment;
      const heights = fixed ?? (after && between((before ?? after)[spec.heights], after[spec.heights], t));
      if (!heights) return;
      const readable = spec.line * (view.y(0) - view.y(1)) > LINE_OF_WORDS; // on a smaller picture, the text would cover the curves
      if (spec.title && readable) titleAbove(g, view, { x: view.x(0) + 4, y: view.y(1) + 20 }, spec.title);
      const leap = after && leapOf(/** @type {Moment} */ (moment));
      panels.forEach(({ box: corners, title }, i) => {
        const box = boxOf(corners, view);
        const radius = Math.min(BALL, box.height / 5);
        const best = spec.ceiling && after ? Math.max(0, after.best) / spec.ceiling : 1;
        if (title && readable) titleAbove(g, view, box, title);
        ground(g, view, heights, i, box, best);
        if (!after) return;
        const place = /** @returns {Point} */ (/** @type {number} */ u) => [box.x + u * box.width, box.y + box.height * (1 - height(heights, i, u))];
        const at = (/** @type {Frame} */ frame) => frame[spec.channel][i] / HIGHEST;
        const [from, to] = [at(before ?? after), at(after)];
        const s = leaps(after) ? eased(t) : t;
        let here = place(from + (to - from) * s);
        if (leaps(after)) { // the ball leaps over the hills
          const [a, b] = [place(from), place(to)];
          const up = from === to ? 0 : 4 * s * (1 - s) * LEAP * box.height;
          here = [a[0] + (b[0] - a[0]) * s, Math.max(box.y, a[1] + (b[1] - a[1]) * s - up)];
        }
        const back = after.event === REVERTED;
        const redrawn = leap && leap.to.chosen.includes(i);
        const restart = leap?.restart ?? false;
        const colour = restart ? view.colours.full : view.colours.partial;
        if (redrawn && panels.length > 1) frameOf(g, colour, box);
        if (redrawn && (leap.from || back)) {
          const [a, b] = back || !leap.from ? [place(from), place(to)] : [place(at(leap.from)), place(at(leap.to))];
          /** @type {Point} */
          const over = [(a[0] + b[0]) / 2, Math.max(box.y, Math.min(a[1], b[1]) - LEAP * box.height)];
          if (!back) ghost(g, view, a, radius);
          leapArrow(g, colour, a, over, b, back, radius);
        }
        ball(g, view, here, redrawn && after.event === REDRAW ? colour : view.colours.ink, radius);
      });
    },
  };
}

/**
 * Draw a landscape of two dimensions from above, with colours for heights and light from one side.
 * @type {MakeLayer}
 */
export function relief(spec, assets) {
  const { samples: n, ceiling } = spec;
  const heights = new Uint16Array(assets[spec.asset]);
  const picture = document.createElement("canvas");
  picture.width = picture.height = n;
  let drawn = "";

  /** @param {PictureView} view @param {number} best */
  function render(view, best) {
    const g = context(picture);
    const image = g.createImageData(n, n);
    const rgba = new Uint32Array(image.data.buffer);
    const { ground, tint } = view.colours;
    const shades = shadesOf({ ground, tint: `color-mix(in srgb, ${ground}, ${tint})`, ink: tint });
    const share = (/** @type {number} */ row, /** @type {number} */ column) => heights[Math.min(row, n - 1) * n + Math.min(column, n - 1)] / HIGHEST;
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const here = share(row, column);
        const slope = (share(row + 1, column + 1) - here) * (n / 24);
        const lit = Math.max(-SLOPES, Math.min(SLOPES, slope));
        const shade = (here * ceiling < best ? LOWER_SHADE : 0.15 + 0.3 * Math.sqrt(here)) + lit;
        rgba[(n - 1 - row) * n + column] = shades[Math.round(255 * shade)]; // rows of a picture begin at the top
      }
    }
    g.putImageData(image, 0, 0);
  }

  return {
    legend: [LOWER, ...LEGEND],
    shape, // the two coordinates may have different scales
    draw(g, view, moment) {
      const { after } = moment;
      const best = after && Number.isFinite(after.best) ? after.best : 0;
      const key = `${view.theme} ${best}`;
      if (drawn !== key) {
        render(view, best);
        drawn = key;
      }
      const [x, y] = [view.x(0), view.y(1)];
      g.drawImage(picture, x, y, view.x(1) - x, view.y(0) - y);
      if (moment.after) ballInPlane(g, view, /** @type {Moment} */ (moment), spec.channel);
    },
  };
}

/**
 * Draw the ball of a channel from above, with the arrow of its redraw or revert.
 * @param {Canvas} g @param {PictureView} view @param {Moment} moment @param {string} channel
 */
export function ballInPlane(g, view, moment, channel) {
  const { before, after, t } = moment;
  const place = /** @returns {Point} */ (/** @type {Frame} */ frame) => {
    const [u, v] = frame[channel];
    return [view.x(u / HIGHEST), view.y(v / HIGHEST)];
  };
  const [a, b] = [place(before ?? after), place(after)];
  const s = leaps(after) ? eased(t) : t;
  const leap = leapOf(moment);
  const colour = leap?.restart ? view.colours.full : view.colours.partial;
  const back = after.event === REVERTED;
  if (leap && (leap.from || back)) {
    const [from, to] = back || !leap.from ? [a, b] : [place(leap.from), place(leap.to)];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    /** @type {Point} */
    const over = [from[0] + dx / 2 + BOW * dy, from[1] + dy / 2 - BOW * Math.abs(dx)];
    if (!back) ghost(g, view, from);
    leapArrow(g, colour, from, over, to, back);
  }
  /** @type {Point} */
  const here = [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s];
  ball(g, view, here, after.event === REDRAW ? colour : view.colours.ink);
}
