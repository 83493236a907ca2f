// Questions to a notebook's kernel, and its answers: messages with bytes beside them.

import { saveFile } from "../base/saving.js";
import { RunSource, failure } from "../run/source.js";
import { unpacked } from "../base/packing.js";

const SILENCE = 2500; // milliseconds without an answer, after which that is told

export class KernelClient {
  /** `model` is the widget's; `onSilence()`: the kernel has long not answered. */
  constructor(model, onSilence) {
    this.model = model;
    this.onSilence = onSilence;
    this.name = Math.random().toString(36).slice(2); // other views hear the same answers
    this.asked = 0;
    this.waiting = new Map(); // number of a question → how it is answered
    this.hear = (message, buffers) => this.answered(message, buffers);
    model.on("msg:custom", this.hear);
  }

  /** A Response, once the kernel has time for it. */
  ask(question, buffers = []) {
    const to = `${this.name}-${++this.asked}`;
    return new Promise((resolve) => {
      const silent = setTimeout(this.onSilence, SILENCE);
      this.waiting.set(to, (answer) => {
        clearTimeout(silent);
        resolve(answer);
      });
      this.model.send({ ...question, to }, undefined, buffers);
    });
  }

  /** The address of a part of the player, which the kernel has. */
  part(name) {
    parts[name] ??= this.ask({ kind: "part", name }).then((answer) => answer.blob())
      .then((script) => URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    return parts[name];
  }

  answered({ to, status, packed, type, headers }, [content]) {
    const resolve = this.waiting.get(to);
    if (!resolve) return;
    this.waiting.delete(to);
    const body = status === 204 ? null : packed ? unpacked(content) : content;
    resolve(new Response(body, { status, headers: { ...headers, "content-type": type } }));
  }

  close() {
    this.model.off("msg:custom", this.hear);
    this.waiting.clear();
  }
}

/** A run that is computed in the kernel. */
export class MessageSource extends RunSource {
  constructor(kernel, runId, opened = null) {
    super(runId, opened);
    this.kernel = kernel;
    this.ahead = 6; // episodes of a story: while a cell runs, some kernels answer nothing
  }

  async fetch(path, { method = "GET" } = {}) {
    const answer = await this.kernel.ask({ kind: "run", run: this.id, method, path });
    if (this.closed) throw new DOMException("Nobody waits any more.", "AbortError");
    if (!answer.ok) throw failure(answer.status, path);
    return answer;
  }

  /** What can be taken away, each as a function that saves it. */
  links() {
    const save = (path, name) => async () => saveFile(await (await this.fetch(path)).blob(), name);
    return {
      csv: save("trace.csv", "prviz-trace.csv"), json: save("trace.json", "prviz-trace.json"),
      best: (name) => save(`best/${name}`, `prviz-${name}.csv`),
      replay: (calls) => save(`replay.html?calls=${calls}`, "prviz-replay.html"),
    };
  }

  /** The address of a script that has Plotly, as the notebook may have no network. */
  async plotly() {
    plotly ??= this.kernel.ask({ kind: "plotly" }).then((answer) => answer.blob())
      .then((script) => URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    return plotly;
  }

  close() {
    this.closed = true;
  }
}

const parts = {};
let plotly = null;
