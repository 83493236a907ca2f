// Sources of a run: a server, or a replay inside a page.

import { offsetOf } from "./film.js";

const MOST_ASSETS = 8;
/** @type {Map<string, ArrayBuffer>} tag → static part of a picture, which runs share */
const assetCache = new Map();

/** Requests to a run, independent of the transport. */
export class RunSource {
  /** @type {Opening | null} */ opened;
  /** @type {Set<number> | null} the calls that have pictures; null if all have */ held = null;

  /**
   * `opened` is the result of `opening`, if it is already loaded.
   * @param {string} runId @param {Opening | null} [opened]
   */
  constructor(runId, opened = null) {
    this.opened = opened;
    this.id = runId;
    this.first = 1;
  }

  /** Send a request. @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
  async fetch(path, { method = "GET" } = {}) {
    throw new Error(`No source for ${method} ${path}.`);
  }

  /** Return the data of the first picture: {layout, head, frames}. The head has the format of `progress`. */
  async opening() {
    this.opened ??= readOpening(await (await this.fetch("opening")).arrayBuffer());
    this.held = this.opened.held ? new Set(this.opened.held) : null;
    return this.opened;
  }

  /** @param {string} name @returns {Promise<ArrayBuffer>} */
  async asset(name) {
    const tag = (await this.opening()).tags[name] ?? `${this.id} ${name}`;
    const known = assetCache.get(tag);
    if (known) return known;
    const answer = await this.fetch(`assets/${encodeURIComponent(name)}`);
    return keep(tag, await answer.arrayBuffer());
  }

  /** @param {number} call @param {number} count */
  async frames(call, count) {
    return (await this.fetch(`frames?call=${call}&count=${count}`)).arrayBuffer();
  }

  /** @param {number} since */
  async keyframes(since) {
    const answer = await this.fetch(`keyframes?since=${since}`);
    const generation = answer.headers.get("generation") ?? answer.headers.get("x-generation");
    return { generation, buffer: await answer.arrayBuffer() };
  }

  /** @param {number} since @returns {Promise<Head>} */
  async progress(since) {
    const answer = await this.fetch(`progress?since=${since}`);
    const [head, rest] = readLine(await answer.arrayBuffer());
    return { ...head, outcomes: new Uint8Array(rest) };
  }

  async curve() {
    return (await this.fetch("curve")).json();
  }

  /** Return Python code that repeats the run: {name, python, notebook}. */
  async script() {
    return (await this.fetch("script")).json();
  }

  /** Return the results of full restarts, to compare with this search. */
  async full() {
    return (await this.fetch("full")).arrayBuffer();
  }

  /** @param {string} name */
  async command(name) {
    await this.fetch(name, { method: "POST" });
  }
}

/** A run on a server. */
export class HttpSource extends RunSource {
  /**
   * The address of the run is `base`/player/runs/`runId`/.
   * @param {string} base @param {string} runId @param {Opening | null} [opened]
   */
  constructor(base, runId, opened = null) {
    super(runId, opened);
    this.root = new URL(base.endsWith("/") ? base : `${base}/`, document.baseURI);
    this.run = new URL(`player/runs/${encodeURIComponent(runId)}/`, this.root);
    this.aborter = new AbortController();
  }

  /** @param {string} path @param {RequestInit} [options] */
  async fetch(path, options = {}) {
    const answer = await fetch(new URL(path, this.run), { signal: this.aborter.signal, ...options });
    if (!answer.ok) throw failure(answer.status, path);
    return answer;
  }

  /** Return the source of the run that replaces this one, or null if the server does not get one in time. */
  async next() {
    const answer = await this.fetch("next");
    if (answer.status === 204) return null;
    const opened = readOpening(await answer.arrayBuffer());
    return new HttpSource(this.root.href, opened.run, opened);
  }

  /**
   * Replace this run by a run on a drawing; return its source. An error contains the server's message.
   * @param {string} text
   */
  async redraw(text) {
    const body = { method: "POST", body: text, signal: this.aborter.signal };
    const answer = await fetch(new URL("redraw", this.run), body);
    if (!answer.ok) {
      const { message } = await answer.json().catch(() => ({}));
      throw Object.assign(failure(answer.status, "redraw"), { words: answer.status === 404 ? "" : message });
    }
    const opened = readOpening(await answer.arrayBuffer());
    return new HttpSource(this.root.href, opened.run, opened);
  }

  /** Return the addresses of all exports. */
  links() {
    const at = (/** @type {string} */ path) => new URL(path, this.run).href;
    return { csv: at("trace.csv"), json: at("trace.json"), best: (/** @type {string} */ name) => at(`best/${name}`),
      replay: (/** @type {string} */ calls) => at(`replay.html?calls=${calls}`), live: at("live.html") };
  }

  plotly() {
    return new URL("player/static/plotly.min.js", this.root).href;
  }

  close() {
    this.aborter.abort();
  }
}

/**
 * Return the error of a failed request, for `persist` and for messages.
 * @param {number} status @param {string} path @returns {Failure}
 */
export function failure(status, path) {
  return Object.assign(new Error(`${status} for ${path}`), { gone: status === 404 });
}

/**
 * Retry a request until it succeeds; return null if the run has expired or the request was cancelled.
 * @template Result @param {() => Promise<Result>} attempt @param {() => boolean} alive
 * @param {OnTrouble} onTrouble @returns {Promise<Result | null>}
 */
export async function persist(attempt, alive, onTrouble) {
  for (let pause = 300; alive(); pause = Math.min(8000, 2 * pause)) {
    try {
      const result = await attempt();
      return alive() ? result : null;
    } catch (error) {
      const trouble = /** @type {Failure} */ (error);
      if (trouble.name === "AbortError") return null;
      onTrouble(trouble, pause);
      if (trouble.gone) return null;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return null;
}

/** Split a line of JSON from the bytes after it. @param {ArrayBuffer} buffer @returns {[json: any, rest: ArrayBuffer]} */
export function readLine(buffer) {
  const bytes = new Uint8Array(buffer);
  const newline = bytes.indexOf(10);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(0, newline))), buffer.slice(newline + 1)];
}

/**
 * Read an opening: a line of JSON, one byte per call, frames, and sometimes static parts.
 * @param {ArrayBuffer} buffer @returns {Opening}
 */
export function readOpening(buffer) {
  const [{ head, outcomes, along = {}, ...about }, rest] = readLine(buffer);
  let end = rest.byteLength;
  for (const [name, bytes] of /** @type {[string, number][]} */ (Object.entries(along)).reverse()) {
    keep(about.tags[name], rest.slice(end - bytes, end));
    end -= bytes;
  }
  return {
    ...about,
    head: { ...head, outcomes: new Uint8Array(rest, 0, outcomes) },
    frames: rest.slice(outcomes, end),
  };
}

/** @param {string} tag @param {ArrayBuffer} asset */
function keep(tag, asset) {
  assetCache.set(tag, asset);
  const [oldest] = assetCache.keys();
  if (assetCache.size > MOST_ASSETS) assetCache.delete(oldest);
  return asset;
}

/** A replay inside the page. No search runs, so commands do nothing. */
export class InlineSource {
  /** @param {Inlined} inlined */
  constructor({ layout, assets, frames, progress, outcomes, curve }) {
    this.data = { layout, assets, frames, curve };
    this.id = "replay";
    this.fixed = true;
    const callAt = offsetOf(layout, "call"), subAt = offsetOf(layout, "sub");
    const view = new DataView(frames);
    /** @type {number[]} */ this.starts = []; // offset of the first frame of each call
    for (let at = 0; at < frames.byteLength; at += layout.frame_bytes) {
      if (view.getUint16(at + subAt, true) === 0) this.starts.push(at);
    }
    this.calls = this.starts.map((at) => view.getUint32(at + callAt, true));
    this.first = this.calls[0] ?? 1;
    const end = this.calls.at(-1) ?? 0;
    const gaps = end - this.first + 1 > this.calls.length;
    this.held = gaps ? new Set(this.calls) : null;
    // The replay has outcomes of all calls, or only of the stored calls.
    const last = gaps ? outcomes.length : end;
    this.outcomes = outcomes.length >= last ? outcomes.slice(0, last)
      : Uint8Array.from([...new Array(this.first - 1).fill(0), ...outcomes]);
    this.head = { ...progress, state: "finished", calls: last, total: progress.calls };
  }

  async opening() {
    const { layout } = this.data;
    const frames = this.held ? this.data.frames : await this.frames(this.first, 2);
    return { layout, head: await this.progress(0), frames };
  }

  /** @param {string} name */
  async asset(name) {
    return this.data.assets[name];
  }

  /** @param {number} call @param {number} count */
  async frames(call, count) {
    const size = this.data.layout.frame_bytes;
    const i = this.calls.indexOf(call);
    if (i < 0) return new ArrayBuffer(0);
    const from = Math.max(0, (this.starts[i] ?? this.data.frames.byteLength) - size);
    return this.data.frames.slice(from, this.starts[i + count] ?? this.data.frames.byteLength);
  }

  /** @param {number} since */
  async keyframes(since) {
    const size = this.data.layout.frame_bytes;
    const ends = [...this.starts.slice(1), this.data.frames.byteLength].slice(since);
    const parts = ends.map((end) => this.data.frames.slice(end - size, end));
    return { generation: 0, buffer: await new Blob(parts).arrayBuffer() };
  }

  /** @param {number} since @returns {Promise<Head>} */
  async progress(since) {
    return { ...this.head, outcomes: this.outcomes.slice(since) };
  }

  async curve() {
    return this.data.curve;
  }

  async command() {}

  links() {
    return null;
  }

  plotly() {
    return null;
  }

  close() {}
}
