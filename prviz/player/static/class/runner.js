// The worker of a phone, which runs a partial search and full restarts with equal work.

import { Search } from "../live/search.js";
import { levelsOf } from "../live/schedule.js";

/** @type {{module: WebAssembly.Module, plan: any, content: Uint8Array<ArrayBuffer>, variables: number, work: number}} */ let problem;

/** Decode base64. @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Return the lowest cost of a search that makes `work` iterations. @param {number} k1 @param {number} m1 @param {number} seed */
function lowest(k1, m1, seed) {
  const { module, plan, content, variables, work } = problem;
  const search = new Search(module, plan, content, levelsOf({ k1, m1 }, variables), seed);
  let best = Infinity;
  while (search.totals.iterations < work) {
    const made = search.advance(1024, Infinity, -Infinity, work - search.totals.iterations);
    if (!made) break;
    best = search.rows(made).best[made - 1];
  }
  return best;
}

self.onmessage = async ({ data }) => {
  try {
    if (data.load) {
      const { kernels, plan, content, variables, work } = data.load;
      problem = { module: await WebAssembly.compile(bytes(kernels)), plan, content: bytes(content), variables, work };
      self.postMessage(true);
    } else {
      const { k1, m1, seed } = data;
      self.postMessage({ partial: lowest(k1, m1, seed), full: lowest(problem.variables, 1, seed) });
    }
  } catch (error) {
    console.warn(String(error)); // then the server searches instead
    self.postMessage(null);
  }
};
