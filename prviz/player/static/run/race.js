// How a search ended once, recorded: what lanes and curve show until it is begun.

import { Engine } from "./engine.js";
import { readLine } from "./source.js";

/** @type {Map<string, ReturnType<typeof fetched>>} by address */
const races = new Map();

/** {engine, curve} of a race, fetched once. @param {string} address */
export function raceAt(address) {
  const race = races.get(address) ?? fetched(address);
  races.set(address, race);
  return race;
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  const [{ curve, ...head }, outcomes] = readLine(await answer.arrayBuffer());
  const engine = new Engine(/** @type {Source} */ ({ first: 1 }), { onChange() {}, onTrouble() {} });
  engine.take({ ...head, outcomes: new Uint8Array(outcomes) });
  return { engine, curve };
}
