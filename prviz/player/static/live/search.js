// A search with Python's kernels, compiled to WebAssembly. The same seed gives the same trace as prviz.run.

import { Memory } from "./memory.js";
import { joined } from "../base/packing.js";
import { pcg64 } from "./seeding.js";
import { ENDLESS, isAuto, scheduleOf } from "./schedule.js";

/** @typedef {{frame_bytes: number, fields: Field[]}} FrameLayout */
/** @typedef {{records: Record<string, import("./memory.js").RecordPlan>, variables: number, subsets: Record<string, number>, layout?: any, frames?: FrameLayout[]}} Plan Python's description of a problem; `frames` for 1 level, 2 levels and so on */
/** @typedef {{calls: number, bytes: Uint8Array}} Snapshot */
/** @typedef {{level: number, size: number, ends: boolean}} Choice a choice of a search with "auto": outermost level, size on level 1, and whether the chain ends */
/** @typedef {{level: Int8Array, cost: Float64Array, best: Float64Array, iterations: Int32Array, seconds: Float64Array, kept: Int8Array, counts: Int32Array, redrawn: Int32Array}} Rows */

/** @type {(keyof Rows)[]} the columns of prviz.engine.trace.Rows */
const COLUMNS = ["level", "cost", "best", "iterations", "seconds", "kept", "counts", "redrawn"];
const MOST_ROWS = 1024, MOST_LISTED = 1 << 17; // largest numbers of rows and of redrawn variables per step

export class Search {
  /** @param {WebAssembly.Module} module @param {Plan} plan @param {Uint8Array} content the content of arrays @param {Level[]} levels @param {number} seed */
  constructor(module, plan, content, levels, seed) {
    const page = { milliseconds: () => performance.now() };
    this.exports = /** @type {any} */ (new WebAssembly.Instance(module, { page }).exports);
    this.variables = plan.variables;
    /** @type {FrameLayout | null} */ const frame = this.frame = plan.frames?.[levels.length - 1] ?? null;
    this.levels = levels.length;
    this.calls = 0;
    const memory = this.memory = new Memory(this.exports, content);
    this.auto = isAuto(levels);
    const { sizes, ...schedule } = scheduleOf(levels, plan.subsets, plan.variables);
    const listed = Number(sizes.slice(0, -1).reduce((sum, size) => sum + size, 0n)); // largest number of redrawn variables in a call
    this.most = Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_LISTED / Math.max(1, listed))));
    const lengths = { levels: this.levels, "levels+1": this.levels + 1, rows: this.most, listed: this.most * listed,
      frame_bytes: frame?.frame_bytes ?? 0, fields: frame?.fields.length ?? 0 };
    /** @type {Record<string, number>} addresses */ this.places = { result: memory.exports.reserve(64) };
    const at = this.places;
    for (const name of Object.keys(plan.records)) if (name !== "search") at[name] = memory.place(name, plan.records[name], lengths);
    at.generator = memory.exports.reserve(48); // a snapshot copies the memory from this address on
    at.search = memory.place("search", plan.records.search, lengths);
    this.held = [at.generator, memory.end];
    if (frame) memory.view("reel.offsets").set(frame.fields.map(({ offset }) => BigInt(offset)));
    for (const [name, values] of Object.entries({ sizes, ...schedule })) memory.view(`schedule.${name}`).set(values);
    if (this.auto) memory.view("policy.subset").set(schedule.subsets.subarray(0, 1));
    memory.write(at.generator, pcg64(seed));
    memory.view("search.costs").fill(Infinity);
    memory.view("search.next_level")[0] = BigInt(this.levels);
    this.draws = [0, 1, 2].map((kind) => BigInt(this.exports.draw(kind)));
  }

  /** Call a kernel with the search; return its result. @param {string} name @param {(number | bigint)[]} more */
  call(name, ...more) {
    const { problem, schedule, search, generator, result } = this.places;
    const state = BigInt(generator);
    const failed = this.exports[name](result, result + 16, problem, schedule, search,
      0, state, state, ...this.draws, 0n, 0, 0, ...more);
    if (failed) throw new Error("The optimiser diverged.");
    return Number(new DataView(this.exports.memory.buffer).getBigInt64(result, true));
  }

  /** Run until a limit of calls, seconds or iterations, or until a cost is reached; return the number of calls. @param {number} calls */
  advance(calls, seconds = Infinity, target = -Infinity, iterations = Infinity) {
    const limits = [Math.min(calls, this.most), seconds, iterations, target];
    const made = this.auto ? this.call("advance_auto", this.places.rows, ...limits, this.places.policy) : this.call("advance", this.places.rows, ...limits);
    this.calls += made;
    return made;
  }

  /** Use a choice again in the next call, as schedule_of_call in prviz/search/auto.py does. @param {Choice} choice */
  repeat({ level, size, ends }) {
    const { memory, variables } = this;
    const every = size === variables && size > 1, second = this.calls * 618 % 1000 < 500;
    this.auto = false;
    memory.view("search.next_level")[0] = BigInt(level);
    memory.view("schedule.sizes")[0] = BigInt(size);
    memory.view("schedule.repeats")[0] = BigInt(ends ? 1 : ENDLESS);
    memory.view("schedule.alphas")[0] = every ? 0 : memory.view("policy.alphas")[Number(second)];
    memory.view("schedule.subsets")[0] = every ? 0n : memory.view("policy.subset")[0];
  }

  /** Copy the rows of the last step. @param {number} made @returns {Rows} */
  rows(made) {
    const { memory, levels, variables } = this;
    const counts = memory.view("rows.counts").slice(0, made * levels);
    const listed = counts.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + (n < variables ? n : 0), 0);
    /** @type {Record<string, number>} */
    const ends = { kept: made * levels, counts: made * levels, redrawn: listed };
    return /** @type {Rows} */ (Object.fromEntries(COLUMNS.map((name) => [name, memory.view(`rows.${name}`).slice(0, ends[name] ?? made)])));
  }

  get totals() {
    const [iterations, seconds] = this.memory.view("search.totals");
    return { iterations, seconds };
  }

  /** Make one call, and copy its frames. @param {{best: number[], seconds: number[], newBest: boolean}} known results of the previous call and of this call */
  film({ best, seconds, newBest }) {
    const { memory, places } = this;
    memory.view("known.best").set(best);
    memory.view("known.seconds").set(seconds);
    memory.view("known.new_best")[0] = Number(newBest);
    const count = this.call("film", places.picture, places.reel, places.known);
    this.calls++;
    return this.reel(count);
  }

  /** Return the closing frame of the last call, whose results are in row `row`. @param {number} row @param {boolean} newBest */
  closingFrame(row, newBest) {
    const { picture, reel, rows } = this.places;
    this.call("closing_frame", picture, reel, rows, BigInt(row), newBest ? 1 : 0);
    return this.reel(1);
  }

  /** @param {number} count @returns {Uint8Array} */
  reel(count) {
    return this.memory.view("reel.frames").slice(0, count * (this.frame?.frame_bytes ?? 0));
  }

  /** @returns {Snapshot} */
  snapshot() {
    const [from, to] = this.held;
    return { calls: this.calls, bytes: this.memory.copy(from, to) };
  }

  /** Go back to a snapshot. @param {Snapshot} snapshot */
  restore({ calls, bytes }) {
    this.memory.write(this.held[0], bytes);
    this.calls = calls;
  }
}

/** Return the same hash as Trace.hash() of Python; empty if the browser has no SHA-256. @param {number} variables @param {Rows[]} steps */
export async function traceHash(variables, steps) {
  if (!globalThis.crypto?.subtle) return "";
  const parts = COLUMNS.filter((name) => name !== "seconds").flatMap((name) => steps.map((rows) => rows[name]));
  const digest = await crypto.subtle.digest("SHA-256", joined([String(variables), ...parts]));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 16);
}
