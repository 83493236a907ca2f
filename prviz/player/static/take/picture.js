// One picture of a film, with the settings, the scene, a sentence and the cost curve.

import { View, aspectOf, layersOf } from "../scene/scene.js";
import { along, hasReached, hiddenFrom, onAxis, sketchOn, solvedFrom, unsolved } from "../stage/curve.js";
import { count, leftOut, number, sentence, size } from "../base/words.js";
import { context, h } from "../base/dom.js";

const SHARES = { scene: 0.56, curve: 0.2 }; // heights as a share of the width
const WIDE = 520; // width in pixels at which marks and labels have the same size as on the page
const EVEN = "geometricPrecision"; // gives the same letter spacing at every size
const EDGE = 2; // pixels that a curve may reach beyond its last call
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @import { Scale } from "../stage/curve.js" */

export class Picture {
  /**
   * `figure` is the cost curve of the run, and `axis` its unit of work.
   * @param {{run: ShownRun & {first?: number}, figure: PlotlyFigure, axis: string, settings: string, look: Look, width: number}} film
   */
  constructor({ run, figure, axis, settings, look, width }) {
    const grown = Math.max(1, width / WIDE);
    this.run = run;
    this.axis = axis;
    this.settings = settings;
    this.width = width;
    this.grown = grown;
    this.colours = look.colours;
    this.text = Math.round(6 + width / 51); // readable on a phone that shows the picture at half its width
    this.line = Math.round(1.4 * this.text);
    this.margin = Math.round(width / 45);
    const [scene, curve] = [SHARES.scene, SHARES.curve].map((share) => Math.round(share * width));
    const top = this.margin + 2 * this.line, words = top + scene + Math.round(this.line / 4);
    this.tops = { scene: top, words, curve: words + 4 * this.line };
    const height = this.tops.curve + curve + this.margin;
    this.canvas = h("canvas", { width, height: 2 * Math.ceil(height / 2) }); // video encodes blocks of 2 × 2 pixels
    this.g = context(this.canvas, { willReadFrequently: true });
    this.view = new View(0);
    const { zoom, centre, colours } = look;
    Object.assign(this.view, { width: width / grown, height: scene / grown, ratio: grown, zoom, centre: [...centre],
      colours, theme: Object.values(colours).join(), aspect: aspectOf(run.layout) });
    this.layers = layersOf(run.layout, run.assets, run.fetch, () => {});
    for (const { shape } of this.layers) if (shape) this.view.aspect = shape(width / scene);
    this.still = h("canvas", { width, height: scene }); // the area of the layers
    const shown = along(figure, axis);
    this.title = textOf(shown.layout?.yaxis?.title);
    this.names = shown.data.map(({ name, meta, line }) => ({ name: meta ?? name, colour: line?.color ?? colours.ink })); // unlike `name`, `meta` mentions no later call
    this.solved = solvedFrom(shown);
    const { canvas: solved, place } = this.drawCurve(shown, curve);
    this.curves = { solved, open: this.solved === null ? solved : this.drawCurve({ ...shown, layout: unsolved(shown.layout) }, curve).canvas };
    this.place = place;
  }

  /** @param {PlotlyFigure} figure @param {number} height @returns {{canvas: HTMLCanvasElement, place: Scale | null}} */
  drawCurve(figure, height) {
    const { grown, width, colours } = this;
    const canvas = h("canvas", { width, height });
    const g = context(canvas);
    g.scale(grown, grown);
    g.textRendering = EVEN;
    const data = figure.data.map((line) => ({ ...line, name: "" })); // `labels` writes the names above the curve
    return { canvas, place: sketchOn(g, { ...figure, data }, colours, width / grown, height / grown) };
  }

  /**
   * Draw a moment of the search, with its frame and the previous one; return the pixels.
   * @param {{moment: Moment, frame: Frame, previous: Frame | null, left: LeftOut | null}} shot
   */
  draw({ moment, frame, previous, left }) {
    const { g, canvas, colours, margin, line, text, tops, width, run } = this;
    g.fillStyle = colours.ground;
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.textRendering = EVEN;
    g.textBaseline = "alphabetic";
    g.textAlign = "left";
    this.words(run.layout.title, margin + text, { weight: 600 });
    this.words(this.settings, margin + line + text, { colour: colours.quiet });
    this.drawScene(moment);
    g.drawImage(this.still, 0, tops.scene);
    const told = left ? leftOut(left) : sentence(frame, previous, run.layout, run.first);
    this.words(standingOf(frame, run.layout), tops.words + text, { colour: colours.quiet });
    this.lines(told, 2).forEach((part, i) => this.words(part, tops.words + (i + 1) * line + text));
    const solved = hasReached(this.solved, frame[this.axis], frame.event);
    g.drawImage(solved ? this.curves.solved : this.curves.open, 0, tops.curve);
    this.labels(tops.curve - 2 * this.grown);
    this.cover(frame);
    this.playhead(frame);
    return new Uint32Array(g.getImageData(0, 0, width, canvas.height).data.buffer);
  }

  /** @param {Moment} moment */
  drawScene(moment) {
    const { view, still } = this;
    const g = context(still);
    g.textRendering = EVEN;
    g.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    g.clearRect(0, 0, view.width, view.height);
    g.save();
    for (const layer of this.layers) layer.draw(g, view, moment);
    g.restore();
  }

  /** Write the title of the curves, and as many names as there is space for. @param {number} y */
  labels(y) {
    const { g, colours, grown, margin, width, title } = this;
    g.font = `${colours.small * grown}px ${colours.font}`;
    let right = width - margin;
    g.textAlign = "right";
    const left = margin + g.measureText(title).width;
    for (const { name, colour } of [...this.names].reverse()) {
      if (!name) continue;
      const wide = g.measureText(name).width;
      if (right - wide < left + margin) continue;
      g.fillStyle = colour;
      g.fillText(name, right, y);
      right -= wide + margin;
    }
    g.textAlign = "left";
    g.fillStyle = colours.quiet;
    g.fillText(title, margin, y);
  }

  /** Cover the part of the curves after a frame. @param {Frame} frame */
  cover(frame) {
    const place = this.place?.(frame[this.axis]);
    if (!place) return;
    const { g, grown, tops, colours } = this;
    const { left, right, top, height } = place, x = hiddenFrom(place, frame.event);
    g.save();
    g.translate(0, tops.curve);
    g.scale(grown, grown);
    g.fillStyle = colours.ground;
    g.fillRect(x, top, right + EDGE - x, height);
    g.strokeStyle = colours.line;
    g.strokeRect(left + 0.5, top + 0.5, right - left, height); // the same frame as in `sketchOn`
    g.restore();
  }

  /** @param {Frame} frame */
  playhead(frame) {
    const place = this.place?.(frame[this.axis]);
    if (!place || !onAxis(place)) return;
    const { g, grown, tops, colours } = this;
    g.fillStyle = colours.ink;
    g.fillRect(Math.round(place.x * grown), tops.curve + place.top * grown, Math.max(2, Math.round(1.5 * grown)),
      place.height * grown);
  }

  /**
   * Write a line of text, truncated if there is no space.
   * @param {string} words @param {number} y @param {{weight?: number, colour?: string}} [how]
   */
  words(words, y, { weight = 400, colour = this.colours.ink } = {}) {
    const { g, margin, text, colours } = this;
    g.font = `${weight} ${text}px ${colours.font}`;
    g.fillStyle = colour;
    let shown = words;
    while (shown && g.measureText(shown).width > this.width - 2 * margin) shown = `${shown.slice(0, -2).trimEnd()}…`;
    g.fillText(shown, margin, y);
  }

  /** Break text into at most `n` lines. @param {string} words @param {number} n */
  lines(words, n) {
    const { g, margin, text, colours } = this;
    g.font = `${text}px ${colours.font}`;
    /** @type {string[]} */
    const lines = [];
    for (const word of words.split(" ")) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      if (!lines.length) lines.push(word);
      else if (lines.length === n || g.measureText(longer).width <= this.width - 2 * margin) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }
}

/** Describe the settings in a line: "k₁ 1 · M₁ 100 · seed 0". @param {Layout} layout @param {Record<string, string>} params */
export function settingsOf({ levels }, { seed }) {
  const below = levels.slice(0, -1).flatMap((level, i) => {
    const l = SUBSCRIPTS[i + 1];
    const alpha = level.alpha ? [`α${l} ${level.alpha}`] : [];
    const k = level.size == null ? size(level) : `k${l} ${size(level)}`;
    const m = level.repeats ? [`M${l} ${count(level.repeats)}`] : [];
    return [k, ...m, ...alpha];
  });
  const words = below.length ? ["partial", ...below] : ["full restarts"];
  return [...words, ...(seed == null ? [] : [`seed ${seed}`])].join(" · ");
}

/** Describe the state: "Call 12 · WCSS 2.91e10 · best 2.89e10". @param {Frame} frame @param {Layout} layout */
export function standingOf(frame, layout) {
  const cost = Number.isNaN(frame.cost) ? [] : [`${layout.cost} ${number(frame.cost)}`];
  const best = frame.cost < frame.best ? "best before" : "best"; // `best` does not include this cost until the call ends
  return [`Call ${count(frame.call)}`, ...cost, `${best} ${number(frame.best)}`].join(" · ");
}

/** @param {string | {text?: string} | undefined} title */
function textOf(title) {
  return (typeof title === "object" ? title.text : title) ?? "";
}
