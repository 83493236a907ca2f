// Parts of the player that come on first use: libraries for films and figures, and the font of print.

import { unpack } from "./packing.js";

let locate = null; // a part's address by its name

/** Load parts from the address that `find(name)` has, or promises. */
export function locateParts(find) {
  locate = find;
}

/** Load parts from base64 of gzip, by name: a file without a server holds them. */
export function carryParts(packed) {
  const addresses = {};
  locateParts((name) => (addresses[name] ??= addressOf(packed[name])));
}

async function addressOf(packed) {
  return URL.createObjectURL(new Blob([await unpack(packed)], { type: "text/javascript" }));
}

/** The address of a part, such as "gif.js". */
export const partAddress = async (name) => locate(name);

/** What a part exports. */
export const loadPart = async (name) => import(await partAddress(name));
