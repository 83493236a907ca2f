// Read problems and settings from standard input; print the hash and the best cost of each search.

import { Search, traceHash } from "../../prviz/player/static/live/search.js";
import { levelsOf } from "../../prviz/player/static/live/schedule.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const input = await new Response(process.stdin).json();
const module = await WebAssembly.compile(bytes(input.kernels));
const found = [];
for (const { levels, settings, seed, calls } of input.searches) {
  const search = new Search(module, input.plan, bytes(input.content), levels ?? levelsOf(settings, input.plan.variables), seed);
  const steps = [];
  while (search.calls < calls) steps.push(search.rows(search.advance(Math.min(calls - search.calls, 1 + 7 * steps.length))));
  found.push({ hash: await traceHash(input.plan.variables, steps), best: steps.at(-1).best.at(-1) });
}
console.log(JSON.stringify(found));
