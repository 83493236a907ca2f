// Buttons that do not take the focus from the player.

import { h, icon } from "./dom.js";

/** Keep the focus in the player when a pointer presses a button, so that the space bar still plays. @param {MouseEvent} event */
export function keepFocus(event) {
  event.preventDefault();
  const root = event.target instanceof Element && event.target.closest(".prviz");
  if (root instanceof HTMLElement && !root.contains(document.activeElement)) root.focus({ preventScroll: true });
}

/** @param {Attributes} attributes @param {...(Node | string)} content */
export function button(attributes, ...content) {
  return h("button", { type: "button", onmousedown: keepFocus, ...attributes,
    class: `pv-button ${attributes.class ?? ""}` }, ...content);
}

/** @param {Parameters<typeof icon>[0]} name @param {string} label @param {string} key @param {() => void} act */
export function tool(name, label, key, act) {
  return button({ "aria-label": label, title: key ? `${label} (${key})` : label, onclick: act }, icon(name));
}

/** Return the options of a menu from the text of each value. @param {Record<string, string>} texts @param {string} chosen */
export function choices(texts, chosen) {
  return Object.entries(texts).map(([value, text]) => h("option", { value, selected: value === chosen }, text));
}

/**
 * Make a menu that returns the focus to the player after a choice by pointer.
 * @param {string} label @param {Record<string, string>} texts @param {string} chosen
 * @param {(value: string) => void} act
 */
export function menu(label, texts, chosen, act) {
  let pointed = false;
  const change = () => {
    act(node.value);
    if (pointed) node.blur(); // otherwise the key N would choose an option of the menu
  };
  const node = h("select", { class: "pv-select", "aria-label": label, title: label, onchange: change,
    onpointerdown: () => (pointed = true), onkeydown: () => (pointed = false) },
  ...choices(texts, chosen));
  return node;
}
