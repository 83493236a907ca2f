// Buttons that leave the focus to the player.

import { h, icon } from "./dom.js";

/** A pointer must not move the focus to a button: the space bar belongs to the player. */
export function keepFocus(event) {
  event.preventDefault();
  const root = event.target.closest(".prviz");
  if (root && !root.contains(document.activeElement)) root.focus({ preventScroll: true });
}

export function button(attributes, ...content) {
  return h("button", { type: "button", onmousedown: keepFocus, ...attributes,
    class: `pv-button ${attributes.class ?? ""}` }, ...content);
}

export function tool(name, label, key, act) {
  return button({ "aria-label": label, title: key ? `${label} (${key})` : label, onclick: act }, icon(name));
}
