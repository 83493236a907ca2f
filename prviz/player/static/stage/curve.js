// The cost curve, which is drawn by Plotly or, without Plotly, as a plain sketch.

import { h, say, sharp } from "../base/dom.js";
import { KEPT, count, number } from "../base/words.js";

const PRINTED = 0.56; // height over width
const AROUND = 5.8, LETTER = 0.5, LINE = 1.2; // in units of the font size: height of legend and axis, width of a letter, height of a line
const SPACE = 2; // letters between the labels of an axis
const NARROW = 55; // an axis with room for fewer letters than this is narrow (as on a phone)
const SAMPLE = 18, GAP = 5, DASH = [5, 4]; // legend: length of a line, distance to its name, dashes; in pixels
const CONFIG = { displayModeBar: false, responsive: false, doubleClick: "reset+autosize" };
const FULL = "#0072b2"; // colour of full restarts in figures (prviz/figures/style.py)
const SOLVED = "solved"; // label of the tick of solved costs (prviz/figures/curve.py)
const ROUNDING = 1e-6; // largest relative difference between a number in a curve and in a frame
const HALF_LINE = 1.5; // half the width of a curve in pixels, rounded up
/** @type {Promise<any> | null} */
let loading = null;

/** @typedef {{x: number, left: number, right: number, top: number, height: number}} Place the position of a vertical line, and the area of the curve, in pixels */
/** @typedef {(value: number) => Place} Scale */
/** @typedef {Pick<Frame, "call" | "iterations" | "seconds" | "event">} Seen the part of a search that the player has shown */

/** @param {string | null} address */
function loadPlotly(address) {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  if (!address) return Promise.reject(new Error("no address"));
  loading ??= new Promise((resolve, reject) => {
    const script = h("script", { src: address, async: true });
    script.onload = () => (globalThis.Plotly ? resolve(globalThis.Plotly) : reject(new Error("no Plotly")));
    script.onerror = () => {
      loading = null;
      script.remove();
      reject(new Error("not loaded"));
    };
    document.head.append(script);
  });
  return loading;
}

/** Return a colour of a figure, but the theme's blue for full restarts. @param {string} colour @param {Colours} colours */
export function themed(colour, colours) {
  return colour.toLowerCase() === FULL ? colours.full : colour;
}

/**
 * Return where the hidden part of the curves begins, in pixels. A drop of the cost at the playhead is hidden until the
 * frame of a call's outcome is shown. @param {Place} place of the playhead @param {number} [event] of the frame
 */
export function hiddenFrom({ x, left, right }, event = 0) {
  return Math.max(left, Math.min(right, x + (event < KEPT ? -HALF_LINE : HALF_LINE)));
}

/** Return the height of solved costs in a figure, or null if no run in it solves the problem. @param {PlotlyFigure} figure */
function solvedHeight({ layout }) {
  const { tickvals, ticktext } = layout?.yaxis ?? {};
  return ticktext?.[0] === SOLVED ? tickvals[0] : null; // the only tick whose label is a word
}

/** Return the least work after which a curve reaches the height of solved costs; null if no run solves the problem. @param {PlotlyFigure} figure */
export function solvedFrom(figure) {
  const solved = solvedHeight(figure);
  if (solved === null) return null;
  return Math.min(...figure.data.map(({ x, y }) => {
    const i = column(y).findIndex((height) => height <= solved * (1 + ROUNDING));
    return i < 0 ? Infinity : column(x)[i];
  }));
}

/** Return the layout without the tick "solved". @param {PlotlyFigure["layout"]} layout @returns {PlotlyFigure["layout"]} */
export function unsolved(layout) {
  const { tickvals: [solved, ...tickvals], ticktext: [, ...ticktext], ...others } = layout.yaxis;
  const yaxis = { ...others, unlabelled: solved }; // `sketchOn` writes no label at `unlabelled`
  return { ...layout, yaxis: tickvals.length ? { ...yaxis, tickvals, ticktext } : yaxis };
}

/**
 * Return whether the shown part of the curves reaches an amount of work.
 * @param {number | null} work @param {number | undefined} end of this part @param {number} [event] of its last frame
 */
export function hasReached(work, end, event = KEPT) {
  return work === null || end === undefined || work <= end * (1 + (event < KEPT ? -ROUNDING : ROUNDING));
}

export class Curve {
  /** @type {any} the node of the plot, with Plotly's members */ plot;

  /** @type {PlotlyFigure | null} the figure for all units of work */ whole = null;
  /** @type {PlotlyFigure | null} the figure for the present unit */ figure = null;
  /** @type {number | null} work after which a curve is solved */ solved = null;
  /** @type {number | null} */ at = null;
  /** @type {Seen | null} the part of the curves that is shown; null if all */ seen = null;
  /** @type {HTMLCanvasElement | null} */ sketch = null;
  /** @type {Scale | null} scale of the sketch */ scale = null;
  /** @type {any} */ Plotly;
  /** @type {Colours} */ colours;
  axis = "call";
  open = false; // true until a shown curve is solved; until then the tick "solved" is hidden
  plain = false;
  listening = false;

  constructor() {
    this.plot = h("div", { class: "pv-plot", role: "img", "aria-label": "Cost so far" });
    this.playhead = h("div", { class: "pv-plot-playhead", hidden: true });
    this.veil = h("div", { class: "pv-plot-veil", hidden: true }); // covers the part of the curves that the player has not shown yet
    this.note = h("p", { class: "pv-plot-note" });
    this.node = h("div", { class: "pv-curve" }, this.plot, this.veil, this.playhead, this.note);
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(this.node);
  }

  /** Load Plotly once; if this fails, show the sketch. @param {string | null} address */
  async load(address) {
    try {
      this.Plotly = await loadPlotly(address);
    } catch {
      this.plain = true;
      if (address) say(this.note, "Plotly could not be loaded. This is a plain sketch without zoom.");
    }
    this.render();
  }

  /** @param {PlotlyFigure} figure @param {Colours} colours */
  show(figure, colours, axis = "call") {
    this.whole = figure;
    this.colours = colours;
    this.axis = axis;
    this.figure = along(figure, axis);
    this.solved = solvedFrom(this.figure);
    return this.render();
  }

  async render() {
    const { node } = this;
    if (!this.figure || !node.clientWidth || !node.clientHeight) return;
    this.open = this.isOpen();
    const { data: curves, layout } = this.figure;
    const figure = { data: curves, layout: this.open ? unsolved(layout) : layout };
    if (this.Plotly) {
      this.sketch?.remove();
      this.sketch = null;
      const data = curves.map((line) => ({ ...this.tinted(line), name: line.meta ?? line.name })); // `name` may mention a call that is not shown yet, `meta` does not
      await this.Plotly.react(this.plot, data, this.dress(figure.layout), CONFIG);
      if (!this.listening) {
        this.listening = true;
        this.plot.on("plotly_relayout", () => this.render());
      }
    } else if (this.plain) {
      const canvas = this.sketch ??= h("canvas", { class: "pv-sketch" });
      this.plot.append(canvas);
      this.scale = sketch(canvas, figure, this.colours, node);
    }
    this.mark(this.at);
  }

  /** Return a curve in the theme's colours. @param {any} line */
  tinted(line) {
    if (!line.line?.color) return line;
    const color = themed(line.line.color, this.colours);
    return color === line.line.color ? line : { ...line, line: { ...line.line, color }, marker: { ...line.marker, color } };
  }

  /** Return the figure's layout with the player's colours and size, and with the present zoom. @param {PlotlyFigure["layout"]} layout */
  dress(layout) {
    const { ink, line, font, small } = this.colours;
    const { height } = this.node.getBoundingClientRect();
    const axis = { gridcolor: line, linecolor: line, zeroline: false, color: ink };
    const axes = Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key));
    const room = (/** @type {string} */ key) => (key.startsWith("x") ? this.node.clientWidth - 5 * small : height - AROUND * small) / (LETTER * small);
    const dressed = Object.fromEntries(["xaxis", "yaxis", ...axes].map((key) => [key,
      // Plotly cannot place the title of an axis without labels.
      { automargin: true, ticklabeloverflow: "allow", ...axis, ...layout[key], gridcolor: line, color: ink,
        title: { standoff: key.startsWith("x") ? small / 2 : small, ...layout[key]?.title,
          text: (key.startsWith("x") ? shortened : within)(layout[key]?.title?.text ?? "", room(key)) } }]));
    const { xaxis, yaxis } = dressed;
    const { data = [] } = this.figure ?? {};
    if (yaxis.type === "log" && yaxis.tickvals) {
      const heights = data.filter((each) => (each.yaxis ?? "y") === "y").flatMap(({ y }) => column(y));
      Object.assign(yaxis, thinned(yaxis, heights, (height - AROUND * small) / (LINE * small)));
    }
    const zoomed = this.plot.layout?.xaxis?.autorange === false; // after a zoom, Plotly chooses the ticks
    if (xaxis.type === "log" && !xaxis.tickvals && !zoomed) Object.assign(xaxis, workTicks(data.flatMap(({ x }) => column(x)), room("x")));
    return {
      ...layout, ...dressed, template: undefined, title: undefined, autosize: false,
      width: Math.floor(this.node.clientWidth), height: Math.floor(height),
      margin: { l: 44, r: 12, t: 0, b: 34 },
      // The legend is above the curves, because it could cover curves elsewhere. Its position is relative to the container,
      // because Plotly does not update a position relative to the curves when the legend loses a row.
      legend: { orientation: "h", x: 0, y: 1, yref: "container", yanchor: "top", font: { size: small }, bgcolor: "rgba(0,0,0,0)" },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      separators: ".\u202f", font: { family: font, size: small, color: ink }, uirevision: layout.uirevision ?? "run",
      hoverlabel: { font: { family: font, size: small } },
    };
  }

  /** Return the figure for print/paper.js. @returns {Pick<PrintFigure, "plot" | "paint">} */
  get printable() {
    const { Plotly, figure } = this;
    if (!figure) return {};
    if (Plotly) return { plot: (width) => ({ Plotly, ...figure, height: PRINTED * width }) };
    return {
      paint(g, width, colours) {
        const height = PRINTED * width;
        sketchOn(g, figure, colours, width, height);
        return height;
      },
    };
  }

  /** Move the playhead's line to a value of the x axis. @param {number | null} value */
  mark(value) {
    this.at = value;
    this.cover();
    const place = this.place(value);
    this.playhead.hidden = !onAxis(place);
    if (!place || this.playhead.hidden) return;
    Object.assign(this.playhead.style, {
      transform: `translateX(${place.x.toFixed(1)}px)`, top: `${place.top}px`, height: `${place.height}px`,
    });
  }

  /** Show only the part of the curves that the player has shown (`seen`). @param {Seen} seen */
  reveal(seen) {
    this.seen = seen;
    if (this.open !== this.isOpen()) this.render();
    else this.cover();
  }

  /** Return true if no curve is solved in the part that is shown. Then a tick "solved" would reveal that a later call solves the problem. */
  isOpen() {
    return !hasReached(this.solved, this.shown, this.seen?.event);
  }

  /** Return the work up to which the curves are shown; undefined if they are shown to the end. */
  get shown() {
    return this.seen?.[/** @type {keyof Seen} */ (this.axis)];
  }

  /** Cover the part of the curves that the player has not shown yet. */
  cover() {
    const place = this.place(this.shown);
    this.veil.hidden = !place;
    if (!place) return;
    const { right, top, height } = place, x = hiddenFrom(place, this.seen?.event);
    Object.assign(this.veil.style, { left: `${x.toFixed(1)}px`, top: `${top - 2}px`, width: `${right + 2 - x}px`, height: `${height}px` });
  }

  /**
   * Return the position of a value, which may be outside the axis; 0 is left of a logarithmic axis.
   * @param {number | null | undefined} value @returns {Place | null}
   */
  place(value) {
    if (value == null || !Number.isFinite(value)) return null;
    const size = this.plot._fullLayout?._size;
    const axis = this.plot._fullLayout?.xaxis;
    if (this.Plotly && size && axis?.d2p) {
      const x = axis.d2p(value), left = axis._offset;
      return { x: Number.isFinite(x) ? left + x : -Infinity, left, right: left + axis._length, top: size.t, height: size.h };
    }
    return this.scale?.(value) ?? null;
  }

  close() {
    this.observer.disconnect();
    if (this.Plotly && this.listening) this.Plotly.purge(this.plot);
  }
}

/** Return whether a position is on the axis. @param {Place | null | undefined} place */
export function onAxis(place) {
  return place != null && place.x >= place.left - 1 && place.x <= place.right + 1;
}

/** Return the units of work of a figure's curves. */
export const axesOf = (/** @type {PlotlyFigure | null | undefined} */ figure) => Object.keys(figure?.layout?.meta?.axes ?? {});

/**
 * Return the figure for one unit of work; each unit keeps its own zoom.
 * @param {PlotlyFigure} figure @param {string} axis @returns {PlotlyFigure}
 */
export function along(figure, axis) {
  const chosen = figure.layout?.meta?.axes?.[axis];
  if (!chosen) return figure;
  const { xaxis } = figure.layout;
  const data = figure.data.map((line, i) => ({ ...line, x: chosen.x[i] }));
  const ticks = soleTick(data);
  return { data, layout: { ...figure.layout, xaxis: { ...xaxis, ...ticks, title: { text: chosen.title }, uirevision: axis } } };
}

/** If all curves are one point (after the first call), use that point as the only tick. @param {PlotlyFigure["data"]} data */
function soleTick(data) {
  const found = new Set(data.flatMap(({ x }) => column(x)));
  if (found.size !== 1) return {};
  const [value] = found;
  return { tickvals: [value], ticktext: [number(value, 3)] };
}

/** Decode long columns, which Plotly's JSON stores as base64 of typed arrays. @param {any} values @returns {number[]} */
export function column(values) {
  if (!values?.bdata) return values ?? [];
  const bytes = Uint8Array.from(atob(values.bdata), (character) => character.charCodeAt(0));
  /** @type {Record<string, any>} */
  const types = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array,
    i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array };
  return Array.from(new types[values.dtype](bytes.buffer));
}

/**
 * Break a title into two lines if it is too long, or shorten it ("gap, %").
 * @param {string} text @param {number} room
 */
export function within(text, room) {
  const middle = text.indexOf(" ", text.length / 2 - 2);
  if (text.length <= room || middle < 0) return text;
  if (text.length - middle > room + 2) return text.replace(/ to the best known .*,/, ",").replace(/^best (.*) so far$/, "$1");
  return `${text.slice(0, middle)}<br>${text.slice(middle + 1)}`;
}

/**
 * Choose ticks of a logarithmic axis, as many as have space: the lowest tick, then powers of ten, then others.
 * @param {{tickvals: number[], ticktext: string[]}} ticks @param {number[]} values on the axis @param {number} most number of labels that fit on the axis
 */
export function thinned({ tickvals, ticktext }, values, most) {
  const positive = values.filter((value) => value > 0);
  const ends = [Math.min(...positive), Math.max(...positive)].map(Math.log10);
  const around = ends[1] - ends[0] < 1e-3 ? 1 : 0; // if all values are equal, Plotly's axis extends by 1 on both sides
  const [low, high] = [ends[0] - around, ends[1] + around];
  const apart = (high - low) / Math.max(1, most);
  const all = tickvals.map((value, i) => ({ value, text: ticktext[i], at: Math.log10(value) }))
    .filter(({ at }) => at >= low - 1e-9 && at <= high + apart / 2);
  const whole = (/** @type {number} */ at) => Math.abs(at - Math.round(at)) < 1e-9;
  /** @type {typeof all} */
  const taken = [];
  for (const tick of [...all.slice(0, 1), ...all.filter(({ at }) => whole(at)), ...all]) {
    if (taken.every(({ at }) => Math.abs(at - tick.at) >= apart)) taken.push(tick);
  }
  taken.sort((a, b) => a.at - b.at);
  return { tickvals: taken.map(({ value }) => value), ticktext: taken.map(({ text }) => text) };
}

/**
 * Return the ticks of a logarithmic axis of work, with complete numbers as labels (Plotly would write "5" for 500).
 * Return {} for less than a decade on a wide axis: there Plotly itself writes complete numbers.
 * @param {number[]} values on the axis @param {number} room in letters
 */
export function workTicks(values, room) {
  const [low, high] = values.filter((value) => value > 0).reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, 0]);
  const decades = Math.log10(high / low);
  if (!(decades >= 1 || room < NARROW)) return {}; // a narrow axis has no space for Plotly's labels side by side
  const digits = decades < 1.5 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5];
  const first = Math.floor(Math.log10(low)), powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => first + i);
  const tickvals = powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
  const ticktext = tickvals.map((value) => number(value, 1));
  const widest = Math.max(...ticktext.filter((_, i) => tickvals[i] >= low && tickvals[i] <= high).map(({ length }) => length));
  const ticks = thinned({ tickvals, ticktext }, [low, high], room / (widest + SPACE));
  return ticks.tickvals.length > 1 ? ticks : {};
}

/**
 * Shorten a title that is too long: "iterations of the local optimiser" becomes "iterations".
 * @param {string} text @param {number} room
 */
export function shortened(text, room) {
  return text.length <= room ? text : text.split(" of ")[0];
}

/**
 * Return the rows of a legend above the curves, with the position of each name.
 * @template {{name?: string}} Line @param {Line[]} lines @param {number} room @param {(text: string) => number} wide
 * @returns {{line: Line, x: number}[][]}
 */
export function legendRows(lines, room, wide) {
  /** @type {{line: Line, x: number}[][]} */
  const rows = [];
  let x = Infinity;
  for (const line of lines.filter(({ name }) => name)) {
    const width = SAMPLE + wide(/** @type {string} */ (line.name)) + 2 * GAP;
    if (x + width > room) {
      rows.push([]);
      x = 0;
    }
    rows[rows.length - 1].push({ line, x });
    x += width;
  }
  return rows;
}

/**
 * Draw the legend: a sample of each line, and its name.
 * @param {Canvas} g @param {{line: {name?: string, colour: string, dash?: string}, x: number}[][]} rows
 * @param {number} left @param {number} high
 */
function named(g, rows, left, high) {
  g.textAlign = "left";
  rows.forEach((row, i) => {
    for (const { line: { name = "", colour, dash }, x } of row) {
      g.strokeStyle = g.fillStyle = colour;
      g.setLineDash(dash && dash !== "solid" ? DASH : []);
      g.beginPath();
      g.moveTo(left + x, high * (i + 0.6));
      g.lineTo(left + x + SAMPLE, high * (i + 0.6));
      g.stroke();
      g.fillText(name, left + x + SAMPLE + GAP, high * (i + 0.6) + 4);
    }
  });
  g.setLineDash([]);
}

/**
 * Draw a figure's lines as steps; return the scale of the x axis.
 * @param {HTMLCanvasElement} canvas @param {PlotlyFigure} figure @param {Colours} colours @param {HTMLElement} box
 */
function sketch(canvas, figure, colours, box) {
  const { clientWidth: width, clientHeight: height } = box;
  return sketchOn(sharp(canvas, width, height), figure, colours, width, height);
}

/**
 * @param {Canvas} g @param {PlotlyFigure} figure @param {Colours} colours @param {number} width @param {number} height
 * @returns {Scale | null}
 */
export function sketchOn(g, figure, colours, width, height) {
  g.font = `${colours.small}px ${colours.font}`;
  const lineHeight = Math.max(16, 1.25 * colours.small);
  const area = { left: Math.max(64, 4.75 * colours.small), top: 8, right: width - 12, bottom: height - 18 - lineHeight };
  const log = ["xaxis", "yaxis"].map((axis) => figure.layout?.[axis]?.type === "log");
  const scales = log.map((on) => (on ? Math.log10 : Number));
  const lines = figure.data.map(({ x, y, line, name }) => {
    const heights = column(y);
    const points = column(x).map((value, i) => [scales[0](value), scales[1](heights[i])]);
    return {
      points: points.filter((point) => point.every(Number.isFinite)),
      colour: line?.color ? themed(line.color, colours) : colours.ink, dash: line?.dash, name, shape: line?.shape,
    };
  }).filter(({ points }) => points.length);
  const all = lines.flatMap(({ points }) => points);
  if (!all.length) return null;
  const rows = legendRows(lines, area.right - area.left, (text) => g.measureText(text).width);
  area.top += rows.length * lineHeight;
  const ranges = [0, 1].map((i) => [
    all.reduce((m, p) => Math.min(m, p[i]), Infinity), all.reduce((m, p) => Math.max(m, p[i]), -Infinity)]);
  const bounds = ranges.map(([low, high]) => (low < high ? [low, high] : [low - 0.5, low + 0.5]));
  const X = (/** @type {number} */ v) => area.left
    + ((v - bounds[0][0]) / (bounds[0][1] - bounds[0][0])) * (area.right - area.left);
  const Y = (/** @type {number} */ v) => area.bottom - 6
    - ((v - bounds[1][0]) / (bounds[1][1] - bounds[1][0])) * (area.bottom - area.top - 12);
  const solved = solvedHeight(figure), { unlabelled = -Infinity } = figure.layout?.yaxis ?? {};
  const shown = (/** @type {0 | 1} */ axis, /** @type {number} */ v) => {
    const value = log[axis] ? 10 ** v : v;
    if (axis === 1 && value < 1.01 * unlabelled) return "";
    if (axis === 1 && solved !== null && value < 1.01 * solved) return SOLVED;
    return axis === 0 && Math.abs(value - Math.round(value)) < 1e-6 * Math.abs(value) ? count(value)
      : number(value, 3);
  };
  g.strokeStyle = colours.line;
  g.strokeRect(area.left + 0.5, area.top + 0.5, area.right - area.left, area.bottom - area.top);
  g.fillStyle = colours.ink;
  g.textAlign = "right";
  const [[first, last], [lowest, highest]] = ranges; // an axis with a single value has a single label
  if (lowest < highest) g.fillText(shown(1, highest), area.left - 6, area.top + 10);
  g.fillText(shown(1, lowest), area.left - 6, lowest < highest ? area.bottom : Y(lowest) + 5);
  if (first < last) g.fillText(shown(0, last), area.right, area.bottom + lineHeight);
  g.textAlign = "left";
  g.fillText(shown(0, first), area.left, area.bottom + lineHeight);
  g.textAlign = "center";
  const title = figure.layout?.xaxis?.title;
  g.fillText(title?.text ?? title ?? "", (area.left + area.right) / 2, area.bottom + lineHeight);
  g.lineWidth = 2;
  named(g, rows, area.left, lineHeight);
  for (const { points, colour, dash, shape } of lines) {
    g.strokeStyle = colour;
    g.setLineDash(dash && dash !== "solid" ? DASH : []);
    g.beginPath();
    points.forEach(([x, y], i) => {
      if (i && shape === "hv") g.lineTo(X(x), Y(points[i - 1][1]));
      g[i ? "lineTo" : "moveTo"](X(x), Y(y));
    });
    g.stroke();
  }
  return (/** @type {number} */ value) => ({ ...area, x: X(scales[0](value)), height: area.bottom - area.top });
}
