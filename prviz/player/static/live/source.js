// A run that a worker of this page computes.

import { RunSource, failure } from "../run/source.js";

/** A client for the worker. */
export class Engine {
  asked = 0;
  /** @type {Map<number, (answer: any) => void>} by request number */ waiting = new Map();

  /** @param {string} script of the worker */
  constructor(script) {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(address);
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
   * A `plan` replaces that of the run before.
   * @param {Engine} engine @param {Record<string, ArrayBuffer>} assets @param {string} name of the run
   * @param {import("./run.js").Wanted} wanted @param {import("./search.js").Plan | null} plan
   */
  constructor(engine, assets, name, wanted, plan) {
    super(name);
    this.engine = engine;
    this.assets = assets;
    this.closed = false;
    this.made = engine.ask("make", { name, wanted, plan });
  }

  /** @param {string} path @param {RequestInit} [options] */
  async fetch(path, { method = "GET" } = {}) {
    await this.made;
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
