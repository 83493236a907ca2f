// Save a file to the user's disk.

import { h } from "./dom.js";

const HELD = 10000; // milliseconds; by then the browser has started the download

/** @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), HELD);
}
