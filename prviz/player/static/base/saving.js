// A file for who looks at the page.

import { h } from "./dom.js";

const HELD = 10000; // milliseconds in which a browser has begun to save it

/** @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), HELD);
}
