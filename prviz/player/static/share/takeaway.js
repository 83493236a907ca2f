// The menu of exports, such as a link, the trace, a figure or a stand-alone replay.

import { context, h, icon } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { askFor } from "../print/dialog.js";
import { hasPart } from "../base/parts.js";
import { toClipboard } from "../base/clipboard.js";
import { linkTo } from "./links.js";

const NO_CODE = "A recording cannot be opened as code. Press Run first.";

/** @typedef {ReturnType<Theatre["takeAway"]>} Shown */

/** The button with its menu. `get` returns the present exports, as Theatre.takeAway does. */
export class TakeAway {
  /** @param {() => Shown} get */
  constructor(get) {
    this.get = get;
    this.list = h("div", { class: "pv-menu", role: "menu", hidden: true });
    this.opener = button({ class: "pv-take", "aria-haspopup": "menu", "aria-expanded": "false",
      "aria-label": "Take away", title: "Take away", onclick: () => this.toggle() },
    icon("takeAway"), h("span", {}, "Take away"));
    this.node = h("div", { class: "pv-takeaway" }, this.opener, this.list);
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("focusout", (event) => {
      if (!this.node.contains(/** @type {Node} */ (event.relatedTarget))) this.toggle(false);
    });
  }

  toggle(open = this.list.hidden) {
    if (open) this.fill();
    this.list.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (open) this.entries[0]?.focus();
  }

  get entries() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  fill() {
    const shown = this.get();
    const { links, page, params, beside, call, at, story, tables, livePage, tell, code, film, forClass } = shown;
    /** @type {[text: string, what: string | (() => void)][]} */
    const items = [];
    if (page !== null) items.push(["Copy link", () => copyLink(page, { ...params, ...beside }, at, tell)]);
    if (call) { // there is a call, so there is a result
      if (links) items.push(["Open as code", () => code().catch(() => tell(NO_CODE))]);
      if (links) items.push(...Object.entries(tables).map(([name, text]) => /** @type {[string, string]} */ ([`${text} (CSV)`, links.best(name)])));
      if (links) items.push(["Trace (CSV)", links.csv], ["Trace (JSON)", links.json]);
      items.push([hasPart("pdf.js") ? "Figure (PNG, SVG, PDF)" : "Figure (PNG, SVG)", () => askForFigure(shown)]);
      items.push([hasPart("video.js") ? "Film (GIF, video)" : "Film (GIF)", film]);
      if (links) items.push(["Replay (HTML)", links.replay(story)]);
      if (links && livePage) items.push(["Live page (HTML)", links.live]);
    }
    if (forClass) items.push(["Link for a class", () => forClass((/** @type {Record<string, string>} */ also) => linkTo(page, { ...params, ...also }, at))]);
    this.list.replaceChildren(...items.map(([text, what]) => this.item(text, what)));
  }

  /** @param {string} text @param {string | (() => void)} what */
  item(text, what) {
    const shared = { class: "pv-menu-item", role: "menuitem", tabindex: "-1" };
    if (typeof what === "string") {
      return h("a", { ...shared, href: what, download: "", onclick: () => this.toggle(false) }, text);
    }
    return h("button", { ...shared, type: "button", onclick: () => {
      this.toggle(false);
      this.opener.focus();
      what();
    } }, text);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.list.hidden) return;
    const items = this.entries;
    const at = items.indexOf(/** @type {HTMLElement} */ (event.composedPath()[0]));
    if (event.key === "Escape") {
      this.toggle(false);
      this.opener.focus();
    } else if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * @param {string} page @param {Record<string, string>} params @param {number} call @param {(text: string) => void} tell
 */
async function copyLink(page, params, call, tell) {
  const link = linkTo(page, params, call);
  tell(await toClipboard(link) ? "Link copied." : link);
}

/** @param {Shown} shown */
async function askForFigure({ figures, theme, tell }) {
  try {
    await askFor(figures(), theme);
  } catch (error) {
    tell(`The figure could not be made: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Draw the scene with its title, sentence and settings, for a slide or a report.
 * @param {Pick<Shown, "scene" | "title" | "sentence" | "params" | "call" | "colours">} shown @param {number} width @param {number} ratio
 */
export function compose({ scene, title, sentence, params, call, colours }, width, ratio) {
  const margin = 40;
  const picture = scene.picture(width * ratio);
  const height = picture.height / ratio;
  const canvas = h("canvas", {
    width: (width + 2 * margin) * ratio, height: Math.round((height + margin + 144) * ratio),
  });
  const g = context(canvas);
  g.scale(ratio, ratio);
  g.fillStyle = colours.ground;
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.drawImage(picture, margin, margin + 36, width, height);
  g.textBaseline = "top";
  /** @type {(text: string, size: number, weight: number, colour: string, y: number) => void} */
  const line = (text, size, weight, colour, y) => {
    g.fillStyle = colour;
    g.font = `${weight} ${size}px ${colours.font}`;
    g.fillText(text, margin, y, width);
  };
  line(title, 20, 600, colours.ink, margin);
  line(sentence, 16, 400, colours.ink, margin + 44 + height);
  const settings = Object.entries(params).filter(([name]) => name !== "call");
  const words = [...settings.map((pair) => pair.join(" ")), `call ${call}`].join(" · ");
  line(words, 12, 400, colours.quiet, margin + 72 + height);
  return canvas;
}
