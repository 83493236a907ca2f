// Read plans and drawings from standard input; print each search's memory and trace.

import { Search, traceHash } from "../../prviz/player/static/live/search.js";
import { drawnPlan } from "../../prviz/player/static/draw/problem.js";
import { levelsOf } from "../../prviz/player/static/live/schedule.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const hex = (array) => Buffer.from(array.subarray(0, 1 + array.findLastIndex((byte) => byte))).toString("hex");
const { kernels, content, searches } = await new Response(process.stdin).json();
const module = await WebAssembly.compile(bytes(kernels)), held = bytes(content);
const found = [];
for (const { plan, drawn, seed, calls, settings } of searches) {
  const [made, filled] = drawnPlan(plan, held, drawn);
  const records = Object.fromEntries(Object.entries(made.records).map(([name, { numbers, arrays }]) => [name, { numbers,
    arrays: Object.fromEntries(arrays.map(({ path, type, shape, from = 0, bytes: n = 0 }) =>
      [path, [type, shape, hex(filled.subarray(from, from + n))]])) }]));
  const search = new Search(module, made, filled, levelsOf(settings, plan.variables), seed);
  const steps = [];
  while (search.calls < calls) steps.push(search.rows(search.advance(calls - search.calls)));
  found.push({ records, hash: await traceHash(plan.variables, steps) });
}
console.log(JSON.stringify(found));
