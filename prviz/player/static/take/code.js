// The dialog "Open as code", with Python code that repeats the result.

import { h, say } from "../base/dom.js";
import { button } from "../base/buttons.js";
import { openDialog } from "../base/dialog.js";
import { toClipboard } from "../base/clipboard.js";
import { saveFile } from "../base/saving.js";

const WHAT = "This Python code repeats the result. It raises an error if the result differs.";

/**
 * Show a script in a dialog inside `root`; `ask()` fetches {name, python, notebook}.
 * @param {HTMLElement} root @param {() => Promise<Script>} ask
 */
export async function openCode(root, ask) {
  const { name, python, notebook } = await ask();
  const told = h("p", { role: "status" });
  const save = (/** @type {Blob} */ content, /** @type {string} */ ending) => saveFile(content, `${name}.${ending}`);
  openDialog(root, "Open as code", h("p", {}, WHAT),
    h("pre", { class: "pv-code", tabindex: "0", role: "region", "aria-label": "Python" }, h("code", {}, python)),
    h("footer", {},
      button({ class: "pv-copy", autofocus: true, onclick: async () => say(told, await toClipboard(python, told) ? "Copied." : "Select the code above and copy it.") }, "Copy"),
      button({ onclick: () => save(new Blob([python], { type: "text/x-python" }), "py") }, "Download .py"),
      button({ onclick: () => save(new Blob([notebook], { type: "application/x-ipynb+json" }), "ipynb") }, "Download notebook"),
      told));
}
