// Copy a text to the clipboard.

import { h } from "./dom.js";

/**
 * Copy a text; return true if it was copied. `within` is a node for a temporary text field.
 * @param {string} text @param {HTMLElement} [within]
 */
export async function toClipboard(text, within = document.body) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // no clipboard outside secure contexts
    const field = h("textarea", { style: "position:fixed;opacity:0" }, text);
    within.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
