// Format numbers, and describe frames in sentences. Pure functions.

// Events of a frame
export const REDRAW = 1;
export const ITERATE = 2;
export const KEPT = 3;
export const REVERTED = 4;

const THIN = "\u202f"; // narrow no-break space
const LARGE = 1e7; // numbers from here on are written with an exponent
const JUST = 1e-4; // a lead below this relative difference is "just ahead"
const NOTHING = 1e-13; // costs below this are rounding errors of 0

/** @param {number} x */
function rounded(x) {
  return Math.abs(x) < NOTHING ? 0 : x;
}

/** Format a cost: 9 377, 85.31, 2.894e10; whole numbers without decimals. @param {number | null | undefined} x */
export function number(x, digits = 4) {
  const whole = Number.isInteger(x) && Math.abs(/** @type {number} */ (x)) < LARGE;
  return whole ? count(x) : significant(x, digits);
}

/** @param {number | null | undefined} x @param {number} digits */
function significant(x, digits) {
  if (x == null || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const magnitude = Math.abs(rounded(x));
  if (magnitude === 0) return "0";
  if (magnitude >= LARGE || magnitude < 1e-3) {
    return x.toExponential(digits - 1).replace("e+", "e").replaceAll("-", "−");
  }
  const whole = Math.floor(Math.log10(magnitude)) + 1;
  return grouped(x.toFixed(Math.max(0, digits - whole)));
}

/** Format a whole number with thin spaces: 17 002. @param {number | null | undefined} n */
export function count(n) {
  return n == null ? "–" : grouped(Math.round(n).toFixed(0));
}

/** @param {string} text */
function grouped(text) {
  const [whole, decimals] = text.replace("-", "−").split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return decimals ? `${spaced}.${decimals}` : spaced;
}

const MOST_DIGITS = 6; // digits that a reader can easily compare

/**
 * Compare two costs as text, with enough digits to distinguish them, or else with their difference.
 * @param {number} a @param {number} b
 */
export function against(a, b) {
  const sign = a === b ? "=" : a > b ? ">" : "<";
  const whole = Number.isInteger(a) && Number.isInteger(b);
  for (let n = 4; n <= MOST_DIGITS; n++) {
    const [left, right] = whole ? [number(a), number(b)] : [significant(a, n), significant(b, n)];
    if (a === b || left !== right) return `${left} ${sign} ${right}`;
  }
  return `${number(a)}, ${number(Math.abs(a - b), 1)} ${a > b ? "more" : "less"}`;
}

/** Format a relative gap as a percentage: 12.3 %, 0.0028 %, 0 %. @param {number | null | undefined} gap */
export function percent(gap) {
  if (gap == null || !Number.isFinite(gap)) return "–";
  const value = 100 * gap;
  const magnitude = Math.abs(value);
  const digits = magnitude === 0 || magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 0.1 ? 2
    : Math.min(9, 1 - Math.floor(Math.log10(magnitude)));
  const text = value.toFixed(digits);
  return `${grouped(magnitude && magnitude < 0.1 ? text.replace(/\.?0+$/, "") : text)}${THIN}%`;
}

/**
 * Return the relative gap to the best known cost, or null if no best cost is known.
 * @param {number | null | undefined} best @param {Pick<Layout, "best_known" | "rounding">} layout
 */
export function gapTo(best, { best_known: known, rounding = 0 }) {
  if (best == null || known == null || !Number.isFinite(best)) return null;
  const gap = (best - known) / (Math.abs(known) || 1);
  return Math.abs(gap) <= rounding ? 0 : gap;
}

/** Return the text below a gap: "solved: within 0.001 %", "of 299 029". @param {number | null} gap @param {Layout} layout */
export function gapNote(gap, { best_known: known, solved_within: within }) {
  if (known == null) return "no best known";
  if (gap === 0 && within != null) return "solved";
  if (gap != null && within != null && gap <= within) return `solved: within ${percent(within)}`;
  return known === 0 ? "above 0" : `of ${number(known, 6)}`;
}

/** @param {number | null | undefined} s */
export function seconds(s) {
  if (s == null || !Number.isFinite(s)) return "–";
  if (s > 0 && s < 0.1) return `${Number((1000 * s).toPrecision(2))}${THIN}ms`;
  return `${grouped(s.toFixed(s < 10 ? 2 : s < 100 ? 1 : 0))}${THIN}s`;
}

/** Return the layout's name for an inner iteration, such as "epoch". @param {Pick<Layout, "iteration">} layout */
export function iterationOf(layout) {
  return layout.iteration ?? "iteration";
}

/** Capitalise a text, except for symbols: k₁ is not K₁. @param {string} text */
export function capital(text) {
  return /^k[₁-₉]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string[]} items */
function listed(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/**
 * Name the redrawn variables: "centre 17", "centres 3 and 17", "12 centres", "all 50 centres".
 * @param {number[]} chosen @param {Pick<Layout, "noun" | "variables">} layout
 */
export function redrawn(chosen, layout) {
  const [one, many] = layout.noun;
  if (layout.variables === 1) return one;
  if (chosen.length === layout.variables) return `${chosen.length === 2 ? "both" : `all ${count(chosen.length)}`} ${many}`;
  if (chosen.length > 4) return `${count(chosen.length)} ${many}`;
  if (chosen.length === 0) return `no ${one}`;
  return `${chosen.length === 1 ? one : many} ${listed(chosen.map(count))}`;
}

/** Format k_l: "50", or "p = 0.1" if each variable is redrawn with this probability. @param {Level} level */
export function size(level) {
  if (typeof level.size === "number") return count(level.size);
  return level.size ?? `p = ${level.probability}`; // the size is "auto" if the search chooses
}

/** @param {number} level @param {Pick<Layout, "levels">} layout */
export function levelName(level, layout) {
  return level === layout.levels.length ? "Restart" : `Level ${level}`;
}

/**
 * Return the number of ended restarts. A search that chooses its sizes redraws from the restart's configuration, then
 * from the best one. It counts at the end of each part, so twice per restart (`go_on` of prviz/search/auto.py).
 * @param {Pick<Frame, "counters">} frame @param {Pick<Layout, "levels">} layout
 */
export function restartsEnded({ counters }, { levels }) {
  const ended = counters[levels.length - 1];
  return levels[0]?.size === "auto" ? Math.ceil(ended / 2) : ended;
}

/**
 * Return true if redraws on this level change nothing, because α = 1.
 * @param {number} level @param {Layout} layout
 */
function still(level, layout) {
  return layout.levels[level - 1]?.alpha === 1;
}

/** @param {Frame} frame @param {Layout} layout */
function asBefore({ chosen }, layout) {
  return chosen.length === 1 || layout.variables === 1 ? "as it was" : "as they were";
}

/**
 * Describe `frame` in one sentence; `previous` is the frame before it, if known, and `first`
 * the cost of the first call.
 * @param {Frame} frame @param {Frame | null} previous @param {Layout} layout @param {number} [first]
 */
export function sentence(frame, previous, layout, first) {
  const top = layout.levels.length;
  if (frame.event === REDRAW) {
    const what = redrawn(frame.chosen, layout);
    if (still(frame.level, layout) && frame.chosen.length) {
      const where = frame.level > 1 ? `Level ${frame.level}, ` : "";
      return `${where}α = 1: the redraw leaves ${layout.variables === 1 ? "the " : ""}${what} ${asBefore(frame, layout)}.`;
    }
    if (frame.level === top) return `Restart ${count(restartsEnded(frame, layout) + 1)}: ${what} redrawn.`;
    return frame.level > 1 ? `Level ${frame.level}: ${what} redrawn.` : `${capital(what)} redrawn.`;
  }
  if (frame.event === ITERATE) {
    const cost = Number.isNaN(frame.cost) ? "" : `: now ${height(frame.cost, layout)}`; // the header shows the best cost
    return `${layout.optimiser}, ${iterationOf(layout)} ${count(frame.iteration)}${cost}.`;
  }
  if (descends(frame, layout)) return descent(frame, layout);
  return `${decisionSubject(frame, layout)}${comparison(frame, previous, layout, first)}.`;
}

/** Describe skipped calls: "Fast forward over 60 attempts, all reverted". @param {LeftOut} left */
export function leftOut({ calls, kept, bests, restarts }) {
  const some = (/** @type {number} */ n, /** @type {string} */ what) => `${count(n)} ${what}${n === 1 ? "" : "s"}`;
  const among = restarts ? ` (${some(restarts, "restart")})` : "";
  const skipped = `Fast forward over ${some(calls, "attempt")}${among}`;
  if (!kept) return `${skipped}, ${calls === 1 ? "" : "all "}reverted.`;
  const better = bests ? ` (${some(bests, "new best")})` : "";
  if (kept === calls) return `${skipped}, ${calls === 1 ? "" : "all "}kept${better}.`;
  return `${skipped}: ${count(kept)} kept${better}, ${count(calls - kept)} reverted.`;
}

/**
 * Return the cost that solves a problem, or −∞ if no best cost is known.
 * @param {Pick<Layout, "best_known" | "solved_within" | "rounding">} layout
 */
export function goalOf({ best_known: known, solved_within: solved, rounding = 0 }) {
  return known == null ? -Infinity : known + Math.max(solved ?? 0, rounding) * (Math.abs(known) || 1);
}

/** Format the probability e^−cost: "1 in 4", "1 in 256", "1 in 1.8e19". @param {number} cost */
export function chance(cost) {
  const power = cost / Math.LN10;
  if (power > 7) return `1 in ${(10 ** (power % 1)).toFixed(1)}e${Math.floor(power)}`;
  return `1 in ${number(Math.exp(cost), 3).replace(/\.0+$|(\.\d*[1-9])0+$/, "$1")}`;
}

/**
 * Describe a cost by its gap to the best known cost: "28.9 % above the best", "18 × the best", "solved". If costs are
 * negative log-likelihoods, return the probability; if the best known cost is 0 or unknown, return the cost.
 * @param {number} cost @param {Layout} layout
 */
export function height(cost, layout) {
  const { best_known: known, chance_of: what } = layout;
  if (known != null && cost <= goalOf(layout)) return "solved";
  if (what) return `P(${what}) = ${chance(cost)}`;
  if (!known) return `${layout.cost} ${number(cost)}`;
  return above(cost, layout, true);
}

/** Describe the gap in per cent, or as a multiple if the cost is at least ten times the best. @param {number} cost @param {Layout} layout */
function above(cost, layout, words = false) {
  const gap = gapTo(cost, layout) ?? 0;
  if (gap >= 9 && Number(layout.best_known) > 0) return `${grouped((1 + gap).toFixed(gap < 99 ? 1 : 0))} × the best`;
  return `${percent(gap)}${words ? " above the best" : ""}`;
}

/** Describe the best cost so far at a frame. @param {Pick<Frame, "best">} frame @param {Layout} layout */
export function standing({ best }, layout) {
  return Number.isFinite(best) ? height(best, layout) : "–";
}

/**
 * Describe the lead over the other search; null if costs are likelihoods, if a best cost is known, or without another search.
 * @param {number} best @param {number | undefined} rival @param {Layout} layout
 */
export function lead(best, rival, layout) {
  const { best_known: known, chance_of: what, rounding = 0 } = layout;
  if (known != null || what || !rival || !Number.isFinite(best) || !Number.isFinite(rival)) return null;
  const other = namesOf(layout).full.toLowerCase().replace("full ", "");
  const gap = Math.abs((rival - best) / rival), apart = gap < JUST ? "just" : percent(gap);
  if (improves(best, rival, rival, rounding)) return `${apart} ahead of ${other}`;
  return improves(rival, best, best, rounding) ? `${apart} behind ${other}` : `level with ${other}`;
}

/** Name the call or restart that found the best: "best so far: call 45". @param {"call" | "restart"} turn @param {number} call */
export function foundAt(turn, call) {
  return `best so far: ${turn} ${count(call)}`;
}

/**
 * Describe the redrawn and kept variables of a call: "1 redrawn, 49 of 50 centres kept".
 * @param {Frame} frame @param {Layout} layout
 */
export function untouched({ level, chosen }, { levels, noun, variables }) {
  const restart = level === levels.length || chosen.length >= variables;
  if (variables === 1) return "";
  return restart ? `restart: all ${count(variables)} ${noun[1]} redrawn`
    : `${count(chosen.length)} redrawn, ${count(variables - chosen.length)} of ${count(variables)} ${noun[1]} kept`;
}

/**
 * Return the names of the search and of the search beside it; `several` is true if the first name is a plural.
 * @param {Pick<Layout, "names">} layout
 */
export function namesOf({ names }) {
  return { partial: "Partial", full: "Full restarts", several: names != null, ...names };
}

/**
 * Return the last sentence of a story: the winner and the difference.
 * @param {Frame} frame @param {Pick<import("../run/engine.js").Engine, "calls" | "head" | "bests" | "solving">} engine
 * @param {Layout} layout
 */
export function ending({ best }, { calls, head: { full }, bests, solving }, layout) {
  const { rounding = 0, cost } = layout;
  const { partial, full: rival, several } = namesOf(layout);
  const [end, are] = several ? ["end", "are"] : ["ends", "is"]; // verbs for the partial search
  const where = solving?.[0] ?? bests.at(-1)?.[0];
  if (full == null) {
    if (solving) return `Solved at call ${count(where)}.`;
    return `${calls === 1 ? "The only call" : `The best of ${count(calls)} calls was found at call ${count(where)}`}: ${height(best, layout)}.`;
  }
  const [ours, theirs] = [height(best, layout), height(full, layout)];
  if (ours === "solved") {
    const others = theirs === "solved" ? "also solved it" : `are still ${stands(full, layout)}`;
    return `Solved at call ${count(where)}. ${rival} ${others}.`;
  }
  if (theirs === "solved") return `${rival} have solved it. ${partial} ${are} still ${stands(best, layout)}.`;
  const ahead = improves(best, full, full, rounding), behind = improves(full, best, best, rounding);
  if (!ahead && !behind) return `Both end ${stands(best, layout)}.`;
  const [lower, higher] = ahead ? [best, full] : [full, best];
  const [who, other, verb] = ahead ? [partial, rival.toLowerCase(), end] : [rival, partial.toLowerCase(), "end"];
  if (layout.best_known) {
    const apart = above(lower, layout) === above(higher, layout) ? `, ${cost} ${against(lower, higher)}` : "";
    return `${who} ${verb} ${stands(lower, layout)}, ${other} ${above(higher, layout)}${apart}.`;
  }
  if (layout.chance_of) return `${who} ${verb} ${stands(lower, layout)}, ${other} at ${chance(higher)}.`;
  const apart = layout.best_known === 0 || !full ? "" : `, ${percent(Math.abs((higher - lower) / full))} ${ahead ? "less" : "behind"}`;
  const [low, high] = number(lower) === number(higher) ? [number(lower, 8), number(higher, 8)] : [number(lower), number(higher)];
  return `${who} ${verb} at ${cost} ${low}, ${other} at ${high}${apart}.`;
}

/**
 * Return the last sentence of a story whose search continues: the best so far.
 * @param {Frame} frame @param {Pick<import("../run/engine.js").Engine, "solving">} engine @param {Layout} layout
 */
export function soFar({ call, best }, { solving }, layout) {
  const found = solving ? `Solved at call ${count(solving[0])}` : `Best so far, at call ${count(call)}: ${height(best, layout)}`;
  return `${found}. The search goes on.`;
}

/** Describe a cost in words that follow "is" or "ends". @param {number} cost @param {Layout} layout */
function stands(cost, layout) {
  return layout.best_known ? height(cost, layout) : `at ${height(cost, layout)}`;
}

/**
 * Describe the whole search in one line: {text, call}. `call` is the call that solved the problem or found the best;
 * it is null if this call is later than `shown`, or if there is none.
 * @param {Pick<import("../run/engine.js").Engine, "head" | "calls" | "bests" | "solving" | "active">} engine
 * @param {Layout} layout @param {number} [shown]
 */
export function ofSearch({ head, calls, bests, solving, active }, layout, shown = Infinity) {
  if (!calls || head.state === "ready") return { text: "", call: null };
  const [found, cost] = solving ?? bests.at(-1) ?? [null, head.best];
  const call = found !== null && found > shown ? null : found;
  const where = call === null ? "" : solving ? `; solved at call ${count(call)}.`
    : `; best ${layout.cost} ${number(cost)}, at call ${count(call)}.`;
  const made = `${count(calls)} call${calls === 1 ? "" : "s"} in ${seconds(head.seconds)}`;
  return { text: `${active ? "Searching" : "Search"}: ${made}${where || "."}`, call };
}

/** @param {Frame} frame @param {Layout} layout */
function decisionSubject(frame, layout) {
  const top = layout.levels.length;
  if (frame.level === top) return `Restart ${count(Math.max(1, restartsEnded(frame, layout)))}`;
  if (frame.level > 1) return `Level ${frame.level}`;
  const done = still(1, layout) && frame.chosen.length ? asBefore(frame, layout) : "redrawn";
  return `${capital(redrawn(frame.chosen, layout))} ${done}`;
}

/** Describe a descent from a random configuration, which has no earlier cost. @param {Frame} frame @param {Layout} layout */
function descent(frame, layout) {
  const first = frame.call === 1 ? "First descent" : "First descent after a restart";
  const best = frame.newBest && frame.call > 1 ? ", a new best" : "";
  return `${first}: ${height(frame.cost, layout)}${best}.`;
}

/**
 * Return true if a call is the first descent after all variables were redrawn.
 * @param {Frame} frame @param {Layout} layout
 */
function descends(frame, layout) {
  const top = layout.levels.length;
  return frame.level === 1 && frame.event === KEPT
    && (frame.call === 1 || top > 1 && frame.counters.slice(0, top - 1).every((done) => done === 1));
}

/**
 * Return true if `cost` is lower than `best` by more than rounding, as `improves` of prviz/engine/trace.py does.
 * @param {number} cost @param {number} best @param {number} first @param {number} rounding
 */
export function improves(cost, best, first, rounding) {
  const scale = Math.max(Math.abs(cost), Number.isFinite(first) ? Math.abs(first) : 0);
  return cost < best - (Number.isFinite(scale) ? rounding * scale : 0); // a failed call costs +∞
}

/** @param {Frame} frame @param {Frame | null} previous @param {Layout} layout */
function comparison(frame, previous, layout, first = 0) {
  const joint = ": ";
  const kept = frame.event === KEPT;
  const end = kept ? (frame.newBest ? "kept (new best)" : "kept") : "reverted";
  const compared = decided(frame, previous);
  if (!compared) return `${joint}${end}`;
  const { proposed, checkpoint } = compared;
  if (!Number.isFinite(checkpoint)) return `${joint}first result ${layout.chance_of ? chance(proposed) : number(proposed)}, ${end}`;
  const { rounding = 0 } = layout;
  const same = !improves(proposed, checkpoint, first, rounding) && !improves(checkpoint, proposed, first, rounding);
  if (same) return `${joint}no change, ${end}`;
  const told = (/** @type {number} */ cost) => (layout.best_known ? above(cost, layout) : layout.chance_of ? chance(cost) : "");
  const [before, after] = [checkpoint, proposed].map(told);
  if (before === after) return `${joint}${before ? `slightly ${proposed < checkpoint ? "better" : "worse"}` : against(proposed, checkpoint)}, ${end}`;
  const words = layout.chance_of || after.endsWith("best") ? "" : " above the best";
  return `${joint}from ${before} to ${after}${words}, ${end}`;
}

/**
 * Return the two costs that a decision compared, or null if they are unknown.
 * @param {Frame} frame @param {Frame | null} previous
 */
export function decided(frame, previous) {
  if (!previous || previous.call !== frame.call) return null;
  const proposed = previous.cost;
  const checkpoint = frame.event === KEPT ? previous.checkpoints[frame.level - 1] : frame.cost;
  if (Number.isNaN(proposed) || Number.isNaN(checkpoint)) return null;
  return { proposed: rounded(proposed), checkpoint: rounded(checkpoint) };
}
