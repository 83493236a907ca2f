// Tests of base/words.js: numbers and sentences.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as words from "../../prviz/player/static/base/words.js";
import { close, plain, range } from "./searches.js";

const shared = JSON.parse(readFileSync(new URL("improves.json", import.meta.url), "utf8"));

test("number() groups digits and shows four significant digits", () => {
  for (const [value, text] of [
    [9376.6, "9 377"],
    [85.312, "85.31"],
    [-98, "−98"],
    [0.5, "0.5000"],
    [0.00234, "0.002340"],
    [0, "0"],
    [-2.2e-16, "0"],
    [1234567, "1 234 567"],
    [28937415099.7, "2.894e10"],
    [0.00001234, "1.234e−5"],
    [-9376.6, "−9 377"],
    [Infinity, "∞"],
    [NaN, "–"],
    [null, "–"],
  ]) assert.equal(plain(words.number(value)), text);
});

test("against() shows the digits that distinguish two costs", () => {
  for (const [a, b, text] of [
    [9412, 9377, "9 412 > 9 377"],
    [9377.21, 9377.24, "9 377.21 < 9 377.24"],
    [28937415099.7, 28937496281.8, "2.89374e10 < 2.89375e10"],
    [5, 5, "5 = 5"],
    [2.772589259, 2.772589256, "2.773, 3e−9 more"],
    [1.0, 1.0000002, "1, 2e−7 less"],
  ]) assert.equal(plain(words.against(a, b)), text);
});

test("chance() is the probability for a log-likelihood", () => {
  for (const [cost, text] of [
    [0, "1 in 1"],
    [Math.log(2.5), "1 in 2.5"],
    [Math.log(4), "1 in 4"],
    [Math.log(200), "1 in 200"],
    [8.9, "1 in 7 332"],
    [64 * Math.LN2, "1 in 1.8e19"],
    [2000, "1 in 3.9e868"],
  ]) assert.equal(plain(words.chance(cost)), text);
  const layout = { chance_of: "string", cost: "−log-likelihood", best_known: 0, rounding: shared.rounding };
  const engine = { calls: 7, head: { full: Math.log(256) }, bests: [[2, Math.log(4)]] };
  assert.equal(words.ending({ best: Math.log(4) }, engine, layout), "Partial ends at P(string) = 1 in 4, full restarts at 1 in 256.");
});

test("percent() and seconds() have units", () => {
  for (const [gap, text] of [
    [0, "0 %"],
    [0.0583, "5.83 %"],
    [0.123, "12.3 %"],
    [2, "200 %"],
    [2.8e-6, "0.00028 %"],
    [1e-5, "0.001 %"],
    [null, "–"],
  ]) assert.equal(plain(words.percent(gap)), text);
  for (const [time, text] of [[0.0021, "2.1 ms"], [0.2, "0.20 s"], [31.04, "31.0 s"], [1200, "1 200 s"]]) {
    assert.equal(plain(words.seconds(time)), text);
  }
});

test("ending() names the winner and the difference", () => {
  const near = { best_known: 100, solved_within: 0.001 };
  const names = { partial: "Three levels", full: "Two levels" };
  for (const [known, best, full, solving, text] of [
    [near, 100.05, 125.0, [3, 100.05], "Solved at call 3. Full restarts are still 25.0 % above the best."],
    [near, 100.05, 100.0, [3, 100.05], "Solved at call 3. Full restarts also solved it."],
    [near, 112.5, 100.0, undefined, "Full restarts have solved it. Partial is still 12.5 % above the best."],
    [near, 112.5, 130.0, undefined, "Partial ends 12.5 % above the best, full restarts 30.0 %."],
    [near, 130.0, 112.5, undefined, "Full restarts end 12.5 % above the best, partial 30.0 %."],
    [near, 250.0, 1310.0, undefined, "Partial ends 150 % above the best, full restarts 13.1 × the best."],
    [near, 112.5, 112.5, undefined, "Both end 12.5 % above the best."],
    [{ best_known: 0 }, 1.386, 2.773, undefined, "Partial ends at WCSS 1.386, full restarts at 2.773."],
    [{ best_known: null }, 3.1, 3.2, undefined, "Partial ends at WCSS 3.100, full restarts at 3.200, 3.13 % less."],
    [{ best_known: null }, -193.5, -195.4, undefined, "Full restarts end at WCSS −195.4, partial at −193.5, 0.97 % behind."],
    [near, 112.5, null, undefined, "The best of 7 calls was found at call 2: 12.5 % above the best."],
    [{ ...near, names }, 112.5, 130.0, undefined, "Three levels end 12.5 % above the best, two levels 30.0 %."],
    [{ ...near, names }, 112.5, 100.0, undefined, "Two levels have solved it. Three levels are still 12.5 % above the best."],
  ]) {
    const layout = { cost: "WCSS", rounding: shared.rounding, ...known };
    const engine = { calls: 7, head: { full }, bests: [[2, best]], solving };
    assert.equal(plain(words.ending({ best }, engine, layout)), text);
  }
});

test("lead() compares with restarts if there is no best known cost", () => {
  const layout = { best_known: null, rounding: shared.rounding };
  for (const [best, rival, text] of [[95, 100, "5.00 % ahead of restarts"], [102, 100, "2.00 % behind restarts"],
    [100.001, 100, "just behind restarts"], [100, 100, "level with restarts"], [100, undefined, null], [100, Infinity, null]]) {
    const told = words.lead(best, rival, layout);
    assert.equal(told && plain(told), text);
  }
  assert.equal(words.lead(95, 100, { ...layout, best_known: 90 }), null);
});

test("untouched() counts the kept variables of a call", () => {
  const layout = { levels: [{}, {}], noun: ["centre", "centres"], variables: 50 };
  assert.equal(words.untouched({ level: 1, chosen: [17] }, layout), "1 redrawn, 49 of 50 centres kept");
  assert.equal(words.untouched({ level: 2, chosen: range(0, 49) }, layout), "restart: all 50 centres redrawn");
  assert.equal(words.untouched({ level: 1, chosen: [0] }, { ...layout, variables: 1 }), "");
});

test("a decision shows the gap to the best", () => {
  const layout = { noun: ["centre", "centres"], variables: 50, levels: [{}, {}], cost: "WCSS", best_known: 100, rounding: shared.rounding };
  const frame = { event: words.KEPT, level: 1, chosen: [17], counters: [5, 5], call: 5, cost: 113.5, newBest: true };
  const before = { call: 5, cost: 113.5, checkpoints: [123.8, 123.8] };
  assert.equal(plain(words.sentence(frame, before, layout)), "Centre 17 redrawn: from 23.8 % to 13.5 % above the best, kept (new best).");
  const reverted = { ...frame, event: words.REVERTED, cost: 113.5 };
  assert.equal(plain(words.sentence(reverted, { ...before, cost: 320 }, layout)), "Centre 17 redrawn: from 13.5 % to 220 % above the best, reverted.");
  assert.equal(words.sentence(reverted, { ...before, cost: 113.5 }, layout), "Centre 17 redrawn: no change, reverted.");
  assert.equal(words.sentence(reverted, { ...before, cost: 113.5001 }, layout), "Centre 17 redrawn: slightly worse, reverted.");
  const likely = { ...layout, best_known: 0, chance_of: "string" };
  assert.equal(words.sentence(frame, { ...before, cost: 8.84101, checkpoints: [8.84102] }, likely), "Centre 17 redrawn: slightly better, kept (new best).");
});

test("`gapNote` says what the gap is measured against, or that the problem is solved", () => {
  const note = (gap, best_known, solved_within) => plain(words.gapNote(gap, { best_known, solved_within }));
  assert.deepEqual([[null, null, 1e-5], [0.1, -130, 1e-12], [0, -130, 1e-12], [4e-6, 1e6, 1e-5], [6.9, 0, null], [0, 5, null]].map((all) => note(...all)),
    ["no best known", "of −130", "solved", "solved: within 0.001 %", "above 0", "of 5"]);
});

test("`ofSearch` hides results of later calls", () => {
  const engine = { head: { state: "finished", seconds: 1.5 }, calls: 900, bests: [[3, 9], [761, 5]], solving: [761, 5], active: false };
  const found = (shown) => words.ofSearch(engine, { cost: "WCSS" }, shown);
  assert.deepEqual(found(760), { text: "Search: 900 calls in 1.50\u202fs.", call: null });
  assert.deepEqual(found(761), { text: "Search: 900 calls in 1.50\u202fs; solved at call 761.", call: 761 });
});

test("redrawn() lists up to four variables", () => {
  for (const [chosen, text] of [
    [[], "no centre"],
    [[17], "centre 17"],
    [[3, 17], "centres 3 and 17"],
    [[1, 2, 3, 4], "centres 1, 2, 3 and 4"],
    [[1, 2, 3, 4, 5], "5 centres"],
    [range(0, 49), "all 50 centres"],
  ]) assert.equal(words.redrawn(chosen, { noun: ["centre", "centres"], variables: 50 }), text);
});

test("redrawn() does not number the only variable", () => {
  const layout = { noun: ["coordinate", "coordinates"], variables: 1, levels: [{}, {}] };
  assert.equal(words.redrawn([0], layout), "coordinate");
  assert.equal(words.sentence({ event: 1, level: 1, chosen: [0] }, null, layout), "Coordinate redrawn.");
});

test("leftOut() counts kept and reverted calls only if there are both", () => {
  for (const [calls, kept, bests, text] of [
    [5, 2, 1, "Fast forward over 5 attempts: 2 kept (1 new best), 3 reverted."],
    [3, 3, 3, "Fast forward over 3 attempts, all kept (3 new bests)."],
    [1, 1, 0, "Fast forward over 1 attempt, kept."],
    [2, 0, 0, "Fast forward over 2 attempts, all reverted."],
  ]) assert.equal(words.leftOut({ calls, kept, bests, restarts: 0 }), text);
});

test("`gapTo` is relative and needs a best known cost", () => {
  assert.ok(close(words.gapTo(110, { best_known: 100 }), 0.1));
  assert.ok(close(words.gapTo(-90, { best_known: -100 }), 0.1));
  assert.equal(words.gapTo(110, { best_known: null }), null);
  assert.equal(words.gapTo(0.1 + 0.2, { best_known: 0.3, rounding: 1e-12 }), 0);
});

test("a sentence names middle levels and first results", () => {
  const layout = {
    noun: ["state", "states"], variables: 8, levels: [{}, {}, {}], cost: "−log-likelihood", optimiser: "Baum–Welch",
  };
  const frame = { event: words.REDRAW, level: 2, chosen: [1, 2], counters: [0, 0, 0], call: 5 };
  assert.equal(words.sentence(frame, null, layout), "Level 2: states 1 and 2 redrawn.");
  const before = { call: 5, cost: 30.5, checkpoints: [Infinity, 40.25, Infinity] };
  const kept = { ...frame, event: words.KEPT, level: 1, cost: 30.5, newBest: true, chosen: [4] };
  assert.equal(words.sentence(kept, before, layout), "State 4 redrawn: first result 30.50, kept (new best).");
  assert.equal(words.sentence({ ...kept, level: 2 }, before, layout), "Level 2: 30.50 < 40.25, kept (new best).");
  assert.equal(words.sentence(kept, null, layout), "State 4 redrawn: kept (new best).");
});

test("restarts of a search that chooses its sizes are counted once", () => {
  const levels = [{ size: "auto" }, { size: 50 }];
  const named = (event, ended) => words.sentence({ event, level: 2, chosen: range(0, 49), counters: [0, ended], call: 9 }, null, { ...LAYOUT, levels });
  assert.equal(named(words.REDRAW, 4), "Restart 3: all 50 centres redrawn."); // a restart counts twice, so 4 means that two have ended
  assert.deepEqual([1, 2, 3].map((ended) => words.restartsEnded({ counters: [0, ended] }, { levels })), [1, 1, 2]);
  assert.equal(words.restartsEnded({ counters: [0, 3] }, { levels: [{ size: 1 }, { size: 50 }] }), 3);
});

const frameOf = (event, chosen, level = 1, others = {}) =>
  ({ event, level, chosen, counters: [5, 5, 5], call: 5, ...others });
const LAYOUT = {
  noun: ["centre", "centres"], variables: 50, levels: [{ alpha: 1 }, { alpha: 1 }, {}], cost: "WCSS", optimiser: "Lloyd",
};

test("a sentence says that α = 1 changes nothing", () => {
  const slight = { ...LAYOUT, levels: [{ alpha: 0.999 }, { alpha: 0.999 }, {}] };
  const all = range(0, 49);
  for (const [frame, text] of [
    [frameOf(words.REDRAW, [17]), "α = 1: the redraw leaves centre 17 as it was."],
    [frameOf(words.REDRAW, [3, 17]), "α = 1: the redraw leaves centres 3 and 17 as they were."],
    [frameOf(words.REDRAW, all, 2), "Level 2, α = 1: the redraw leaves all 50 centres as they were."],
    [frameOf(words.REDRAW, all, 3), "Restart 6: all 50 centres redrawn."],
    [frameOf(words.REDRAW, []), "No centre redrawn."],
    [frameOf(words.KEPT, [17]), "Centre 17 as it was: kept."],
    [frameOf(words.KEPT, all), "All 50 centres as they were: kept."],
  ]) {
    assert.equal(words.sentence(frame, null, LAYOUT), text);
    assert.doesNotMatch(words.sentence(frame, null, slight), /as it was|as they were/);
  }
});

test("improves() agrees with prviz.engine.trace", () => {
  for (const [cost, best, first, expected] of shared.cases) {
    assert.equal(words.improves(cost, best, first, shared.rounding), expected, `${cost} < ${best}, first ${first}`);
  }
});

test("a sentence compares a cost near 0 with the first cost", () => {
  const layout = { ...LAYOUT, levels: [{}, {}], rounding: shared.rounding };
  const kept = frameOf(words.KEPT, [17], 1, { cost: 2e-13, newBest: false });
  const before = { call: 5, cost: 2e-13, checkpoints: [5e-13, 5e-13] };
  assert.equal(words.sentence(kept, before, layout, 2.5), "Centre 17 redrawn: no change, kept.");
  assert.match(words.sentence(kept, before, layout, 1e-9), / < /);
});

