// The source of a run that a worker of this page computes.

import { RunSource, failure } from "../run/source.js";
import { decode } from "../run/film.js";

/**
 * Start a page's worker, which compiles the kernels. If `first` is true, it also prepares the run with these `values`.
 * @param {import("./page.js").Payload} payload
 */
export function startWorker({ worker: script, kernels, content, plans, by, values, calls, subset }, first = true) {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  worker.postMessage({ kind: "load", number: 0, kernels, content, plans, by, calls, subset, values: first ? values : null });
  return worker;
}

const FIRST_KEPT = 56; // bits of the first call's outcome: a new best, kept on level 1 and on the outermost level

/** A client for the worker. */
export class Engine {
  asked = 0;
  /** @type {Map<number, (answer: any) => void>} callbacks by request number */ waiting = new Map();

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

/**
 * Return the result of `opening` for a run whose first picture is stored in the page.
 * @param {any} layout @param {ArrayBuffer} frames the last frame of the first call @returns {Opening}
 */
export function storedOpening(layout, frames) {
  const { best, iterations } = decode(frames, 0, layout);
  const outcomes = Uint8Array.of(FIRST_KEPT | (layout.levels.length & 7));
  const head = { state: "ready", calls: 1, best, full: null, iterations, seconds: 0, kept: 1, reverted: 0, generation: 0, message: "",
    remaking: false, hash: "", resumable: false, bests: [[1, best]], outcomes };
  return { layout, frames, tags: {}, head: /** @type {any} */ (head) };
}

export class LiveSource extends RunSource {
  /**
   * @param {Engine} engine @param {Record<string, ArrayBuffer>} assets @param {string} name the name of the run
   * @param {string} key the key of its plan @param {import("./run.js").Wanted} wanted
   * @param {{opened?: Opening | null, redraw?(text: string): Promise<LiveSource>}} [more] the opening, if stored; a function that searches a drawing
   */
  constructor(engine, assets, name, key, wanted, { opened = null, redraw } = {}) {
    super(name, opened);
    this.redraw = redraw;
    this.engine = engine;
    this.assets = assets;
    this.closed = false;
    engine.ask("make", { name, key, wanted }); // need not wait, because the worker answers in order
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
