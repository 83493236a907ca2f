// The search of a phone: two sliders, and a worker that computes a partial search and full restarts.

import { ask } from "./client.js";
import { h } from "../base/dom.js";

/** @typedef {{title: string, noun: string, k1s: number[], m1s: number[]}} Experiment */
/** @typedef {{at: (path: string) => URL, id: () => string, experiment: Experiment, number: number, place: number, done: (state: any) => void, say: (text: string) => void}} About */

/** @type {{number: number, worker: Worker | null} | null} */
let engine = null;

/** Return the nodes of the form. @param {About} about */
export function searchForm(about) {
  const { noun, k1s, m1s } = about.experiment;
  const k1 = slider("k₁", `${noun} redrawn at once`, k1s, 0);
  const m1 = slider("M₁", "redraws per restart", m1s, Math.floor(m1s.length / 2));
  const button = h("button", { type: "button", class: "main", onclick: async () => {
    button.disabled = true;
    about.say("Searching …");
    const wanted = { k1: k1s[Number(k1.input.value)], m1: m1s[Number(m1.input.value)] };
    const { status, found } = await search(about, wanted);
    button.disabled = false;
    if (status === 200) about.done(found);
    else about.say(found?.message ?? "The result did not reach the server. Try again.");
  } }, "Search");
  return [k1.node, m1.node, button];
}

/** @param {string} name @param {string} says @param {number[]} stops @param {number} first */
function slider(name, says, stops, first) {
  const shown = h("output", {}, `${stops[first]}`);
  const input = h("input", { type: "range", min: 0, max: stops.length - 1, value: first,
    oninput: () => tell() });
  const tell = () => {
    shown.textContent = `${stops[Number(input.value)]}`;
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  tell();
  return { input, node: h("label", {}, `${name}: ${says}`, shown, input) };
}

/** Search in this browser if possible, otherwise on the server. @param {About} about @param {{k1: number, m1: number}} wanted */
async function search({ at, id, number, place }, wanted) {
  if (engine?.number !== number) {
    engine?.worker?.terminate();
    engine = { number, worker: await load(at, id()) };
  }
  const costs = engine.worker && await runIn(engine.worker, { ...wanted, seed: place });
  if (costs) return ask(at("class/result"), { id: id(), body: { number, ...wanted, ...costs } });
  return ask(at("class/compute"), { id: id(), body: wanted });
}

/** Return a worker with the problem; null if this browser cannot search. @param {(path: string) => URL} at @param {string} id */
async function load(at, id) {
  const { status, found } = await ask(at("class/engine"), { id });
  if (status !== 200 || !found.kernels || !globalThis.WebAssembly || !globalThis.Worker) return null;
  const worker = new Worker(at("player/static/runner.js"));
  return await runIn(worker, { load: found }) ? worker : null;
}

/** @param {Worker} worker @param {any} message @returns {Promise<any>} */
function runIn(worker, message) {
  return new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = () => done(null);
    worker.postMessage(message);
  });
}
