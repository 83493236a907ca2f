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

/** The options of a menu: what each value is called. */
export function choices(texts, chosen) {
  return Object.entries(texts).map(([value, text]) => h("option", { value, selected: value === chosen }, text));
}

/** A menu that gives the keys back once a pointer has chosen from it. */
export function menu(label, texts, chosen, act) {
  let pointed = false;
  const change = () => {
    act(node.value);
    if (pointed) node.blur(); // else the next N would choose from the menu
  };
  const node = h("select", { class: "pv-select", "aria-label": label, title: label, onchange: change,
    onpointerdown: () => (pointed = true), onkeydown: () => (pointed = false) },
  ...choices(texts, chosen));
  return node;
}
