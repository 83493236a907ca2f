// Searches in Node for wasm.py: the first line on standard input is the problem, and every other line requests one run.

import { createInterface } from "node:readline";
import { Search, traceHash } from "../prviz/player/static/live/search.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { kernels, plan, content, levels, calls } = JSON.parse((await lines.next()).value);
const module = await WebAssembly.compile(bytes(kernels));
const arrays = bytes(content);
for await (const line of lines) {
  if (line === "") break;
  const search = new Search(module, plan, arrays, levels, 0);
  const steps = [];
  const before = process.cpuUsage();
  while (search.calls < calls) steps.push(search.rows(search.advance(calls - search.calls)));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ seconds: (user + system) / 1e6, hash: await traceHash(plan.variables, steps) }));
}
