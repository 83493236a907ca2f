// A run in a page: one search with its trace, and a second search that makes frames of any call.

import { History } from "./history.js";
import { FullRestarts } from "./full.js";
import { Search, traceHash } from "./search.js";
import { curveOf } from "./curve.js";
import { layoutOf } from "./schedule.js";
import { improves } from "../base/words.js";

/** @typedef {import("./search.js").Rows} Rows */
/** @typedef {{levels: Level[], seed: number, calls: number, whole?: boolean, alone?: boolean, drawn?: string}} Wanted `drawn`: the drawing to search */

const STEP = 0.005; // seconds of a step
const KEPT = 1, UNDECIDED = -1;
const KEPT_BIT = 8, BEST_BIT = 16, OUTER_BIT = 32; // bits of encode_outcomes in prviz/player/pictures/frames.py

export class Run {
  state = "ready";
  stopping = false;
  message = "";
  hash = "";
  kept = 0;
  /** @type {Rows[]} */ steps = [];
  /** @type {number[]} the best cost after each call */ bestAfter = [];
  /** @type {number[]} the seconds after each call */ secondsAfter = [];
  /** @type {number[]} the iterations after each call */ iterationsAfter = [];
  /** @type {Best[]} */ bests = [];
  /** @type {import("./search.js").Choice[]} the choices by call, if the search chooses */ choices = [];
  /** @type {Uint8Array | null} the closing frame of the last filmed call */ ending = null;
  /** @type {Promise<void> | null} */ working = null;
  /** @type {Search | undefined} */ filming;

  /** @param {WebAssembly.Module} module @param {import("./search.js").Plan} plan @param {Uint8Array} content @param {Wanted} wanted */
  constructor(module, plan, content, { levels, seed, calls, alone = false }) {
    this.plan = plan;
    this.levels = levels;
    this.budget = calls;
    this.make = () => new Search(module, plan, content, levels, seed);
    this.search = this.make();
    this.history = new History(this.search);
    this.beside = levels.length > 1 && !alone ? new FullRestarts(this, module, content, seed) : null;
    this.outcomes = new Uint8Array(calls);
  }

  /** Return the search that makes frames; it is created on first use. */
  get shooter() {
    return (this.filming ??= this.make());
  }

  get calls() {
    return this.search.calls;
  }

  /** Search in short steps, between which the worker answers requests. */
  start() {
    if (this.state === "finished" || this.state === "failed") return;
    this.state = "running";
    this.stopping = false;
    this.working ??= this.work().finally(() => (this.working = null));
  }

  /** Make all calls. */
  async complete() {
    this.start();
    await this.working;
  }

  stop() {
    this.stopping = true;
  }

  get going() {
    return this.state === "running" && !this.stopping && this.calls < this.budget;
  }

  /** Search, and compute the hash of the trace before the state becomes "finished" or "stopped". */
  async work() {
    do {
      while (this.going) {
        this.step(this.budget - this.calls);
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      this.hash = await traceHash(this.plan.variables, this.steps);
    } while (this.going); // true if the search was started again in the meantime
    if (this.state === "running") this.state = this.stopping ? "stopped" : "finished";
  }

  /** Make the first call, so that there is a picture. */
  prepare() {
    if (!this.calls && this.state !== "failed") this.step(1);
  }

  /** @param {number} calls */
  step(calls) {
    const { search, history } = this;
    let made;
    try {
      made = search.advance(calls, STEP);
    } catch (error) {
      this.state = "failed";
      this.message = `The search stopped: ${/** @type {Error} */ (error).message}`;
      return;
    }
    const rows = search.rows(made);
    for (let row = 0; row < made; row++) this.note(rows, row);
    this.steps.push(rows);
    history.follow(search, made - 1, this.isBest(this.calls));
    if (this.state === "running") this.beside?.catchUp();
  }

  /** @param {Rows} rows @param {number} row */
  note(rows, row) {
    const m = this.levels.length, call = this.bestAfter.length + 1;
    const best = rows.best[row], before = this.bestAfter.at(-1) ?? Infinity;
    const found = improves(best, before, this.bests[0]?.[1] ?? best, this.plan.layout.rounding);
    const decided = rows.kept.subarray(row * m, row * m + m);
    const outermost = decided.findLast((each) => each !== UNDECIDED);
    const kept = decided[0] === KEPT;
    if (found) this.bests.push([call, best]);
    if (this.search.auto) this.choices.push({ level: rows.level[row], size: rows.counts[row * m], ends: decided[1] !== UNDECIDED });
    this.kept += Number(kept);
    this.bestAfter.push(best);
    this.secondsAfter.push(rows.seconds[row]);
    this.iterationsAfter.push((this.iterationsAfter.at(-1) ?? 0) + rows.iterations[row]);
    this.outcomes[call - 1] = (rows.level[row] & 7) | (kept ? KEPT_BIT : 0) | (found ? BEST_BIT : 0) | (outermost === KEPT ? OUTER_BIT : 0);
  }

  /** @param {number} call */
  isBest(call) {
    return (this.outcomes[call - 1] & BEST_BIT) !== 0;
  }

  // Requests of a player

  get layout() {
    return layoutOf(this.plan, this.levels);
  }

  /** @param {number} since @returns {Omit<Head, "outcomes">} */
  head(since) {
    const { calls, kept, state, message, hash } = this;
    return { state, calls, best: this.bestAfter.at(-1) ?? null, full: this.beside?.best ?? null, ...this.search.totals, kept, reverted: calls - kept,
      generation: 0, message, remaking: false, hash, resumable: state === "stopped", bests: this.bests.filter(([call]) => call > since) };
  }

  /** Return the closing frame of the previous call, then all frames of `count` calls. @param {number} call @param {number} count */
  frames(call, count) {
    const last = Math.min(call + count - 1, this.calls);
    if (last < call) return [];
    const parts = call > 1 ? [this.closing(call - 1)] : [];
    for (let shown = call; shown <= last; shown++) parts.push(this.film(shown));
    return parts;
  }

  /** @param {number} call */
  film(call) {
    const { shooter } = this;
    if (shooter.calls !== call - 1) this.seek(call - 1);
    if (this.search.auto) shooter.repeat(this.choices[call - 1]);
    const known = (/** @type {number[]} */ after, /** @type {number} */ first) => [after[call - 2] ?? first, after[call - 1]];
    const frames = shooter.film({ best: known(this.bestAfter, Infinity), seconds: known(this.secondsAfter, 0), newBest: this.isBest(call) });
    this.ending = frames.slice(-this.layout.frame_bytes);
    return frames;
  }

  /** @param {number} call */
  closing(call) {
    const { shooter } = this;
    if (shooter.calls === call && this.ending) return this.ending;
    const row = this.seek(call);
    shooter.memory.view("rows.seconds")[row] = this.secondsAfter[call - 1];
    return (this.ending = shooter.closingFrame(row, this.isBest(call)));
  }

  /** Repeat the search up to a call; return the call's row. @param {number} call */
  seek(call) {
    const { shooter } = this;
    this.ending = null;
    const snapshot = this.history.before(Math.max(0, call - 1));
    if (shooter.calls >= Math.max(1, call) || shooter.calls < snapshot.calls) shooter.restore(snapshot);
    let made = 0;
    while (shooter.calls < call) {
      const { auto } = this.search;
      if (auto) shooter.repeat(this.choices[shooter.calls]);
      made = shooter.advance(auto ? 1 : call - shooter.calls);
    }
    return made - 1;
  }

  /** @param {number} since */
  keyframes(since) {
    const { items, generation } = this.history.keyframes;
    return { generation, frames: items.slice(since) };
  }

  /** Return the work of the full restarts, and a frame of each new best. */
  full() {
    const beside = /** @type {FullRestarts} */ (this.beside);
    beside.catchUp();
    const { found, search } = beside;
    return { head: { calls: search.calls, ...search.totals, bests: found.length }, frames: found.map(({ frame }) => frame) };
  }

  curve() {
    return curveOf(this);
  }
}
