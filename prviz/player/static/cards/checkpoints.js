// The small picture of the checkpoint on each card.

import { context, h, reducedMotion } from "../base/dom.js";
import { View, aspectOf, layersOf } from "../scene/scene.js";
import { KEPT, REDRAW, REVERTED } from "../base/words.js";

const TALL = 30, BROADEST = 44; // height and largest width of a card's picture in pixels
const SHRUNK = 8; // factor by which the picture is drawn larger and then scaled down, so that marks keep their proportions
const PATIENCE = 400; // milliseconds between two requests
const FLIGHT = 520; // milliseconds of the animation from a card to the scene

/**
 * @import { Engine } from "../run/engine.js"
 * @import { Film } from "../run/film.js"
 */

export class Checkpoints {
  /**
   * @param {import("./cards.js").Cards} cards @param {import("../scene/scene.js").Scene} scene @param {() => void} wake
   */
  constructor(cards, scene, wake) {
    this.cards = cards;
    this.scene = scene;
    this.wake = wake;
    this.view = new View(0);
    this.asked = 0; // time of the last request for frames
    this.busy = false;
    /** @type {Source | null} */ this.source = null;
    /** @type {Layer[]} */ this.layers = [];
    /** @type {(Frame | null)[]} frames by level */ this.drawn = [];
    /** @type {Frame | null} the last revert that was animated */ this.returned = null;
  }

  /** @param {Layout} layout @param {Assets} assets @param {Fetch} fetch @param {Source} source */
  set(layout, assets, fetch, source) {
    this.source = source;
    this.layers = layersOf(layout, assets, fetch, () => {});
    const wide = Math.min(BROADEST, Math.max(TALL, Math.round(TALL * aspectOf(layout))));
    const { view } = this;
    Object.assign(view, {
      width: SHRUNK * wide, height: SHRUNK * TALL, ratio: Math.min(2, devicePixelRatio || 1) / SHRUNK,
      aspect: aspectOf(layout),
    });
    for (const { shape } of this.layers) if (shape) view.aspect = shape(wide / TALL);
    for (const { picture } of this.cards.cards) {
      picture.width = Math.round(view.width * view.ratio);
      picture.height = Math.round(view.height * view.ratio);
      picture.hidden = false;
    }
    this.cards.node.style.setProperty("--pv-picture", `${wide}px`);
    this.drawn = this.cards.cards.map(() => null);
  }

  /**
   * Show the checkpoints at a frame; `seen` has the frames of its call so far. If `flies` is true, animate the checkpoint
   * to which a level reverts.
   * @param {Frame} frame @param {Frame[]} seen @param {Film} film @param {Engine} engine @param {boolean} flies
   */
  show(frame, seen, film, engine, flies) {
    const { theme } = this.scene.view;
    if (theme !== this.view.theme) {
      Object.assign(this.view, { theme, colours: this.scene.view.colours });
      this.drawn.fill(null);
    }
    this.cards.cards.forEach(({ picture }, i) => {
      const found = this.find(i + 1, frame, seen, film, engine);
      if (found === undefined || found === this.drawn[i]) return; // undefined while it loads
      this.drawn[i] = found;
      this.paint(context(picture), found);
    });
    if (frame.event === REVERTED && frame !== this.returned && flies) this.fly(frame.level);
    this.returned = frame;
  }

  /**
   * Return the frame with the checkpoint of a level; null if there is none, undefined if it is not loaded.
   * @param {number} level @param {Frame} frame @param {Frame[]} seen @param {Film} film @param {Engine} engine
   * @returns {Frame | null | undefined}
   */
  find(level, frame, seen, film, engine) {
    if (!Number.isFinite(frame.checkpoints[level - 1])) return null;
    if (frame.taken === level) return seen.at(-1) ?? film.closing(frame.call - 1) ?? undefined;
    const here = seen.findLastIndex((f) => f.event === REDRAW && f.level === level);
    if (here > 0) return seen[here - 1];
    let call = frame.call;
    if (here < 0) do call--; while (call >= engine.first && !engine.redraws(call, level));
    if (call < engine.first) return undefined;
    const index = here < 0 ? engine.level(call) - level : 0;
    const found = index > 0 ? film.frames(call)?.[index - 1] : film.closing(call - 1);
    if (!found) this.ask(index > 0 ? call : call - 1, film);
    return found ?? undefined;
  }

  /** Fetch the frames of a call, which may be much earlier than the present call. @param {number} call @param {Film} film */
  async ask(call, film) {
    const now = performance.now();
    if (!this.source || this.busy || now - this.asked < PATIENCE || call < 1) return;
    this.busy = true;
    this.asked = now;
    try {
      film.add(await this.source.frames(call, 1));
      this.wake();
    } catch { // keep the card; the next update requests the frames again
    } finally {
      this.busy = false;
    }
  }

  /** Draw a frame, with `ratio` canvas pixels per pixel of the picture. @param {Canvas} g @param {Frame | null} frame */
  paint(g, frame, ratio = this.view.ratio) {
    const { view } = this;
    const { ratio: usual } = view;
    view.ratio = ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    if (frame) {
      const plain = { ...frame, event: KEPT, chosen: [] };
      const moment = { before: plain, after: plain, t: 1, start: plain, origin: null, way: [] };
      for (const layer of this.layers) layer.draw(g, view, moment);
    }
    view.ratio = usual;
  }

  /** Move the picture of a checkpoint from its card to the scene. @param {number} level */
  fly(level) {
    const { picture } = this.cards.cards[level - 1];
    const { node: scene, root } = this.scene;
    const [from, to, room] = [picture, scene, root].map((node) => node.getBoundingClientRect());
    if (!from.width || reducedMotion()) return;
    const { width, height } = this.view;
    const ghost = h("canvas", { class: "pv-ghost", width, height, "aria-hidden": "true" });
    this.paint(context(ghost), this.drawn[level - 1], 1);
    root.append(ghost);
    const over = (/** @type {DOMRect} */ box, /** @type {number} */ scale) => { // return the CSS transform that centres the canvas on a box
      const x = box.left + box.width / 2 - room.left - width / 2;
      const y = box.top + box.height / 2 - room.top - height / 2;
      return `translate(${x}px, ${y}px) scale(${scale})`;
    };
    const flight = ghost.animate([
      { transform: over(from, 1 / SHRUNK), opacity: 1 },
      { opacity: 1, offset: 0.8 },
      { transform: over(to, Math.min(to.width / width, to.height / height)), opacity: 0 },
    ], { duration: FLIGHT, easing: "ease-in-out" });
    flight.onfinish = flight.oncancel = () => ghost.remove();
  }
}
