// The worker of a live page, which searches and answers the page's requests.

import { Run } from "./run.js";
import { answer } from "./answers.js";
import { drawnPlan } from "../draw/problem.js";
import { Plans, keyOf, wantedOf } from "./schedule.js";
import { joined, unpack } from "../base/packing.js";

/** @typedef {import("./search.js").Plan} Plan */

/** @type {{module: WebAssembly.Module, content: Uint8Array, plans: Plans<Plan>}} */ let problem;
/** @type {Run | null} */ let run = null;
let current = "", settings = ""; // name and settings of the run

/** Make a run, unless the present run has these settings and has not started. @param {string} name @param {string} key the key of the plan @param {import("./run.js").Wanted} wanted */
function make(name, key, wanted) {
  const given = JSON.stringify([key, wanted]), prepared = !current && given === settings;
  current = name;
  settings = given;
  if (run && prepared) return run;
  run?.stop();
  const { module, plans, content } = problem, plan = plans.get(key);
  const [made, held] = wanted.drawn ? drawnPlan(plan, content, wanted.drawn) : [plan, content];
  return (run = new Run(module, made, held, wanted));
}

/** @type {Record<string, (message: any) => Promise<import("./answers.js").Answer> | import("./answers.js").Answer>} */
const KINDS = {
  /** Unpack the data; if `values` are given, prepare their run. */
  async load({ kernels, content, plans, by, values, calls, subset }) {
    const compiled = unpack(kernels).then((bytes) => WebAssembly.compile(bytes));
    const [module, bytes, text] = await Promise.all([compiled, unpack(content), unpack(plans)]);
    problem = { module, content: new Uint8Array(bytes), plans: new Plans(text) };
    if (values) {
      const key = keyOf(by, values);
      make("", key, wantedOf(values, problem.plans.get(key).variables, { calls, subset })).prepare();
    }
    return { status: 200, parts: [] };
  },
  async make({ name, key, wanted }) {
    const made = make(name, key, wanted);
    if (wanted.whole) await made.complete();
    return { status: 200, parts: [] };
  },
  ask({ name, method, path }) {
    return run && name === current ? answer(run, method, path) : { status: 404, parts: [] };
  },
};

let answered = Promise.resolve(); // resolves when all earlier requests are answered

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
