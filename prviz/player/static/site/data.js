// The data of a page are scripts that provide values by name, because a page from a disk cannot fetch files.

import { leisure } from "../base/dom.js";

/** Return a value; load its script if it is not available yet. @param {string} name @param {string} [file] */
export async function need(name, file = `${name}.js`) {
  const all = globalThis.prvizData ??= {};
  if (!(name in all)) await load(`data/${file}`);
  return all[name];
}

const painted = leisure();

/** Load a script, after the browser has painted the texts. @param {string} address */
async function load(address) {
  await painted;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} is missing.`));
    document.head.append(script);
  });
}

/** @type {Promise<void> | undefined} */ let loading;

/** Return the player; load it on first use. */
export async function player() {
  loading ??= load("player.js").then(() => globalThis.prviz.locateParts(partOf));
  await loading;
  return globalThis.prviz;
}

/**
 * Return the payload of a live problem.
 * @param {{data: string, [setting: string]: any}} live
 */
export async function payloadOf({ data, ...settings }) {
  const problem = await need(data);
  const [kernels, worker] = await Promise.all([need(`kernels-${problem.kernels}`), need("worker")]);
  return { ...problem, ...settings, kernels, worker };
}

/** Return the address of a part of the player, such as "gif.js". @param {string} name */
export async function partOf(name) {
  const content = await (await player()).unpack(await need(name, name));
  return URL.createObjectURL(new Blob([content], { type: "text/javascript" }));
}
