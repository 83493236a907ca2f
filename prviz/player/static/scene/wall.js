// A wall of pictures, one tile per medoid, the largest cluster first. The bar below a picture shows the cluster's size.
// The number of columns makes the tiles as large as possible. Tiles move only after the decision of a call.

import { KEPT, REDRAW, REVERTED, count } from "../base/words.js";
import { Members } from "./members.js";
import { context, h } from "../base/dom.js";
import { redraws } from "../base/marks.js";

const GAP = 0.07; // gap between tiles, as a share of a tile's width
const SIZE_ROOM = 44; // smallest width in pixels of a tile that shows the cluster's size as a number
const FACE = 40; // size of a member's picture in pixels
const COARSE = 24; // pictures of at most this width in pixels are enlarged without smoothing
const BAR_ROOM = 0.6; // height of the bar, as a share of the space below a picture

/** @typedef {Pick<PictureView, "colours" | "theme" | "ratio">} Paper */

const decision = (/** @type {Frame} */ frame) => frame.event === KEPT || frame.event === REVERTED;

/** @type {MakeLayer} */
export function wall(spec, assets, fetch, wake) {
  const sprite = spriteOf(spec, assets[spec.asset]);
  /** @type {WeakMap<Frame, number[]>} */
  const orders = new WeakMap();
  /** @type {PictureView} the last drawing */
  let view;
  /** @type {Frame | null} */
  let shown = null;

  const name = (/** @type {number} */ point) => `picture ${count(point)}`;
  const members = new Members({ spec, fetch, wake, name, n: sprite.n, face: (point) => sprite.node(point, view) });

  /** Return the slots sorted by cluster size, and by number if sizes are equal. @param {Frame} frame @returns {number[]} */
  function sorted(frame) {
    const known = orders.get(frame);
    if (known) return known;
    /** @type {Uint16Array} */
    const sizes = frame[spec.sizes];
    const slots = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a] || a - b);
    orders.set(frame, slots);
    return slots;
  }

  const ordered = (/** @type {Frame} */ frame, /** @type {Frame} */ start) => sorted(decision(frame) ? frame : start);

  /** @param {number} place @param {PictureView} v */
  function tile(place, v) {
    const { columns } = members;
    const width = (v.x(1) - v.x(0)) / columns;
    const x = v.x((place % columns) / columns);
    const y = v.y(1) + Math.floor(place / columns) * width * spec.tall;
    return { x, y, width };
  }

  /** @param {number} px @param {number} py */
  function slotAt(px, py) {
    if (!view || !shown) return -1;
    const { order, columns } = members;
    const { x, y, width } = tile(0, view);
    const column = Math.floor((px - x) / width), row = Math.floor((py - y) / (width * spec.tall));
    if (column < 0 || row < 0 || column >= columns) return -1;
    return order[row * columns + column] ?? -1;
  }

  const onLeft = (/** @type {number} */ slot) => {
    const { x, width } = tile(members.order.indexOf(slot), view);
    return x + width / 2 > view.width / 2;
  };

  return {
    legend: [
      ['<rect x="3" y="1" width="10" height="10" rx="1"/><path d="M3 14h7" stroke-width="2.5"/>',
        "medoid, and size of its cluster"],
      ...redraws('<rect x="2" y="2" width="12" height="12" rx="1" stroke-width="2.5"/>'),
    ],
    choice: members.choice(slotAt, onLeft),
    shape(aspect) {
      const width = (/** @type {number} */ c) => Math.min(aspect / c, 1 / (Math.ceil(spec.tiles / c) * spec.tall));
      let columns = 1;
      for (let c = 2; c <= spec.tiles; c++) if (width(c) > width(columns)) columns = c;
      members.columns = columns;
      return columns / (Math.ceil(spec.tiles / columns) * spec.tall);
    },
    draw(g, now, { before, after, t, start }) {
      if (!after) return;
      [view, shown] = [now, after];
      const from = before ?? after, ease = t * t * (3 - 2 * t);
      const old = new Map(ordered(from, start ?? from).map((slot, place) => [slot, place]));
      const order = members.order = ordered(after, start ?? after);
      const redrawn = new Set(after.chosen);
      const restart = redrawn.size === order.length;
      const most = Math.max(...after[spec.sizes]);
      const draws = order.map((slot, place) => {
        const [a, b] = [tile(old.get(slot) ?? place, view), tile(place, view)];
        const at = { ...b, x: a.x + (b.x - a.x) * ease, y: a.y + (b.y - a.y) * ease };
        return { slot, at, moves: a.x !== b.x || a.y !== b.y };
      });
      for (const { slot, at } of draws.sort((a, b) => Number(a.moves) - Number(b.moves))) {
        if (at.x + at.width < 0 || at.y + 2 * at.width < 0 || at.x > view.width || at.y > view.height) continue;
        const [p, q] = [from[spec.channel][slot], after[spec.channel][slot]];
        const box = sprite.box(at, GAP);
        const size = from[spec.sizes][slot] * (1 - ease) + after[spec.sizes][slot] * ease;
        sprite.change(g, view, box, p, q, p === q ? 1 : ease, after.event === REVERTED);
        const colour = restart ? "full" : redrawn.has(slot) ? "partial" : "kept";
        bar(g, view, at, box, size / most, after[spec.sizes][slot], view.colours[colour]);
        if (restart ? after.event === REDRAW : redrawn.has(slot)) outline(g, view, box, after, t, restart);
        if (slot === members.chosen || slot === members.cursor) frameRound(g, view, box, slot === members.cursor);
      }
    },
  };

  /**
   * @param {Canvas} g @param {PictureView} view @param {{x: number, y: number, width: number}} at
   * @param {Box} box @param {number} share @param {number} size @param {string} colour shows whether the medoid was redrawn
   */
  function bar(g, { colours }, at, box, share, size, colour) {
    const room = at.width * spec.tall - box.height - GAP * at.width;
    const height = Math.max(2, room * BAR_ROOM), y = box.y + box.height + 1;
    g.fillStyle = colour;
    g.fillRect(box.x, y, Math.max(1, share * box.width), height);
    if (at.width < SIZE_ROOM) return;
    g.font = `${colours.small}px ${colours.font}`;
    g.textAlign = "right";
    g.textBaseline = "bottom";
    const text = String(size), { width } = g.measureText(text);
    g.fillStyle = colours.ground;
    g.fillRect(box.x + box.width - width - 5, box.y + box.height - 15, width + 5, 15);
    g.fillStyle = colours.ink;
    g.fillText(text, box.x + box.width - 2, box.y + box.height);
  }
}

/**
 * Outline a redrawn tile. After a redraw or a revert the tile flashes; after a revert the outline is dashed.
 * @param {Canvas} g @param {PictureView} view @param {Box} box @param {Frame} frame @param {number} t
 * @param {boolean} restart
 */
function outline(g, { colours }, { x, y, width, height }, { event }, t, restart) {
  const colour = restart ? colours.full : colours.partial;
  if (t < 1 && (event === REDRAW || event === REVERTED)) {
    g.globalAlpha = 0.55 * (1 - t);
    g.fillStyle = colour;
    g.fillRect(x, y, width, height);
    g.globalAlpha = 1;
  }
  g.strokeStyle = colour;
  g.lineWidth = restart ? 1.5 : 3;
  g.setLineDash(event === REVERTED ? [4, 3] : []);
  g.strokeRect(x - 1, y - 1, width + 2, height + 2);
  g.setLineDash([]);
}

/**
 * Outline the tile whose members are listed, or the tile that keys have selected (dashed).
 * @param {Canvas} g @param {PictureView} view @param {Box} box @param {boolean} dashed
 */
function frameRound(g, { colours }, { x, y, width, height }, dashed) {
  g.strokeStyle = colours.ink;
  g.lineWidth = 2;
  g.setLineDash(dashed ? [2, 2] : []);
  g.strokeRect(x - 2, y - 2, width + 4, height + 4);
  g.setLineDash([]);
}

/** @type {WeakMap<ArrayBuffer, Sprite>} by data, because runs on one data set share them */
const sprites = new WeakMap();

/** @param {any} spec @param {ArrayBuffer} buffer */
function spriteOf(spec, buffer) {
  const sprite = sprites.get(buffer) ?? new Sprite(spec, new Uint8Array(buffer));
  sprites.set(buffer, sprite);
  return sprite;
}

/** All pictures on one canvas, which is drawn again only for another theme. */
class Sprite {
  /** @param {{pixels: [width: number, height: number], ink: boolean}} spec @param {Uint8Array} bytes */
  constructor({ pixels: [width, height], ink }, bytes) {
    this.width = width;
    this.height = height;
    this.ink = ink;
    this.bytes = bytes;
    this.n = bytes.length / (width * height);
    this.across = Math.ceil(Math.sqrt(this.n));
    const down = Math.ceil(this.n / this.across);
    this.canvas = h("canvas", { width: this.across * width, height: down * height });
    this.theme = "";
  }

  /** Draw the pictures: photographs unchanged, drawings in ink with the theme's colours. @param {Pick<PictureView, "colours" | "theme">} view */
  render({ colours, theme }) {
    this.theme = theme;
    const { width, height, bytes, across, canvas } = this;
    const g = context(canvas);
    const image = g.createImageData(canvas.width, canvas.height);
    const [low, high] = this.ink ? [rgb(colours.raised), rgb(colours.ink)] : [[0, 0, 0], [255, 255, 255]];
    for (let i = 0, p = 0; p < this.n; p++) {
      const left = (p % across) * width, top = Math.floor(p / across) * height;
      for (let y = 0; y < height; y++) {
        let at = ((top + y) * canvas.width + left) * 4;
        for (let x = 0; x < width; x++, i++) {
          const share = bytes[i] / 255;
          for (let c = 0; c < 3; c++) image.data[at++] = low[c] + (high[c] - low[c]) * share;
          image.data[at++] = 255;
        }
      }
    }
    g.putImageData(image, 0, 0);
  }

  /** Return the box of the picture in a tile. @param {{x: number, y: number, width: number}} tile @param {number} gap */
  box({ x, y, width }, gap) {
    const inner = width * (1 - gap);
    return { x: x + (width * gap) / 2, y: y + (width * gap) / 2, width: inner, height: inner * this.height / this.width };
  }

  /** @param {Canvas} g @param {Paper} view @param {number} point @param {Box} box */
  paint(g, view, point, { x, y, width, height }) {
    if (this.theme !== view.theme) this.render(view);
    const left = (point % this.across) * this.width, top = Math.floor(point / this.across) * this.height;
    g.imageSmoothingEnabled = this.width > COARSE || width * view.ratio < this.width;
    g.drawImage(this.canvas, left, top, this.width, this.height, x, y, width, height);
  }

  /**
   * Draw the change from one picture to another: a cross-fade, or for a revert a slide from the left.
   * @param {Canvas} g @param {Paper} view @param {Box} box @param {number} from @param {number} to
   * @param {number} t @param {boolean} back
   */
  change(g, view, box, from, to, t, back) {
    if (t < 1) this.paint(g, view, from, box);
    if (t >= 1) this.paint(g, view, to, box);
    else if (t > 0 && back) {
      g.save();
      g.beginPath();
      g.rect(box.x, box.y, box.width * t, box.height);
      g.clip();
      this.paint(g, view, to, { ...box, x: box.x - box.width * (1 - t) });
      g.restore();
    } else if (t > 0) {
      g.globalAlpha = t;
      this.paint(g, view, to, box);
      g.globalAlpha = 1;
    }
  }

  /** Return a node with one picture. @param {number} point @param {Paper} view */
  node(point, view) {
    const height = Math.round(FACE * this.height / this.width), ratio = 2;
    const canvas = h("canvas", { width: FACE * ratio, height: height * ratio, style: `width:${FACE}px;height:${height}px` });
    this.paint(context(canvas), { colours: view.colours, theme: view.theme, ratio: 1 }, point,
      { x: 0, y: 0, width: FACE * ratio, height: height * ratio });
    return canvas;
  }
}

/** Return the components of a computed colour. @param {string} colour */
function rgb(colour) {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
