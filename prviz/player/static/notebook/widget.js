// The player in a notebook, a widget whose run is computed in the kernel.

import { KernelSource, KernelClient } from "./kernel.js";
import { Sliders } from "./sliders.js";
import { compose } from "../share/takeaway.js";
import { h } from "../base/dom.js";
import { locateParts } from "../base/parts.js";
import { mount } from "../stage/theatre.js";
import { readOpening } from "../run/source.js";

const STILL_WIDTH = 640; // width in pixels of the picture stored in the notebook file
const LOST = "The kernel was restarted. Run this cell again.";
const FOREVER = 2 ** 31 - 1; // the longest possible timeout in milliseconds
const REST = 1500; // milliseconds without motion before the stored picture is made

/**
 * Show a widget's run in `el`; return its cleanup.
 * @param {{model: import("./kernel.js").WidgetModel, el: HTMLElement}} widget
 */
export async function renderWidget({ model, el }) {
  const shown = new NotebookTheatre(model, el);
  theatres().add(shown);
  locateParts((name) => [...theatres()].at(-1)?.kernel.script("part", name) ?? name);
  await shown.open();
  return () => {
    theatres().delete(shown);
    shown.close();
  };
}

/** @import { Values } from "./sliders.js" */

/** Return all live widgets, which are global for tests. @returns {Set<NotebookTheatre>} */
function theatres() {
  return (globalThis.__prvizNotebook ??= new Set());
}

class NotebookTheatre {
  /** @type {Values | null} the values of the next run */ wanted = null;
  making = false;

  /** @param {import("./kernel.js").WidgetModel} model @param {HTMLElement} el */
  constructor(model, el) {
    const { controls, still, call = 0 } = model.get("about");
    this.call = call; // the call at which a finished run opens
    this.kernel = new KernelClient(
      model,
      () => this.theatre.tell("The kernel is busy. Loaded calls continue to play."),
      () => this.lost(),
    );
    this.theatre = mount(el, { theme: themeOf(), guest: true, onEvent: (/** @type {{name: string}} */ event) => this.on(event) });
    // Hide the still picture below, which is only for notebooks without a live widget.
    const unseen = h("style", {}, `[data-prviz-still="${still}"] { display: none; }`);
    this.sliders = new Sliders(controls, (values) => this.change(values));
    const { root } = this.theatre;
    root.prepend(unseen, this.sliders.node);
    // Pass only keys with Ctrl, Alt or Meta to JupyterLab, such as Ctrl+S.
    this.spare = (/** @type {KeyboardEvent} */ { ctrlKey, metaKey, altKey }) => root.toggleAttribute("data-lm-suppress-shortcuts", !(ctrlKey || metaKey || altKey));
    addEventListener("keydown", this.spare, true);
    this.watcher = new MutationObserver(() => {
      root.dataset.theme = themeOf();
      this.theatre.retheme();
    });
    this.watcher.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
    this.kept = ""; // identifies the content of the stored picture
    this.looking = setInterval(() => this.keep(), REST);
  }

  /** Open the present run, which other views may show too. */
  async open() {
    this.play(await this.kernel.ask({ kind: "open" }));
  }

  /** @param {Response} answer */
  async play(answer, autoplay = false) {
    if (!answer.ok) return this.refused(answer);
    if (answer.status === 204) return; // a later request has replaced this one
    const opened = readOpening(await answer.arrayBuffer());
    const values = valuesOf(answer);
    this.sliders.show(values);
    const source = new KernelSource(this.kernel, opened.run, opened);
    this.theatre.show(source, { params: words(this.call ? { ...values, call: this.call } : values), autoplay: autoplay || opened.head.state !== "ready" });
  }

  /** @param {Response} answer */
  async refused(answer) {
    this.sliders.show(valuesOf(answer), (await answer.json()).message); // show the previous values again
  }

  /** Request another run. If several changes arrive while the kernel makes a run, only the last counts. @param {Values} values */
  async change(values) {
    this.wanted = values;
    this.call = 0;
    if (this.making) return;
    this.making = true;
    try {
      while (this.wanted) {
        const next = this.wanted;
        this.wanted = null;
        await this.play(await this.kernel.ask({ kind: "make", values: next }));
      }
    } finally {
      this.making = false;
    }
  }

  /** Show that the kernel is lost: loaded calls still play, but no search can run. */
  lost() {
    const { theatre } = this;
    const engine = theatre.projector?.engine;
    if (engine?.active) engine.head = { ...engine.head, state: "stopped" };
    theatre.update({ hindered: LOST });
    theatre.tell(LOST, FOREVER);
  }

  /** Make the run again if the kernel has dropped it. @param {{name: string}} event */
  on({ name }) {
    if (name === "gone") this.change(this.sliders.values);
  }

  /** Store the picture and the story in the notebook file, if nothing moves. */
  async keep() {
    const { theatre } = this;
    const { projector, playback } = theatre;
    const engine = projector?.engine;
    if (!projector || !engine?.calls || engine.active || playback.mode !== "paused" || !playback.frame) return;
    const shown = [projector.source.id, engine.calls, playback.call, theatre.scene.view.theme].join();
    if (shown === this.kept) return;
    this.kept = shown;
    const { story, ...picture } = theatre.takeAway();
    /** @type {Blob | null} */
    const blob = await new Promise((resolve) => compose(picture, STILL_WIDTH, 1).toBlob(resolve, "image/webp", 0.85));
    if (!blob) return;
    const told = `${picture.title}. ${picture.sentence}`;
    this.kernel.ask({ kind: "still", run: projector.source.id, calls: story, told }, [await blob.arrayBuffer()]);
  }

  close() {
    clearInterval(this.looking);
    this.watcher.disconnect();
    removeEventListener("keydown", this.spare, true);
    if (!this.kernel.lost) this.kernel.ask({ kind: "closed" });
    this.kernel.close();
    this.theatre.close();
  }
}

/** @param {Response} answer @returns {Values} */
function valuesOf(answer) {
  return JSON.parse(answer.headers.get("values") ?? "{}");
}

/** Format values for the line below a picture. @param {Values} values */
function words(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Return the theme of JupyterLab, Visual Studio Code, Colab, or else of the system. */
function themeOf() {
  const { body, documentElement } = document;
  const light = body.dataset.jpThemeLight;
  if (light) return light === "true" ? "light" : "dark";
  if (body.matches(".vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)")) return "dark";
  if (body.matches(".vscode-light, .vscode-high-contrast-light")) return "light";
  return documentElement.getAttribute("theme") ?? "auto";
}
