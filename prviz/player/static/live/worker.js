// The worker of a live page. It searches, and answers the page's requests.

import { Run } from "./run.js";
import { answer } from "./answers.js";

/** @type {{module: WebAssembly.Module, plan: import("./search.js").Plan, content: Uint8Array}} */ let problem;
/** @type {Run | null} */ let run = null;
let current = "";

/** @type {Record<string, (message: any) => Promise<import("./answers.js").Answer> | import("./answers.js").Answer>} */
const KINDS = {
  async load({ kernels, plan, content }) {
    problem = { module: await WebAssembly.compile(kernels), plan, content: new Uint8Array(content) };
    return { status: 200, parts: [] };
  },
  make({ name, wanted }) {
    run?.stop();
    current = name;
    run = new Run(problem.module, problem.plan, problem.content, wanted);
    return { status: 200, parts: [] };
  },
  ask({ name, method, path }) {
    return run && name === current ? answer(run, method, path) : { status: 404, parts: [] };
  },
};

self.onmessage = async ({ data: { kind, number, ...message } }) => {
  try {
    const { status, parts, headers } = await KINDS[kind](message);
    const body = await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer();
    self.postMessage({ number, status, body, headers }, { transfer: [body] });
  } catch (error) {
    self.postMessage({ number, status: 500, body: null, headers: {}, error: String(error) });
  }
};
