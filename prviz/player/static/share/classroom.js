// The dialog for a class's link, which can lock and hide controls and open the page in presentation mode.

import { button } from "../base/buttons.js";
import { toClipboard } from "../base/clipboard.js";
import { openDialog } from "../base/dialog.js";
import { h, say } from "../base/dom.js";

/** @type {Way[]} */
const WAYS = ["shown", "locked", "hidden"];
const SAYS = "Locked: the control is visible but cannot be changed. Hidden: the control is not shown. In both cases, its value applies.";

/** @typedef {"shown" | "locked" | "hidden"} Way */

/**
 * Open the dialog. `held` has the controls that this page hides or locks. `presents` is true in presentation mode.
 * `moments` are the bookmarks. `link(query)` returns the page's link with the values of `query` added.
 * @param {HTMLElement} root
 * @param {{controls: [name: string, label: string][], held: Held, presents: boolean, moments: string, link: (query: Record<string, string>) => string}} about
 */
export function askForClass(root, { controls, held, presents, moments, link }) {
  const ways = Object.fromEntries(controls.map(([name]) => [name, wayOf(name, held)]));
  const also = { present: presents, moments: Boolean(moments) };
  const field = h("input", { class: "pv-entry pv-class-link", readonly: true, "aria-label": "Link" });
  const said = h("p", { class: "pv-class-said", role: "status" });
  const show = () => {
    const names = (/** @type {Way} */ way) => controls.map(([name]) => name).filter((name) => ways[name] === way).join(",");
    const query = { hide: names("hidden"), lock: names("locked"), present: also.present ? "1" : "",
      moments: also.moments ? moments : "" };
    field.value = link(Object.fromEntries(Object.entries(query).filter(([, value]) => value)));
    say(said, "");
  };
  const tick = (/** @type {keyof typeof also} */ name, /** @type {string} */ text) => {
    const change = () => {
      also[name] = box.checked;
      show();
    };
    const box = h("input", { type: "checkbox", checked: also[name], onchange: change });
    return h("label", {}, box, text);
  };
  const choice = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Way} */ way) => {
    const change = () => {
      ways[name] = way;
      show();
    };
    return h("input", { type: "radio", name: `pv-class-${name}`, checked: ways[name] === way,
      "aria-label": `${label}: ${way}`, onchange: change });
  };
  const copy = async () => {
    field.select();
    say(said, await toClipboard(field.value, dialog) ? "Link copied." : "Copy it from the field.");
  };
  const rows = controls.map(([name, label]) => h("tr", {}, h("th", { scope: "row" }, label),
    ...WAYS.map((way) => h("td", {}, choice(name, label, way)))));
  const head = h("tr", {}, h("th", { scope: "col" }, "Control"), ...WAYS.map((way) => h("th", { scope: "col" }, way)));
  const dialog = openDialog(root, "Link for a class",
    h("p", { class: "pv-note" }, SAYS),
    h("div", { class: "pv-class" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))),
    h("div", { class: "pv-class-also" }, tick("present", "Open in presentation mode"),
      moments ? tick("moments", `With the bookmarks ${moments.replaceAll(",", ", ")}`) : ""),
    h("footer", {}, field, button({ class: "pv-copy", onclick: copy }, "Copy link"), said));
  show();
  return dialog;
}

/** @param {string} name @param {Held} held @returns {Way} */
function wayOf(name, { hide = "", lock = "" }) {
  if (hide.split(",").includes(name)) return "hidden";
  return lock.split(",").includes(name) ? "locked" : "shown";
}
