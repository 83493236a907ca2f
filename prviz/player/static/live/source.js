// A run that a worker of this page computes.

import { RunSource, failure } from "../run/source.js";

/**
 * Start the worker of a page, which then compiles its kernels, and prepares the run of the first `values` if `first`.
 * @param {import("./page.js").Payload} payload
 */
export function startWorker({ worker: script, kernels, content, plans, by, values, calls, subset }, first = true) {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  worker.postMessage({ kind: "load", number: 0, kernels, content, plans, by, calls, subset, values: first ? values : null });
  return worker;
}

/** A client for the worker. */
export class Engine {
  asked = 0;
  /** @type {Map<number, (answer: any) => void>} by request number */ waiting = new Map();

  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
    this.worker.onmessage = ({ data }) => {
      this.waiting.get(data.number)?.(data);
      this.waiting.delete(data.number);
    };
  }

  /** @param {string} kind @param {Record<string, any>} message @returns {Promise<Response>} */
  async ask(kind, message) {
    const number = ++this.asked;
    const answered = new Promise((resolve) => this.waiting.set(number, resolve));
    this.worker.postMessage({ ...message, kind, number });
    const { status, body, headers, error } = await answered;
    if (error) console.error(error);
    return new Response(body, { status, headers });
  }
}

export class LiveSource extends RunSource {
  /**
   * @param {Engine} engine @param {Record<string, ArrayBuffer>} assets @param {string} name of the run
   * @param {string} key of its plan @param {import("./run.js").Wanted} wanted
   */
  constructor(engine, assets, name, key, wanted) {
    super(name);
    this.engine = engine;
    this.assets = assets;
    this.closed = false;
    engine.ask("make", { name, key, wanted }); // the worker answers in order
  }

  /** @param {string} path @param {RequestInit} [options] */
  async fetch(path, { method = "GET" } = {}) {
    const found = await this.engine.ask("ask", { name: this.id, method, path });
    if (this.closed) throw new DOMException("The request was cancelled.", "AbortError");
    if (!found.ok) throw failure(found.status, path);
    return found;
  }

  /** @param {string} name */
  async asset(name) {
    return this.assets[name];
  }

  links() {
    return null;
  }

  plotly() {
    return null;
  }

  close() {
    this.closed = true;
  }
}
