// Parts of the player that are loaded on first use: libraries for films and figures, and the print font.

import { unpack } from "./packing.js";

/** @type {(name: string) => string | Promise<string>} */
let locate = (name) => name;
/** @type {Set<string> | null} names of the parts in a stand-alone file; null if all parts are available */
let carried = null;

/**
 * Set the function that finds the address of a part.
 * @param {(name: string) => string | Promise<string>} find
 */
export function locateParts(find) {
  locate = find;
}

/**
 * Load parts from compressed base64 texts by name, in a file without a server.
 * @param {Record<string, string>} packed
 */
export function carryParts(packed) {
  /** @type {Record<string, Promise<string>>} */
  const addresses = {};
  carried = new Set(Object.keys(packed));
  locateParts((name) => (addresses[name] ??= addressOf(packed[name])));
}

/** @param {string} packed */
async function addressOf(packed) {
  return URL.createObjectURL(new Blob([await unpack(packed)], { type: "text/javascript" }));
}

/** Return whether a part is available. @param {string} name */
export const hasPart = (name) => carried?.has(name) ?? true;

/** Return the address of a part, such as "gif.js". @param {string} name */
export const partAddress = async (name) => locate(name);

/** Return the exports of a part. @param {string} name */
export const loadPart = async (name) => import(await partAddress(name));
