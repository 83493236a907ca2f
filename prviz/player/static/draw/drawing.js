// Draw data: a toolbar above the picture, and a new search after each stroke.

import { Dots, LINKED, MOST, SIDE, decode, positionsOf, read } from "./dots.js";
import { Surface } from "./surface.js";
import { button, tool } from "../base/buttons.js";
import { count } from "../base/words.js";
import { h, icon, say } from "../base/dom.js";
import { saveFile } from "../base/saving.js";

const PUFF = 120; // milliseconds of spray for a tap
/** @type {Record<"spray" | "point" | "erase" | "move", string>} */
const TOOLS = { spray: "Spray", point: "Point", erase: "Erase", move: "Move and zoom the picture" };
/** @typedef {keyof typeof TOOLS} Tool */

const FIRST = "Press and hold to spray points. Each stroke starts a new search.";
const EMPTY = "Spray points here.";

export class Drawing {
  /**
   * `redraw(text)` starts a search of the drawing; `answer(words)` announces a result to screen readers.
   * @param {import("../scene/scene.js").Scene} scene
   * @param {{redraw(text: string): void, answer(words: string): void, leave(): void, wake(): void}} act
   */
  constructor(scene, { redraw, answer, leave, wake }) {
    this.scene = scene;
    this.redraw = redraw;
    this.answer = answer;
    this.wake = wake;
    this.dots = new Dots();
    /** @type {{tool: Tool, radius: number, rate: number}} */ this.pen = { tool: "spray", radius: 70, rate: 60 };
    /** @type {string | null} the last text sent */ this.sent = null;
    /** @type {string | null} the drawing of the present run */ this.accepted = null;
    this.on = false; // whether the user can draw in the present run
    this.needed = 0; // fewest points for a search
    this.invited = false; // whether the user has changed the loaded drawing, which hides the first hint
    this.owed = 0; // fraction of a point that is left for the next spray
    this.surface = new Surface(scene, this.pen, {
      begin: () => this.dots.begin(),
      draw: (place, passed) => this.draw(place, passed),
      erase: (place) => this.erase(place),
      end: (keyed) => this.end(keyed),
      moved: (place) => this.moved(place),
      undo: () => this.turn("undo"),
      redo: () => this.turn("redo"),
      leave,
    });
    this.invitation = h("p", { class: "pv-invitation", "aria-hidden": "true" });
    const tools = /** @type {["spray" | "point" | "erase" | "move", string][]} */ (Object.entries(TOOLS));
    this.tools = Object.fromEntries(tools.map(([name, label]) => [name,
      button({ "aria-label": label, title: label, "aria-pressed": "false", onclick: () => this.choose(name) }, icon(name))]));
    this.undo = tool("undo", "Undo", "", () => this.turn("undo"));
    this.redo = tool("redo", "Redo", "", () => this.turn("redo"));
    this.told = h("span", { class: "pv-drawn-told" });
    /** @type {(name: "radius" | "rate", label: string, low: number, high: number) => HTMLElement} */
    const slider = (name, label, low, high) => h("label", { class: "pv-drawn-slider" }, label,
      h("input", { type: "range", min: low, max: high, value: this.pen[name], "aria-label": `${label} of the spray`,
        "data-own-keys": true, oninput: ({ target }) => {
          this.pen[name] = Number(/** @type {HTMLInputElement} */ (target).value);
          this.surface.draw();
        } }));
    this.file = h("input", { type: "file", accept: ".csv,text/csv", hidden: true, "aria-label": "Open a saved drawing",
      onchange: () => this.open() });
    this.node = h("div", { class: "pv-drawn", role: "toolbar", "aria-label": "Drawing", hidden: true },
      h("div", { class: "pv-drawn-tools", role: "group", "aria-label": "Tools" }, ...Object.values(this.tools)),
      h("div", { class: "pv-drawn-tools", role: "group", "aria-label": "Drawing as a whole" }, this.undo, this.redo,
        tool("clear", "Clear all points", "", () => this.replace([])),
        tool("open", "Open a saved drawing", "", () => this.file.click()),
        tool("takeAway", "Save the points as CSV", "", () => saveFile(new Blob([this.dots.csv], { type: "text/csv" }), "prviz-drawing.csv"))),
      h("div", { class: "pv-drawn-sliders" }, slider("radius", "Radius", 15, 200), slider("rate", "Rate", 10, 400)),
      this.told, this.file);
    scene.node.prepend(this.node);
    scene.canvas.after(this.surface.canvas, this.invitation);
    new ResizeObserver(() => scene.node.style.setProperty("--pv-head", `${this.node.offsetHeight}px`)).observe(this.node);
    scene.onPaint = () => this.surface.draw();
    this.choose("spray");
  }

  /**
   * Switch to another run, whose points can be edited if its layout contains a drawing. If that
   * drawing is the last one sent or accepted here, strokes made since then are kept. They are sent if there are enough
   * points for the run's centres.
   * @param {Layout} layout @param {boolean} drawable @param {boolean} busy
   */
  follow(layout, drawable, busy) {
    this.on = drawable && typeof layout.drawn === "string";
    this.node.hidden = !this.on;
    this.scene.node.parentElement?.toggleAttribute("data-draws", this.on);
    this.show();
    if (!this.on) {
      this.invite("");
      this.scene.bare = false;
      return;
    }
    this.needed = layout.variables;
    const known = [this.accepted, this.sent].includes(layout.drawn);
    this.accepted = layout.drawn;
    const still = !busy && !this.surface.drawing;
    if (!known && still) {
      this.dots.load(decode(layout.drawn));
      this.sent = layout.drawn;
      this.invited = false;
    }
    this.changed();
    if (known && still) this.send();
  }

  /** @param {Tool} name */
  choose(name) {
    this.pen.tool = name;
    for (const [each, node] of Object.entries(this.tools)) node.setAttribute("aria-pressed", String(each === name));
    this.show();
  }

  show() {
    const draws = this.on && this.pen.tool !== "move";
    this.surface.canvas.hidden = !draws;
    this.surface.draw();
  }

  /**
   * Draw with the pen for `passed` milliseconds, or for one press if `passed` is null.
   * @param {Point} place @param {number | null} passed
   */
  draw([x, y], passed) {
    const { dots, pen: { tool: name, radius, rate } } = this;
    if (name === "erase") dots.erase(x, y, radius);
    else if (name === "point") {
      if (passed === null) dots.add(x, y);
    } else {
      this.owed += (rate * (passed ?? PUFF)) / 1000;
      const n = passed === null ? Math.max(1, Math.floor(this.owed)) : Math.floor(this.owed);
      this.owed = Math.max(0, this.owed - n);
      dots.spray(x, y, radius, n);
    }
    this.invited = true;
    this.changed();
  }

  /** @param {Point} place */
  erase([x, y]) {
    this.dots.erase(x, y, this.pen.radius);
    this.invited = true;
    this.changed();
  }

  end(keyed = false) {
    this.owed = 0;
    const changed = this.dots.end();
    if (changed) this.send();
    if (keyed) this.answer(changed ? this.summary : "Nothing has changed.");
  }

  /** @param {Point} place */
  moved(place) {
    const [x, y] = place.map((part) => Math.round((100 * part) / (SIDE - 1)));
    this.answer(`Pen at ${x} % from the left, ${y} % from below.`);
  }

  /** @param {"undo" | "redo"} which */
  turn(which) {
    if (this.surface.drawing || !this.dots[which]()) return;
    this.changed();
    this.send();
    this.answer(this.summary);
  }

  async open() {
    const file = this.file.files?.[0];
    if (!file) return;
    try {
      this.replace(read(await file.text()));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.invite(message);
      this.answer(message);
    }
    this.file.value = ""; // so that the same file can be opened again
  }

  /** @param {number[]} points */
  replace(points) {
    this.dots.begin();
    this.dots.replace(points);
    this.invited = true;
    this.changed();
    this.end(true);
  }

  /** Start a search if there are enough points and they have changed. */
  send() {
    const { text } = this.dots;
    if (this.short || text === this.sent) return;
    this.sent = text;
    this.redraw(text);
  }

  /** Show why the server rejected the drawing. @param {string} words */
  refused(words) {
    this.sent = null;
    this.scene.bare = true;
    this.invite(words);
    this.answer(words);
    this.wake();
  }

  /** Return true if there are fewer different points than centres. */
  get short() {
    return this.dots.different < this.needed;
  }

  get summary() {
    const { n } = this.dots;
    return `${count(n)} point${n === 1 ? "" : "s"}`;
  }

  /** Show the present points before a search has accepted them. */
  changed() {
    const { dots, scene, needed, short } = this;
    scene.bare = short;
    const scaled = positionsOf(dots.points);
    for (const layer of scene.layers) layer.put?.(scaled);
    const missing = needed - dots.different;
    this.invite(dots.n === 0 ? EMPTY
      : short ? `${needed} centres need ${needed} points. Add ${missing}, or choose fewer clusters.`
        : dots.n >= MOST ? `${count(MOST)} points: the limit is reached.` : this.invited ? "" : FIRST);
    const long = dots.n > LINKED;
    say(this.told, long ? `${this.summary}, too many for a link` : this.summary);
    this.told.title = long ? `A link contains up to ${LINKED} points. Save a larger drawing as a file.` : "";
    this.undo.disabled = !dots.done.length;
    this.redo.disabled = !dots.undone.length;
    this.wake();
  }

  /** @param {string} words */
  invite(words) {
    this.invitation.hidden = !words || !this.on;
    say(this.invitation, words);
  }
}
