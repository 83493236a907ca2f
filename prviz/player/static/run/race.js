// How a search ended once, recorded: what lanes and curve show until it is begun.

import { Engine } from "./engine.js";
import { readLine } from "./source.js";

const races = new Map(); // by address

/** {engine, curve} of a race, fetched once. */
export function raceAt(address) {
  if (!races.has(address)) races.set(address, fetched(address));
  return races.get(address);
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  const [{ curve, ...head }, outcomes] = readLine(await answer.arrayBuffer());
  const engine = new Engine({ first: 1 }, { onChange() {}, onTrouble() {} });
  engine.take({ ...head, outcomes: new Uint8Array(outcomes) });
  return { engine, curve };
}
