// A Gif in a worker, or in the page if workers are forbidden. The methods return promises.

import { loadPart, partAddress } from "../base/parts.js";

const GIF = "gif.js";

export class RemoteGif {
  /** @param {{width: number, height: number, milliseconds: number}} options */
  constructor(options) {
    this.options = options;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} by request number */
    this.waiting = new Map();
    this.asked = 0;
    /** @type {Worker | null} */ this.worker = null;
    /** @type {any} */ this.here = null;
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

  /** @param {string} name @param {any[]} [values] @param {Transferable[]} [transfer] @returns {Promise<any>} */
  ask(name, values = [], transfer = []) {
    if (this.here) return new Promise((resolve) => setTimeout(() => resolve(this.here[name](...values))));
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker?.postMessage({ id, name, values }, transfer);
    });
  }

  /**
   * @param {number} id
   * @param {(waits: {resolve: (result: any) => void, reject: (error: Error) => void}) => void} settle
   */
  answered(id, settle) {
    const waits = this.waiting.get(id);
    this.waiting.delete(id);
    if (waits) settle(waits);
  }

  /** @param {Uint32Array<ArrayBuffer>} pixels */
  sample(pixels) {
    return this.ask("sample", [pixels], [pixels.buffer]);
  }

  begin() {
    return this.ask("begin");
  }

  /** @param {Uint32Array<ArrayBuffer>} pixels @param {number} times */
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
