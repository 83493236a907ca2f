// @ts-nocheck -- not typed yet
// A Gif in a worker, or where a page may have none, a Gif here: with the same methods, which promise.

import { loadPart, partAddress } from "../base/parts.js";

const GIF = "gif.js";

export class RemoteGif {
  constructor(options) {
    this.options = options;
    this.waiting = new Map(); // number of a question → who waits for its answer
    this.asked = 0;
  }

  async open() {
    try {
      this.worker = new Worker(await partAddress(GIF));
      this.worker.onmessage = ({ data: { id, result } }) => this.answered(id, ({ resolve }) => resolve(result));
      this.worker.onerror = (event) => {
        event.preventDefault();
        for (const id of [...this.waiting.keys()]) this.answered(id, ({ reject }) => reject(new Error(event.message)));
      };
      await this.ask("open", [this.options]);
    } catch { // a page may forbid workers
      this.close();
      await loadPart(GIF);
      this.here = new globalThis.prvizGif(this.options);
    }
    return this;
  }

  ask(name, values = [], transfer = []) {
    if (this.here) return new Promise((resolve) => setTimeout(() => resolve(this.here[name](...values))));
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, values }, transfer);
    });
  }

  answered(id, settle) {
    const waits = this.waiting.get(id);
    this.waiting.delete(id);
    if (waits) settle(waits);
  }

  sample(pixels) {
    return this.ask("sample", [pixels], [pixels.buffer]);
  }

  begin() {
    return this.ask("begin");
  }

  add(pixels, times) {
    return this.ask("add", [pixels, times], [pixels.buffer]);
  }

  sizes() {
    return this.ask("sizes");
  }

  finish() {
    return this.ask("finish");
  }

  close() {
    this.worker?.terminate();
    this.worker = null;
  }
}
