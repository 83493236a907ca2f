// @ts-nocheck
// Full restarts and partial reinitialisation side by side: the best of each after equal work.

import { Clock, bestAt, changes, readDuel, span } from "../run/duel.js";
import { View, aspectOf, drawOn, layersOf } from "../scene/scene.js";
import { after, lead, standing } from "../base/words.js";
import { h, reducedMotion, say } from "../base/dom.js";

const NAMES = { full: "Full restarts", partial: "Partial" };
const REFRESH = 800; // milliseconds between two questions while the searches go on
const BETWEEN = 16; // pixels between the two in print
const FINE = 1000; // steps of the slider

export class Duel {
  /** `wake()` has it drawn anew; `axis()` is the kind of work that the curve is read against. */
  constructor(root, wake, axis) {
    this.root = root;
    this.wake = wake;
    this.axis = axis;
    this.opened = false;
    this.sides = Object.fromEntries(Object.keys(NAMES).map((name) => [name, new Side(name)]));
    this.node = h("div", { class: "pv-duel", role: "group", "aria-label": "Side by side" },
      ...Object.values(this.sides).map(({ node }) => node));
    this.track = h("input", { type: "range", class: "pv-duel-track", min: 0, max: FINE, value: 0,
      "aria-label": "Work so far", oninput: () => this.scrub(Number(this.track.value) / FINE) });
    this.told = h("p", { class: "pv-duel-work" });
    this.foot = h("div", { class: "pv-duel-foot" }, this.track, this.told);
    this.observer = new ResizeObserver(() => this.wake());
    this.observer.observe(this.node);
    this.clock = new Clock();
  }

  /** Another run: {projector, layout, assets, fetch}. */
  set(run) {
    this.run = run;
    this.found = null;
    this.clock = new Clock();
    if (this.opened) this.begin();
  }

  /** Whether there is something to compare with, and the source can tell of it. */
  get available() {
    const { projector, layout } = this.run ?? {};
    return Boolean(projector?.source.duel && !layout.recorded && projector.engine.head.full != null);
  }

  open(stage) {
    this.opened = true;
    this.root.toggleAttribute("data-duel", true);
    stage.append(this.node, this.foot);
    this.begin();
  }

  begin() {
    const { layout, assets, fetch } = this.run;
    for (const side of Object.values(this.sides)) side.set(layout, assets, fetch, this.wake);
    this.clock.playing = !reducedMotion();
    this.refresh();
  }

  close() {
    this.opened = this.clock.playing = false;
    this.root.toggleAttribute("data-duel", false);
    this.node.remove();
    this.foot.remove();
  }

  /** The searches may be further on. */
  async refresh() {
    const { run } = this;
    if (!this.opened || this.asking || !this.available) return;
    const { engine, source, onTrouble } = run.projector;
    const now = performance.now();
    const { state } = engine.head;
    const known = `${engine.calls} ${state}`;
    if (this.found && (this.known === known || state === "running" && now - this.asked < REFRESH)) return;
    this.asking = true;
    this.asked = now;
    this.known = known;
    try {
      const found = readDuel(await source.duel(), run.layout);
      if (run === this.run) this.found = found;
      this.wake();
    } catch (error) {
      onTrouble(error, 0);
      return;
    } finally {
      this.asking = false;
    }
    if (!engine.active || run !== this.run) this.refresh(); // of what has come meanwhile
  }

  /** Where the clock may go, by the kind of work chosen: another kind begins at the same part of the way. */
  reach() {
    const axis = this.axis();
    const far = this.found && span(this.found, axis);
    if (!far) return false;
    const { clock } = this;
    const share = clock.share;
    if (this.along !== axis) clock.span = null; // work of another kind
    clock.reach(far);
    if (this.along !== axis) clock.share = share;
    this.along = axis;
    return true;
  }

  get mode() {
    return this.clock.playing ? "playing" : "paused";
  }

  toggle() {
    if (this.reach()) this.clock.toggle();
    this.wake();
  }

  /** From the start, as where the search has just begun. */
  replay() {
    if (!this.opened) return;
    this.clock = new Clock();
    this.clock.playing = !reducedMotion();
    this.wake();
  }

  step(direction) {
    if (this.reach()) this.clock.step(direction, changes(this.found, this.along));
    this.wake();
  }

  scrub(share) {
    this.clock.playing = false;
    if (this.reach()) this.clock.share = share;
    this.wake();
  }

  /** Let time pass, and draw; the sentence on it, empty while there is nothing yet. */
  tick(milliseconds, colours) {
    const { clock, found, run } = this;
    if (!this.reach()) return "";
    const { engine, autoplay } = run.projector;
    clock.tick(milliseconds, engine.active || autoplay && !engine.over); // it may be about to begin
    const { layout } = run;
    const bests = /** @type {{partial: Frame, full: Frame}} */ ({});
    for (const [name, side] of Object.entries(this.sides)) {
      bests[name] = bestAt(found[name], this.along, clock.work);
      side.show(bests[name], layout, colours);
    }
    const work = after(clock.work, this.along, layout);
    say(this.told, work);
    this.track.value = String(Math.round(FINE * clock.share));
    this.track.setAttribute("aria-valuetext", work);
    return lead(bests, layout, clock.ended && engine.over);
  }

  /** Both pictures side by side for print: see print/paper.js. */
  print(g, width, colours) {
    const each = (width - BETWEEN) / 2;
    const heights = Object.values(this.sides).map((side, i) => {
      g.save();
      g.translate(i * (each + BETWEEN), 0);
      const height = side.print(g, each, colours);
      g.restore();
      return height;
    });
    return Math.max(...heights);
  }

  dispose() {
    this.observer.disconnect();
  }
}

/** One of the two: what it has come to, and the picture of that. */
class Side {
  constructor(name) {
    this.name = name;
    this.label = h("dt", {});
    this.value = h("dd", {}, "–");
    this.note = h("dd", { class: "pv-note" });
    this.canvas = h("canvas", { role: "img", "aria-label": `${NAMES[name]}: no picture yet.` });
    this.room = h("div", { class: "pv-duel-picture" }, this.canvas);
    this.node = h("div", { class: `pv-duel-side pv-duel-${name}` },
      h("dl", {}, h("div", { class: "pv-metric" }, this.label, this.value, this.note)), this.room);
    this.view = new View(0);
  }

  set(layout, assets, fetch, wake) {
    this.shape = aspectOf(layout);
    this.layers = layersOf(layout, assets, fetch, () => {
      this.drawn = null;
      wake();
    });
    this.drawn = null;
    say(this.label, `${NAMES[this.name]}: best ${layout.cost}`);
  }

  show(frame, layout, colours) {
    const { value, note } = standing(frame, layout);
    say(this.value, value);
    say(this.note, note);
    const text = `${NAMES[this.name]}: ${layout.cost} ${value}, ${note}.`;
    if (this.canvas.getAttribute("aria-label") !== text) this.canvas.setAttribute("aria-label", text);
    this.draw(frame, colours);
  }

  /** The picture with its words above; its height. */
  print(g, width, colours) {
    const { layers, frame, shape: aspect, name, label, value, note } = this;
    g.textAlign = "left";
    g.textBaseline = "alphabetic";
    g.font = `600 ${colours.small}px ${colours.font}`;
    g.fillStyle = colours[name];
    g.fillText(label.textContent, 0, colours.small);
    g.font = `${colours.small}px ${colours.font}`;
    g.fillStyle = colours.ink;
    g.fillText(`${value.textContent} ${note.textContent}`, 0, 2.4 * colours.small);
    g.translate(0, 3 * colours.small);
    const height = drawOn(g, width, layers, stillOf(frame), { aspect, zoom: 1, centre: [0.5, 0.5], colours });
    this.drawn = null; // layers remember how they were drawn last
    return height + 3 * colours.small;
  }

  draw(frame, colours) {
    const { view, canvas, room } = this;
    const theme = Object.values(colours).join();
    Object.assign(view, { width: room.clientWidth, height: room.clientHeight,
      ratio: Math.min(2, devicePixelRatio || 1), colours, theme, aspect: this.shape });
    if (!view.width || this.drawn === frame && this.key === view.key) return;
    this.frame = frame;
    this.drawn = frame;
    this.key = view.key;
    const [width, height] = [view.width, view.height].map((side) => Math.round(side * view.ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const { shape } of this.layers) if (shape) view.aspect = shape(view.width / view.height);
    const g = canvas.getContext("2d");
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    for (const layer of this.layers) layer.draw(g, view, stillOf(frame));
  }
}

/** A moment in which nothing moves. */
function stillOf(frame) {
  return { before: frame, after: frame, t: 1, start: frame, origin: null, way: [] };
}
