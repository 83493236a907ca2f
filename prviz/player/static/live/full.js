// Full restarts with the same work as the search of a page, with a picture of each new best.

import { Search } from "./search.js";
import { KEPT } from "../base/words.js";
import { LAST, NEW_BEST } from "../run/film.js";

const MOST_BESTS = 160;
const STEP = 0.005; // seconds of a step
const MOST_SECONDS = 20; // time limit, as a multiple of the search's time; iterations of restarts may be slower

/** @typedef {{cost: number, iterations: number, seconds: number, frame: Uint8Array}} Found */

export class FullRestarts {
  /** @type {Found[]} */ found = [];
  target = Infinity;
  /** @type {Search | undefined} */ restarts;

  /** @param {import("./run.js").Run} run @param {WebAssembly.Module} module @param {Uint8Array} content @param {number} seed */
  constructor(run, module, content, seed) {
    this.run = run;
    const { plan } = run;
    this.make = () => new Search(module, plan, content, [{ size: plan.variables, repeats: 0 }], seed);
  }

  /** Return the search with full restarts, which is made on first use. @returns {Search} */
  get search() {
    return (this.restarts ??= this.make());
  }

  get best() {
    return this.found.at(-1)?.cost ?? null;
  }

  /** Do as much work as the page's search. */
  catchUp() {
    const { iterations, seconds } = this.run.search.totals;
    const { search } = this;
    while (search.totals.iterations < iterations && search.totals.seconds < MOST_SECONDS * seconds) this.step(iterations - search.totals.iterations);
  }

  /** Run at most `iterations` iterations, but end at the first call with a new best. @param {number} iterations */
  step(iterations) {
    const { search, found } = this;
    const made = search.advance(Infinity, STEP, this.target, iterations);
    const cost = search.memory.view("rows.best")[made - 1];
    if (!(cost <= this.target) || !Number.isFinite(cost)) return;
    const first = found[0]?.cost ?? cost;
    const step = this.run.plan.layout.rounding * Math.max(Math.abs(cost), Math.abs(first));
    this.target = cost - Math.max(step, Number.MIN_VALUE);
    found.push({ cost, ...search.totals, frame: this.frame(search.closingFrame(made - 1, true), cost) });
    if (found.length > MOST_BESTS) this.thin();
  }

  /** Drop the best that was replaced soonest, relative to its work; keep the first and the last. */
  thin() {
    const { found } = this;
    let shortest = 1;
    const lasted = (/** @type {number} */ i) => found[i + 1].iterations / Math.max(1, found[i].iterations);
    for (let i = 2; i < found.length - 1; i++) if (lasted(i) < lasted(shortest)) shortest = i;
    found.splice(shortest, 1);
  }

  /** Copy the picture of a closing frame to a frame with the run's layout, as Film.best of Python does. @param {Uint8Array} closing @param {number} cost */
  frame(closing, cost) {
    const { frame_bytes: size, fields } = this.run.layout;
    const { search: { frame, totals, calls } } = this;
    const bytes = new Uint8Array(size), view = new DataView(bytes.buffer);
    /** @type {Record<string, Field>} */ const places = Object.fromEntries(fields.map((/** @type {Field} */ field) => [field.name, field]));
    const put = (/** @type {string} */ name, /** @type {number} */ number) => view.setFloat64(places[name].offset, number, true);
    const channels = fields.findIndex((/** @type {Field} */ { name }) => name === "chosen") + 1;
    const from = /** @type {import("./search.js").FrameLayout} */ (frame).fields;
    if (fields.length > channels) bytes.set(closing.subarray(from[channels].offset), fields[channels].offset);
    view.setUint32(places.call.offset, calls, true);
    bytes[places.event.offset] = KEPT;
    bytes[places.flags.offset] = LAST | NEW_BEST;
    put("cost", cost);
    put("best", cost);
    put("iterations", totals.iterations);
    put("seconds", totals.seconds);
    const { offset, count } = places.checkpoints;
    for (let i = 0; i < count; i++) view.setFloat64(offset + 8 * i, Infinity, true);
    return bytes;
  }
}
