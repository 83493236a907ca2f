// Read the settings in a live page's address.

/** @import { Control, Values } from "../notebook/sliders.js" */

/**
 * Return the values of controls (`at`), the settings of the page, and error messages.
 * @param {string} search @param {Control[]} controls
 */
export function readQuery(search, controls) {
  const query = new URLSearchParams(search);
  const text = (/** @type {string} */ name) => query.get(name) ?? "";
  const known = (/** @type {string} */ name) => text(name).split(",").filter((each) => controls.some((control) => control.name === each)).join(",");
  /** @type {Values} */ const at = {};
  /** @type {string[]} */ const errors = [];
  for (const { name, label, choices } of controls) {
    if (!query.has(name)) continue;
    const value = text(name);
    if (choices ? value in choices : value.trim() && Number.isFinite(Number(value))) at[name] = choices ? value : Number(value);
    else errors.push(`${label} must be ${choices ? `one of ${Object.keys(choices).join(", ")}` : "a number"}, got ${value.slice(0, 24) || "nothing"}.`);
  }
  const look = ["simple", "lab"].find((view) => view === text("look")) ?? "";
  const call = /^[1-9]\d{0,9}$/.test(text("call")) ? text("call") : "";
  const moments = /^\d{1,10}(,\d{1,10}){0,99}$/.test(text("moments")) ? text("moments") : "";
  return { at, errors, drawn: text("drawn"), held: { hide: known("hide"), lock: known("lock") }, present: text("present") === "1", look, call, moments };
}
