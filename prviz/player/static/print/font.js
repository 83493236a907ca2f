// The font of printed figures. Every file contains the font, so that text has the same width everywhere.

import { loadPart } from "../base/parts.js";
import { unpack } from "../base/packing.js";

export const FAMILY = "'prviz print', 'DejaVu Sans', Verdana, sans-serif";

const NAME = "prviz print";
/** @type {Promise<PrintFont> | null} */
let loading = null;

/** Return the loaded font, which tools/print_font.py has made: {base64, characters}. */
export function font() {
  return (loading ??= load());
}

/** @returns {Promise<PrintFont>} */
async function load() {
  const { characters, gzip } = (await loadPart("font.js")).default;
  const bytes = new Uint8Array(await unpack(gzip));
  document.fonts.add(await new FontFace(NAME, bytes).load());
  return { base64: base64(bytes), characters: new Set(characters) };
}

/** Return the CSS rule that embeds the font in an SVG. @param {PrintFont} font */
export function fontFace({ base64: data }) {
  return `@font-face{font-family:"${NAME}";src:url(data:font/ttf;base64,${data})}`;
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
