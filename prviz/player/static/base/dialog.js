// A dialog over the page. It gets all keys until it is closed; then the focus returns to the page.

import { h, icon } from "./dom.js";
import { button } from "./buttons.js";

/**
 * Open a dialog in `root`, a node of class prviz; return it. The node with `autofocus` gets the focus.
 * @param {HTMLElement} root @param {string} title @param {...(Node | string)} content
 */
export function openDialog(root, title, ...content) {
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "pv-dialog", "aria-label": title, "data-own-keys": true,
    onclose: () => dialog.remove(),
    onclick: ({ target }) => target === dialog && dialog.close(), // a click outside the content closes it
    onkeydown: (event) => event.stopPropagation() },
  h("div", { class: "pv-dialog-held" },
    h("header", {}, h("h2", {}, title),
      button({ "aria-label": "Close", title: "Close (Esc)", onclick: () => dialog.close() }, icon("close"))),
    ...content));
  root.append(dialog);
  dialog.showModal();
  return dialog;
}
