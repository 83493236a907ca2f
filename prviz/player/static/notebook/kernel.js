// Requests to a notebook's kernel, and its answers, as messages with binary buffers.

import { saveFile } from "../base/saving.js";
import { RunSource, failure } from "../run/source.js";
import { unpacked } from "../base/packing.js";

const SILENCE = 2500; // milliseconds without an answer before a message appears

/** @typedef {{get(name: string): any, on(event: string, hear: (message: any, buffers: DataView[]) => void): void, off(event: string, hear: Function): void, send(message: object, callbacks?: undefined, buffers?: ArrayBuffer[]): void}} WidgetModel of anywidget */

export class KernelClient {
  /**
   * `model` is the widget's model. `onSilence()` is called if the kernel does not answer for some time.
   * @param {WidgetModel} model @param {() => void} onSilence @param {() => void} onLost called if the kernel was restarted or has ended
   */
  constructor(model, onSilence, onLost) {
    this.model = model;
    this.lost = false;
    this.onSilence = () => this.lost || onSilence();
    this.lose = () => {
      this.lost = true;
      onLost();
    };
    model.on("comm_live_update", this.lose);
    this.name = Math.random().toString(36).slice(2); // identifies this view's answers, because every view receives all answers
    this.asked = 0;
    /** @type {Map<string, (answer: Response) => void>} by request number */ this.waiting = new Map();
    this.hear = (/** @type {any} */ message, /** @type {DataView[]} */ buffers) => this.answered(message, buffers);
    model.on("msg:custom", this.hear);
  }

  /**
   * Send a question; return a Response when the kernel has answered. A lost kernel never answers.
   * @param {{kind: string, [value: string]: any}} question @param {ArrayBuffer[]} [buffers]
   * @returns {Promise<Response>}
   */
  ask(question, buffers = []) {
    const to = `${this.name}-${++this.asked}`;
    return new Promise((resolve) => {
      if (this.lost) return; // sending would fail, and its message would replace the message of onLost
      const silent = setTimeout(this.onSilence, SILENCE);
      this.waiting.set(to, (answer) => {
        clearTimeout(silent);
        resolve(answer);
      });
      this.model.send({ ...question, to }, undefined, buffers);
    });
  }

  /**
   * Return the address of a script from the kernel: a "part" of the player, or "plotly".
   * @param {"part" | "plotly"} kind @param {string} [name]
   */
  script(kind, name) {
    const load = async () => {
      const script = await (await this.ask({ kind, name })).blob();
      return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    };
    return (scripts[`${kind} ${name}`] ??= load());
  }

  /**
   * @param {{to: string, status: number, packed?: boolean, type: string, headers?: Record<string, string>}} message
   * @param {DataView[]} buffers
   */
  answered({ to, status, packed, type, headers }, [content]) {
    const resolve = this.waiting.get(to);
    if (!resolve) return;
    this.waiting.delete(to);
    const body = status === 204 ? null : packed ? unpacked(/** @type {BlobPart} */ (content)) : /** @type {BodyInit} */ (content);
    resolve(new Response(body, { status, headers: { ...headers, "content-type": type } }));
  }

  close() {
    this.model.off("msg:custom", this.hear);
    this.model.off("comm_live_update", this.lose);
    this.waiting.clear();
  }
}

/** A run that is computed in the kernel. */
export class KernelSource extends RunSource {
  /** @param {KernelClient} kernel @param {string} runId @param {Opening | null} [opened] */
  constructor(kernel, runId, opened = null) {
    super(runId, opened);
    this.kernel = kernel;
    this.closed = false;
    this.ahead = 6; // episodes to load ahead, because some kernels do not answer while a cell runs
  }

  /** @param {string} path @param {RequestInit} [options] */
  async fetch(path, { method = "GET" } = {}) {
    const answer = await this.kernel.ask({ kind: "run", run: this.id, method, path });
    if (this.closed) throw new DOMException("The request was cancelled.", "AbortError");
    if (!answer.ok) throw failure(answer.status, path);
    return answer;
  }

  /** Return the exports, each as a function that saves a file. */
  links() {
    const save = (/** @type {string} */ path, /** @type {string} */ name) => async () => saveFile(await (await this.fetch(path)).blob(), name);
    return {
      csv: save("trace.csv", "prviz-trace.csv"), json: save("trace.json", "prviz-trace.json"),
      best: (/** @type {string} */ name) => save(`best/${name}`, `prviz-${name}.csv`),
      replay: (/** @type {number[]} */ calls) => save(`replay.html?calls=${calls}`, "prviz-replay.html"),
      live: save("live.html", "prviz-live.html"),
    };
  }

  /** Return the address of Plotly's script from the kernel, because the notebook may have no network. */
  plotly() {
    return this.kernel.script("plotly");
  }

  close() {
    this.closed = true;
  }
}

/** @type {Record<string, Promise<string>>} addresses */
const scripts = {};
