// The font of printed figures, which every file carries: so words are as wide everywhere.

/* global PLAYER_FONT -- which the bundle defines, as print/font.json has it */

export const FAMILY = "'prviz print', 'DejaVu Sans', Verdana, sans-serif";

const NAME = "prviz print";
let loading = null;

/** The font, ready to be measured: {bytes, packed, glyphs, …}; see tools/print_font.py. */
export function font() {
  return (loading ??= load());
}

async function load() {
  const packed = bytesOf(PLAYER_FONT.zlib);
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  document.fonts.add(await new FontFace(NAME, bytes).load());
  const { characters, glyphs, widths } = PLAYER_FONT;
  const table = new Map([...characters].map((character, i) => [character, { glyph: glyphs[i], width: widths[i] }]));
  return { ...PLAYER_FONT, packed, bytes, table };
}

/** A rule by which an SVG brings the font along. */
export function fontFace({ bytes }) {
  return `@font-face{font-family:"${NAME}";src:url(data:font/ttf;base64,${base64(bytes)})}`;
}

export function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
