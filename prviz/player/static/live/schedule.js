// The levels of Algorithm 1 as arrays, as in prviz.engine.schedule.Schedule.

/** @typedef {{sizes: BigInt64Array, repeats: BigInt64Array, alphas: Float64Array, subsets: BigInt64Array, probabilities: Float64Array}} Schedule */
/** @typedef {{k1: number, m1: number, alpha?: number, subset?: string, k2?: number, m2?: number, how?: string}} Settings k2 = 0: no level between redraws and restarts; how = "auto": the search chooses */

export const ENDLESS = 1e12; // more redraws than any run makes

/**
 * Return the levels for settings, level 1 first; the top level has no limit of restarts.
 * @param {Settings} settings @param {number} variables N @returns {Level[]}
 */
export function levelsOf({ k1, m1, alpha = 0, subset = "random", k2 = 0, m2 = 1, how = "set" }, variables) {
  const top = { size: variables, repeats: 0 };
  if (how === "auto") return [{ size: "auto", repeats: 0, subset }, top];
  if (k1 >= variables && alpha === 0) return [top];
  const first = { size: Math.min(k1, variables), repeats: m1, alpha, subset };
  const second = { size: k2, repeats: m2, subset };
  return k2 > first.size && k2 < variables ? [first, second, top] : [first, top];
}

/**
 * Return the settings of a run for the values of a page's controls. `subset` is for pages without a control for it; `most`
 * limits the calls.
 * @param {Record<string, number | string>} values @param {number} variables N
 * @param {{calls: number, subset?: string, most?: number, whole?: boolean, alone?: boolean}} page
 * @returns {import("./run.js").Wanted}
 */
export function wantedOf(values, variables, { calls: usual, subset: other = "random", most = Infinity, whole = false, alone = false }) {
  const { k1, m1, alpha = 0, seed, k2 = 0, m2 = 1, calls = usual } = /** @type {Record<string, number>} */ (values);
  const levels = levelsOf({ k1, m1, alpha, subset: String(values.subset ?? other), k2, m2, how: String(values.how ?? "set") }, variables);
  return { levels, seed, calls: Math.min(calls, most), whole, alone };
}

/** Return the layout of a search's frames. @param {import("./search.js").Plan} plan @param {Level[]} levels @returns {any} */
export function layoutOf({ layout, frames }, levels) {
  const shown = levels.map(({ size, repeats, alpha }) => ({ size, repeats, ...(alpha ? { alpha } : {}) }));
  return { ...layout, ...frames?.[levels.length - 1], levels: shown, curve_axis: "iterations", wall_clock: true, tables: {} };
}

/** Plans by key. A plan is read on first use. @template Plan */
export class Plans {
  /** @param {ArrayBuffer} bytes lines of text; each contains a key, a tab and JSON */
  constructor(bytes) {
    const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
    /** @type {Map<string, string | Plan>} */
    this.plans = new Map(lines.map((line) => /** @type {[string, string]} */ (line.split("\t", 2))));
  }

  /** @param {string} key */
  has(key) {
    return this.plans.has(key);
  }

  /** @param {string} key @returns {Plan} */
  get(key) {
    const held = /** @type {string | Plan} */ (this.plans.get(key));
    if (typeof held !== "string") return held;
    const plan = JSON.parse(held);
    this.plans.set(key, plan);
    return plan;
  }
}

/** Return the key of a plan: the values of the controls that choose it. @param {string[]} by @param {Record<string, number | string>} values */
export function keyOf(by, values) {
  return by.map((name) => values[name]).join("/");
}

/** Return true if the search chooses sizes and restarts. @param {Level[]} levels */
export function isAuto(levels) {
  return levels[0].size === "auto";
}

/**
 * Return the levels as arrays. If the size is "auto", kernels write their choice into the arrays, so there is space for the largest hierarchy.
 * @param {Level[]} levels @param {Record<string, number>} subsets the numbers of the heuristics by name @param {number} variables @returns {Schedule}
 */
export function scheduleOf(levels, subsets, variables) {
  /** @param {(level: Level) => number} number */
  const whole = (number) => BigInt64Array.from(levels, (level) => BigInt(number(level)));
  return {
    sizes: whole(({ size }) => (size === "auto" ? variables : size ?? 0)),
    repeats: whole(({ size, repeats }) => (size === "auto" ? ENDLESS : repeats ?? 0)),
    alphas: Float64Array.from(levels, ({ alpha }) => alpha ?? 0),
    subsets: whole(({ subset }) => subsets[subset ?? "random"]),
    probabilities: Float64Array.from(levels, () => NaN),
  };
}
