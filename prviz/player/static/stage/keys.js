// The keyboard, and the panel of shortcuts.

import KEYS from "./keys.json" with { type: "json" };
import { h } from "../base/dom.js";

/** @import { Controls } from "./controls.js" */
/** @typedef {{compact: boolean, guest: boolean}} Kind of a player */

/** @type {Record<string, "story" | number>} */
const PACE_KEYS = { s: "story", S: "story", 1: 0.25, 2: 0.5, 3: 1, 4: 2, 5: 4, 6: 8 };
/** @type {Record<string, Direction>} */
const CLICKER_KEYS = { PageDown: 1, PageUp: -1 };
/** The keys for a class: address, question, answer, searches by everyone. */
const CLASS_KEYS = ["c", "q", "a", "e"];
/** @type {Record<string, "all" | "restart" | number>} */
const ZOOM_KEYS = { "+": 0.5, "=": 0.5, "-": 2, z: "restart", Z: "restart", 0: "all" };

const TYPING = "input, textarea, select, [contenteditable]";
/** Elements that use keys themselves. Keys pressed on other elements, also on links, go to the player. */
const CONTROL = `${TYPING}, button, summary, [role='slider'], [role='radio'], [role='tab'], [role='option'],
  [role='combobox'], [role^='menu']`;

const lacks = (/** @type {typeof KEYS[number]} */ key, /** @type {Kind} */ { compact, guest }) => compact && !key.compact || guest && key.presents;

/**
 * Call `act` for keys pressed in the player, and elsewhere on the page while `mine()` is true. Some kinds of players
 * have fewer keys.
 * @param {HTMLElement} root @param {Controls} act @param {() => boolean} mine @param {Kind} kind
 */
export function listenKeys(root, act, mine, kind) {
  const lacking = new Set(KEYS.filter((key) => lacks(key, kind)).flatMap(({ pressed }) => pressed));
  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (lacking.has(event.key)) return;
    const path = event.composedPath();
    const target = /** @type {HTMLElement} */ (path[0]);
    const inside = path.includes(root);
    if (inside && target.closest?.("[data-own-keys]")) return;
    if (!inside && !(mine() && !target.closest?.(CONTROL))) return;
    if (target.matches?.(TYPING) || target.isContentEditable) return;
    if (event.key === " " && target.matches?.("button, a, summary")) return; // the key belongs to the button or link
    const done = perform(event, act);
    if (done) event.preventDefault();
  }
  /** Remove the focus from a button of the page after a pointer has pressed it. @param {MouseEvent} event */
  function release({ target, detail }) {
    const pressed = target instanceof Element ? target.closest("[data-testid='stButton'] button") : null;
    if (detail && pressed instanceof HTMLElement && pressed === document.activeElement) pressed.blur();
  }
  document.addEventListener("keydown", press);
  document.addEventListener("click", release);
  return () => {
    document.removeEventListener("keydown", press);
    document.removeEventListener("click", release);
  };
}

/** @param {KeyboardEvent} event @param {Controls} act */
function perform({ key, shiftKey }, act) {
  if (act.presenting && presents(key, act)) return true;
  const direction = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  if (direction) act.step(shiftKey ? "call" : "frame", direction);
  else if (key === " ") act.toggle();
  else if (key === ",") act.line(-1);
  else if (key === ".") act.line(1);
  else if (key === "n" || key === "N") act.jump(1);
  else if (key === "p" || key === "P") act.jump(-1);
  else if (key === "l" || key === "L") act.live();
  else if (key === "d" || key === "D") act.view();
  else if (key === "b" || key === "B") act.mark();
  else if (key === "f" || key === "F") return act.present();
  else if (key in PACE_KEYS) act.pace(PACE_KEYS[key]);
  else if (key in ZOOM_KEYS) act.zoom(ZOOM_KEYS[key]);
  else if (key === "?") act.help();
  else if (key === "Escape") return act.escape();
  else return false;
  return true;
}

/**
 * Handle a key that is only for presentations or classes; return false for other keys.
 * @param {string} key @param {Controls} act
 */
function presents(key, act) {
  if (key in CLICKER_KEYS) act.advance(CLICKER_KEYS[key]);
  else if (key === ".") act.darken();
  else if (key === "t" || key === "T") act.point();
  else if (CLASS_KEYS.includes(key.toLowerCase())) return act.classroom(key.toLowerCase());
  else return false;
  return true;
}

/** @param {() => void} close @param {Kind} kind */
export function helpPanel(close, kind) {
  const rows = KEYS.filter((key) => !lacks(key, kind))
    .map(({ shown, does }) => h("div", {}, h("dt", {}, h("kbd", {}, shown)), h("dd", {}, does)));
  return h("div", { class: "pv-help", role: "dialog", "aria-label": "Keys", hidden: true },
    h("dl", {}, ...rows),
    h("button", { type: "button", class: "pv-button", onclick: close }, "Close"));
}
