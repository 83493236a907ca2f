// Parts of the player that come on first use: libraries for films and figures, and the font of print.

import { unpack } from "./packing.js";

/** @type {(name: string) => string | Promise<string>} */
let locate = (name) => name;
/** @type {Set<string> | null} names of the parts that a file holds; null where all can be had */
let carried = null;

/**
 * Load parts from the address that `find(name)` has, or promises.
 * @param {(name: string) => string | Promise<string>} find
 */
export function locateParts(find) {
  locate = find;
}

/**
 * Load parts from base64 of gzip, by name: a file without a server holds them.
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

/** Whether a part can be had. @param {string} name */
export const hasPart = (name) => carried?.has(name) ?? true;

/** The address of a part, such as "gif.js". @param {string} name */
export const partAddress = async (name) => locate(name);

/** What a part exports. @param {string} name */
export const loadPart = async (name) => import(await partAddress(name));
