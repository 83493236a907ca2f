// Where a run comes from: plain HTTP, messages, or a film inlined in a page that needs no server.

import { offsetOf } from "./film.js";

const MOST_ASSETS = 8;
/** @type {Map<string, ArrayBuffer>} tag → what stands still in a picture, kept from run to run */
const assetCache = new Map();

/** What is asked of a run, whoever carries it. */
export class RunSource {
  /** @type {Opening | null} */ opened;
  /** @type {Set<number> | null} the calls that a recording has pictures of; null: of all */ held = null;

  /**
   * `opened` is the run's opening where that is here already.
   * @param {string} runId @param {Opening | null} [opened]
   */
  constructor(runId, opened = null) {
    this.opened = opened;
    this.id = runId;
    this.first = 1;
  }

  /** Ask whoever carries it. @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
  async fetch(path, { method = "GET" } = {}) {
    throw new Error(`Nobody answers ${method} ${path}.`);
  }

  /** What the first picture needs: {layout, head, frames}; the head has outcomes, as progress has. */
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

  /** Python that makes the run again: {name, python, notebook}. */
  async script() {
    return (await this.fetch("script")).json();
  }

  /** What full restarts beside this search have found. */
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
   * `base` ends where the app's routes begin; the run lies at base/player/runs/{id}/.
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

  /** The run that takes this one's place, as a source, if the server has one within its patience. */
  async next() {
    const answer = await this.fetch("next");
    if (answer.status === 204) return null;
    const opened = readOpening(await answer.arrayBuffer());
    return new HttpSource(this.root.href, opened.run, opened);
  }

  /**
   * The run on what has been drawn, which takes this one's place; an error has the server's words.
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

  /** What can be taken away, each by its address. */
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
 * What went wrong with a question, for `persist` and those who tell of it.
 * @param {number} status @param {string} path @returns {Failure}
 */
export function failure(status, path) {
  return Object.assign(new Error(`${status} for ${path}`), { gone: status === 404 });
}

/**
 * Try until it works; null where it never will, or nobody waits any more.
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

/** A line of JSON, and the bytes after it. @param {ArrayBuffer} buffer @returns {[json: any, rest: ArrayBuffer]} */
export function readLine(buffer) {
  const bytes = new Uint8Array(buffer);
  const newline = bytes.indexOf(10);
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(0, newline))), buffer.slice(newline + 1)];
}

/**
 * A line of JSON, one byte a call, then frames, and perhaps what stands still.
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

/** A whole replay held in the page; nothing runs, so commands do nothing. */
export class InlineSource {
  /** @param {Inlined} inlined */
  constructor({ layout, assets, frames, progress, outcomes, curve }) {
    this.data = { layout, assets, frames, curve };
    this.id = "replay";
    this.fixed = true;
    const callAt = offsetOf(layout, "call"), subAt = offsetOf(layout, "sub");
    const view = new DataView(frames);
    /** @type {number[]} */ this.starts = []; // byte of the first frame of each call
    for (let at = 0; at < frames.byteLength; at += layout.frame_bytes) {
      if (view.getUint16(at + subAt, true) === 0) this.starts.push(at);
    }
    this.calls = this.starts.map((at) => view.getUint32(at + callAt, true));
    this.first = this.calls[0] ?? 1;
    const end = this.calls.at(-1) ?? 0;
    const gaps = end - this.first + 1 > this.calls.length;
    this.held = gaps ? new Set(this.calls) : null; // where the film leaves calls out
    // Outcomes may be those of the whole run or those of its calls alone.
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
