// Numbers and sentences for people. Pure functions; a frame in, words out.

// What a frame shows
export const REDRAW = 1;
export const ITERATE = 2;
export const KEPT = 3;
export const REVERTED = 4;

const THIN = "\u202f"; // narrow no-break space
const NOTHING = 1e-13; // what rounding may leave of a cost that is 0

function rounded(x) {
  return Math.abs(x) < NOTHING ? 0 : x;
}

/** A cost for people: 9 377, 85.31, 2.894e10. */
export function number(x, digits = 4) {
  if (x == null || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(rounded(x));
  if (size === 0) return "0";
  if (size >= 1e7 || size < 1e-3) {
    return x.toExponential(digits - 1).replace("e+", "e").replaceAll("-", "−");
  }
  const whole = Math.floor(Math.log10(size)) + 1;
  return grouped(x.toFixed(Math.max(0, digits - whole)));
}

/** A whole number with thin spaces: 17 002. */
export function count(n) {
  return n == null ? "–" : grouped(Math.round(n).toFixed(0));
}

function grouped(text) {
  const [whole, decimals] = text.replace("-", "−").split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return decimals ? `${spaced}.${decimals}` : spaced;
}

/** Two costs with as many digits as it takes to tell them apart. */
export function pair(a, b, digits = 4) {
  for (let n = digits; n < 17; n++) {
    const texts = [number(a, n), number(b, n)];
    if (a === b || texts[0] !== texts[1]) return texts;
  }
  return [String(a), String(b)];
}

/** A relative gap as a percentage: 12.3 %, 0.0028 %, 0 %. */
export function percent(gap) {
  if (gap == null || !Number.isFinite(gap)) return "–";
  const value = 100 * gap;
  const size = Math.abs(value);
  const digits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2
    : Math.min(9, 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(digits);
  return `${grouped(size && size < 0.1 ? text.replace(/\.?0+$/, "") : text)}${THIN}%`;
}

/** Relative distance to the best known cost, or null where there is none. */
export function gapTo(best, { best_known: known, rounding = 0 }) {
  if (best == null || known == null || !Number.isFinite(best)) return null;
  const gap = (best - known) / (Math.abs(known) || 1);
  return Math.abs(gap) <= rounding ? 0 : gap;
}

export function seconds(s) {
  if (s == null || !Number.isFinite(s)) return "–";
  if (s > 0 && s < 0.1) return `${Number((1000 * s).toPrecision(2))}${THIN}ms`;
  return `${grouped(s.toFixed(s < 10 ? 2 : s < 100 ? 1 : 0))}${THIN}s`;
}

/** What the layout calls an inner iteration, such as "epoch". */
export function iterationOf(layout) {
  return layout.iteration ?? "iteration";
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function listed(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** What was redrawn: "centre 17", "centres 3 and 17", "12 centres", "all 50 centres". */
export function redrawn(chosen, layout) {
  const [one, many] = layout.noun;
  if (layout.variables === 1) return `the ${one}`;
  if (chosen.length === layout.variables) return `${chosen.length === 2 ? "both" : `all ${count(chosen.length)}`} ${many}`;
  if (chosen.length > 4) return `${count(chosen.length)} ${many}`;
  if (chosen.length === 0) return `no ${one}`;
  return `${chosen.length === 1 ? one : many} ${listed(chosen.map(count))}`;
}

/** k_l for people: "50", or "p = 0.1" where each variable has its own chance. */
export function size(level) {
  return level.size == null ? `p = ${level.probability}` : count(level.size);
}

export function levelName(level, layout) {
  return level === layout.levels.length ? "Restart" : `Level ${level}`;
}

/** One sentence that says what `frame` shows; `previous` is the frame before it, if known. */
export function sentence(frame, previous, layout) {
  const top = layout.levels.length;
  if (frame.event === REDRAW) {
    const what = redrawn(frame.chosen, layout);
    if (frame.level === top) return `Restart ${count(frame.counters[top - 1] + 1)}: ${what} redrawn.`;
    return frame.level > 1 ? `Level ${frame.level}: ${what} redrawn.` : `${capital(what)} redrawn.`;
  }
  if (frame.event === ITERATE) {
    const cost = Number.isNaN(frame.cost) ? "" : `: ${layout.cost} ${number(frame.cost)}`;
    return `${layout.optimiser}, ${iterationOf(layout)} ${count(frame.iteration)}${cost}.`;
  }
  if (descends(frame, layout)) return descent(frame, layout);
  return `${decisionSubject(frame, layout)}${comparison(frame, previous, layout)}.`;
}

/** What a story leaves out: "60 attempts, all reverted". */
export function leftOut({ calls, kept, bests }) {
  const attempts = `${count(calls)} attempt${calls === 1 ? "" : "s"}`;
  if (!kept) return `${attempts}, ${calls === 1 ? "" : "all "}reverted.`;
  const better = bests ? `, ${count(bests)} new best${bests === 1 ? "" : "s"}` : "";
  return `${attempts}: ${count(kept)} kept${better}, ${count(calls - kept)} reverted.`;
}

/** The end of a story: the best configuration of all. */
export function ending(frame, calls, layout) {
  const { best_known: known, solved_within: solved } = layout;
  const gap = gapTo(frame.best, layout);
  const verdict = known == null ? "" : gap <= (solved ?? 0) ? ": solved" : `, ${percent(gap)} above the best known`;
  return `The best of ${count(calls)} calls, from call ${count(frame.call)}: ${layout.cost} ${number(frame.cost)}${verdict}.`;
}

/** One line on the whole search, {text, call}, with the call that solved it, or the best; null before any. */
export function ofSearch({ head, calls, bests, active }, layout) {
  if (!calls || head.state === "ready") return { text: "", call: null };
  const { solved_within: solved } = layout;
  const solving = bests.find(([, cost]) => (gapTo(cost, layout) ?? Infinity) <= (solved ?? 0));
  const [call, cost] = solving ?? bests.at(-1) ?? [null, head.best];
  const where = call === null ? "" : solving ? `; solved at call ${count(call)}.`
    : `; best ${layout.cost} ${number(cost)}, at call ${count(call)}.`;
  const made = `${count(calls)} call${calls === 1 ? "" : "s"} in ${seconds(head.seconds)}`;
  return { text: `${active ? "Searching" : "Search"}: ${made}${where || "."}`, call };
}

function decisionSubject(frame, layout) {
  const top = layout.levels.length;
  if (frame.level === top) return `Restart ${count(Math.max(1, frame.counters[top - 1]))}`;
  if (frame.level > 1) return `Level ${frame.level}`;
  return `${capital(redrawn(frame.chosen, layout))} redrawn`;
}

/** What x was redrawn from says nothing: no optimiser had seen it. */
function descent(frame, layout) {
  const first = frame.call === 1 ? "First descent" : "First descent after a restart";
  const best = frame.newBest && frame.call > 1 ? ", a new best" : "";
  return `${first}: ${layout.cost} ${number(frame.cost)}${best}.`;
}

/** Whether a call has descended from a configuration that was redrawn as a whole. */
function descends(frame, layout) {
  const top = layout.levels.length;
  return frame.level === 1 && frame.event === KEPT
    && (frame.call === 1 || top > 1 && frame.counters.slice(0, top - 1).every((done) => done === 1));
}

function comparison(frame, previous, layout) {
  const joint = frame.level === 1 && layout.levels.length > 1 ? "; " : ": ";
  const kept = frame.event === KEPT;
  const end = kept ? (frame.newBest ? "kept: new best" : "kept") : "reverted";
  const compared = decided(frame, previous);
  if (!compared) return `${joint}${end}`;
  const { proposed, checkpoint } = compared;
  if (!Number.isFinite(checkpoint)) return `${joint}first result ${number(proposed)}, ${end}`;
  const same = Math.abs(proposed - checkpoint) <= (layout.rounding ?? 0) * Math.abs(checkpoint);
  const [a, b] = same ? [number(proposed), number(checkpoint)] : pair(proposed, checkpoint);
  const sign = same ? "=" : proposed > checkpoint ? ">" : "<";
  return `${joint}${a} ${sign} ${b}, ${end}${same && !kept && proposed > checkpoint ? " for its rounding" : ""}`;
}

/** The two costs that a decision compared, or null where they are unknown. */
export function decided(frame, previous) {
  if (!previous || previous.call !== frame.call) return null;
  const proposed = previous.cost;
  const checkpoint = frame.event === KEPT ? previous.checkpoints[frame.level - 1] : frame.cost;
  if (Number.isNaN(proposed) || Number.isNaN(checkpoint)) return null;
  return { proposed: rounded(proposed), checkpoint: rounded(checkpoint) };
}
