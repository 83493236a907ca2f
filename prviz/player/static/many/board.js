// The common part of race and tuning: the Run button, the state, exports, and a player for a single run.

import { LARGE, h, icon, readColours, reducedMotion, say } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { HttpSource } from "../run/source.js";
import { askFor } from "../print/dialog.js";
import { mount } from "../stage/theatre.js";
import { STYLE_SHEET } from "../base/style.js";
import { capital } from "../base/words.js";
import { keepMany, takeKept } from "../run/reload.js";
import { openCode } from "../take/code.js";
import { toClipboard } from "../base/clipboard.js";

const BEAT = 110; // ms between requests to the server while the computation runs
const IDLE = 1000; // ms between requests while the computation waits
const SOON = 50; // ms until the next request after Stop was pressed
const AFTER = 400; // ms after the end until the last request, which gets the final counts
const HASTE = 1500; // ms after Run in which an edited value still applies to that run
const GOING = ["waiting", "running", "paused"];
const ENDED = "The run has ended. To open only this run, copy its link (under Take away).";

/** @typedef {{many: string, base: string, page: string, of: string, params: Record<string, string>, hindered?: string}} BoardData data from the page */
/** @typedef {[name: string, what: string | (() => void)]} Item a menu item with an address or an action */
/** @typedef {{state: string, version?: number, done?: number, message?: string, recorded?: string}} BoardState state from the server; `recorded` is the sentence that marks a recorded result */

/**
 * Return a function that draws or updates the board of a Streamlit component, and returns its cleanup.
 * @param {() => Board<any>} make @returns {(component: Component<BoardData>) => () => void}
 */
export function renderer(make) {
  /** @type {Map<string, Board<any>>} boards by the component's key */
  const boards = new Map();
  const sweep = () => {
    for (const [key, board] of boards) {
      if (board.node.isConnected) continue;
      board.close();
      boards.delete(key);
    }
  };
  addEventListener("pagehide", () => boards.forEach(keepMany));
  return ({ parentElement: host, data, key, setTriggerValue }) => {
    sweep();
    const known = boards.get(key), board = known ?? make();
    boards.set(key, board);
    if (board.node.parentElement !== host) host.append(board.node);
    board.send = (event) => setTriggerValue?.("event", event);
    board.update(data);
    const kept = known ? null : takeKept(data.page);
    if (kept) board.send({ name: "reloaded", run: kept.run });
    return () => setTimeout(sweep, 300);
  };
}

/**
 * A board. Each kind has its own nodes (`parts`) and these methods: `draw()` shows the server's state, `holds(axis)` is
 * true if the result shown is up to date, `items()` returns exports, `figures()` returns figures for print, and
 * `standing()` returns the state in words. `clear()`, if it exists, is called before another board appears.
 * @template {BoardState} Shown
 */
export class Board {
  /** @type {BoardData} */ data;
  /** @type {Shown | null} */ shown = null;
  /** @type {Colours} */ colours;
  /** @type {ReturnType<typeof mount> | null} the player of a single run */ theatre = null;
  /** @type {string | null} identifies the drawn result */ drawn = null;
  /** @type {string | null} the last state */ stood = null;
  /** @type {string | undefined} the chosen axis */ chosen;
  /** @type {string | undefined} the board whose start was reported to the page */ told;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ due;
  named = ""; // identifies the buttons shown
  stopping = false;
  untold = false; // whether a start must still be reported to the page
  went = false;
  pressed = -Infinity;
  /** @type {(event: {name: string, run?: string}) => void} sends an event to the page */ send;

  /** @param {string} label @param {{menus?: HTMLElement[], parts: HTMLElement[], whole: string}} about */
  constructor(label, { menus = [], parts, whole }) {
    this.run = button({ class: "pv-run", onclick: () => this.press() }, "Run");
    this.state = h("p", { class: "pv-race-state", role: "status" });
    this.bar = h("progress", { class: "pv-race-bar", max: "1", value: "0", "aria-label": `Progress of the ${whole}` });
    this.take = h("div", { class: "pv-race-take" });
    this.words = h("p", { class: "pv-race-words", "aria-live": "polite" });
    this.root = h("section", { class: "prviz pv-race", "aria-label": label },
      h("style", {}, STYLE_SHEET),
      h("div", { class: "pv-race-head" }, this.run, ...menus, this.state, this.take),
      this.bar, this.words, ...parts);
    this.watched = h("h2", {});
    this.below = h("section", { class: "pv-race-below", "aria-label": `A run of the ${whole}`, hidden: true }, this.watched);
    this.node = h("div", {}, this.root, this.below);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    this.media = ["(prefers-color-scheme: dark)", LARGE].map((query) => matchMedia(query));
    this.onTheme = () => setTimeout(() => this.redraw(), 100); // after the page has changed its colours
    for (const media of this.media) media.addEventListener("change", this.onTheme);
  }

  redraw() {
    this.drawn = null;
    if (this.shown) this.show(this.shown);
  }

  resize() {}

  clear() {}

  /** Return true if there is a result to show, which may be a recorded one. */
  get filled() {
    return false;
  }

  /** Return true if a result was computed here. */
  get begun() {
    return this.filled && !this.shown?.recorded;
  }

  /** @param {string} [_axis] */
  holds(_axis) {
    return false;
  }

  /** @returns {Item[]} */
  items() {
    return [];
  }

  /** @returns {PrintFigure[]} */
  figures() {
    return [];
  }

  /** @param {Shown} _shown */
  standing(_shown) {
    return "";
  }

  /** @param {Shown} _shown @returns {void | Promise<void>} */
  draw(_shown) {}

  /** @param {BoardData} data */
  update(data) {
    const fresh = data.many !== this.data?.many;
    this.data = data;
    if (fresh) {
      this.shown = this.stood = null;
      say(this.words, "");
      this.root.toggleAttribute("data-empty", true);
      this.leave();
      this.clear();
    }
    this.buttons();
    if (fresh && performance.now() - this.pressed < HASTE) this.press();
    else if (fresh) this.look();
  }

  /** @param {string} path */
  at(path) {
    return new URL(`${this.data.base}player/many/${this.data.many}/${path}`, document.baseURI).href;
  }

  get going() {
    return GOING.includes(this.shown?.state ?? "");
  }

  async press() {
    if (this.data.hindered) return;
    if (this.going) {
      this.stopping = true;
      const answer = await fetch(this.at("stop"), { method: "POST" });
      if (answer.ok) this.shown = { ...this.shown, ...await answer.json() };
      this.buttons();
      return this.look();
    }
    if (this.shown && this.shown.state !== "ready") return this.send({ name: "again" });
    this.shown = /** @type {Shown} */ ({ ...this.shown, state: "waiting" });
    this.pressed = performance.now();
    this.buttons();
    await fetch(this.at("start"), { method: "POST" });
    this.untold = true;
    this.look();
  }

  /** Report the start to the page without waiting for its answer, which takes some time. */
  tell() {
    this.untold ||= this.going && this.told !== this.data.many; // also report a computation that a link has started
    if (!this.untold || (this.going && !this.begun)) return;
    this.untold = false;
    this.told = this.data.many;
    this.send({ name: "started" });
  }

  /** Request the state; repeat this while the computation runs. */
  async look(axis = this.chosen) {
    this.chosen = axis;
    clearTimeout(this.due);
    const { many } = this.data;
    const asked = performance.now();
    try {
      const held = this.holds(axis) ? this.shown : null;
      const query = new URLSearchParams({ ...axis && { axis }, ...held && { since: String(held.version) } });
      const answer = await fetch(this.at(`shown?${query}`));
      if (many !== this.data.many || !this.node.isConnected) return;
      if (answer.status === 404) return this.send({ name: "gone" });
      if (!answer.ok) throw new Error((await answer.json()).message);
      const shown = this.shown = /** @type {Shown} */ ({ ...held, ...await answer.json() });
      if (shown.state === "paused") await fetch(this.at("start"), { method: "POST" }); // continue, because the page is open
      await this.show(shown);
      this.tell();
    } catch (error) {
      this.stand(`The server does not answer: ${/** @type {Error} */ (error).message}. Trying again …`);
    }
    if (many !== this.data.many) return;
    const went = this.went;
    this.went = this.going;
    this.stopping &&= this.going;
    if (!this.going && this.shown && !went) return;
    const running = this.shown?.state === "running";
    const beat = !this.going ? AFTER : this.stopping ? SOON : running ? BEAT : IDLE;
    this.due = setTimeout(() => this.look(), Math.max(20, beat - (performance.now() - asked)));
  }

  /** @param {Shown} shown */
  async show(shown) {
    this.colours = readColours(this.root);
    this.buttons();
    const { recorded, done, message } = shown;
    const standing = this.standing(shown);
    this.stand(recorded && !this.going && !message ? `${recorded} ${standing}` : standing);
    this.bar.value = recorded ? 0 : done ?? 0;
    this.bar.hidden = !this.going;
    this.root.toggleAttribute("data-empty", !this.filled);
    this.root.toggleAttribute("data-recorded", Boolean(recorded));
    await this.draw(shown);
  }

  /** Show the state in words if it has changed: an unchanged state must not replace a newer message. @param {string} words */
  stand(words) {
    if (words === this.stood) return;
    this.stood = words;
    say(this.state, words);
  }

  /** Show the computed part of a run in the player below the board. @param {string} contender @param {number} seed */
  async watch(contender, seed) {
    const query = new URLSearchParams({ contender, seed: String(seed) });
    const answer = await fetch(this.at(`replay?${query}`), { method: "POST" });
    const { run, params, message } = await answer.json();
    if (!answer.ok) return this.stand(message);
    say(this.watched, `${capital(contender)}, seed ${seed}`);
    const { base, of } = this.data;
    const options = { params, page: of, hindered: ENDED, autoplay: true };
    this.theatre ??= mount(this.below);
    this.theatre.show(new HttpSource(base, run), options);
    this.below.hidden = false;
    this.below.scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
  }

  /** Close the open run when another board replaces this one. */
  leave() {
    this.theatre?.close();
    this.theatre = null;
    this.below.hidden = true;
  }

  buttons() {
    const { hindered } = this.data;
    say(this.run, this.going ? "Stop" : this.shown && this.shown.state !== "ready" ? "Run again" : "Run");
    this.run.setAttribute("aria-disabled", String(Boolean(hindered) && !this.going));
    this.run.title = hindered || "";
    this.run.classList.toggle("pv-stop", this.going);
    const items = this.items();
    items.unshift(["Link", () => this.copy()]);
    if (this.begun) items.push(["Open as code", () => this.code()]);
    const names = items.map(([name]) => name).join();
    if (names === this.named) return;
    this.named = names;
    this.take.replaceChildren(...items.map(([name, what]) => (typeof what === "string"
      ? h("a", { class: "pv-button", href: what, download: "" }, icon("takeAway"), name)
      : button({ onclick: what }, icon("takeAway"), name))));
  }

  async code() {
    const ask = async () => {
      const answer = await fetch(this.at("script"));
      const script = await answer.json();
      if (!answer.ok) throw new Error(script.message);
      return script;
    };
    await openCode(this.root, ask).catch(({ message }) => say(this.state, message));
  }

  /** Let the user choose which figure to print. */
  async print() {
    try {
      await askFor(this.figures());
    } catch (error) {
      say(this.state, `The figure could not be made: ${/** @type {Error} */ (error).message}`);
    }
  }

  async copy() {
    const link = `${location.origin}${this.data.page}?${new URLSearchParams(this.data.params)}`;
    say(this.state, await toClipboard(link) ? "Link copied." : link);
  }

  close() {
    clearTimeout(this.due);
    this.observer.disconnect();
    for (const media of this.media) media.removeEventListener("change", this.onTheme);
    this.leave();
  }
}
