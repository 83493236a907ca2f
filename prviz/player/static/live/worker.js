// The worker of a live page. It searches, and answers the page's requests.

import { Run } from "./run.js";
import { answer } from "./answers.js";
import { joined, unpack } from "../base/packing.js";

/** @type {{module: WebAssembly.Module, content: Uint8Array}} */ let problem;
/** @type {import("./search.js").Plan} */ let plan;
/** @type {Run | null} */ let run = null;
let current = "";

/** @type {Record<string, (message: any) => Promise<import("./answers.js").Answer> | import("./answers.js").Answer>} */
const KINDS = {
  async load({ kernels, content }) {
    const [module, unpacked] = await Promise.all([unpack(kernels).then((bytes) => WebAssembly.compile(bytes)), unpack(content)]);
    problem = { module, content: new Uint8Array(unpacked) };
    return { status: 200, parts: [] };
  },
  async make({ name, wanted, plan: changed }) {
    run?.stop();
    plan = changed ?? plan;
    current = name;
    run = new Run(problem.module, plan, problem.content, wanted);
    if (wanted.whole) await run.complete();
    return { status: 200, parts: [] };
  },
  ask({ name, method, path }) {
    return run && name === current ? answer(run, method, path) : { status: 404, parts: [] };
  },
};

let answered = Promise.resolve(); // requests are answered in order

self.onmessage = ({ data }) => {
  answered = answered.then(() => reply(data));
};

/** @param {{kind: string, number: number, [name: string]: any}} request */
async function reply({ kind, number, ...message }) {
  try {
    const { status, parts, headers } = await KINDS[kind](message);
    const body = joined(parts).buffer;
    self.postMessage({ number, status, body, headers }, { transfer: [body] });
  } catch (error) {
    self.postMessage({ number, status: 500, body: null, headers: {}, error: String(error) });
  }
}
