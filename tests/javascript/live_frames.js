// Read a problem and settings from standard input; run a search and print frames of some calls.

import { Run } from "../../prviz/player/static/live/run.js";
import { answer } from "../../prviz/player/static/live/answers.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const { kernels, plan, content, wanted, stretches } = await new Response(process.stdin).json();
const run = new Run(await WebAssembly.compile(bytes(kernels)), plan, bytes(content), wanted);
const got = async (method, path) => {
  const { status, parts } = answer(run, method, path);
  return { status, body: Buffer.from(await new Blob(parts).arrayBuffer()) };
};
await got("GET", "opening");
await got("POST", "start");
await run.working;
const frames = [];
for (const [call, count] of stretches) {
  const { body } = await got("GET", `frames?call=${call}&count=${count}`);
  frames.push(body.toString("base64"));
}
const keyframes = (await got("GET", "keyframes?since=0")).body.toString("base64");
const { head, frames: bests } = run.full();
console.log(JSON.stringify({ hash: run.hash, layout: run.layout, secondsAfter: run.secondsAfter, frames, keyframes, full: { ...head, best: run.head(0).full, frame: Buffer.from(bests.at(-1)).toString("base64") } }));
