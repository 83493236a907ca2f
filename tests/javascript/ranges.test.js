// Tests of timeline/ranges.js: the calls that the timeline shows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { columns, covers, restartAround, restartOf, shares, turned, zoomed } from "../../prviz/player/static/timeline/ranges.js";
import { close, engineOf, uniform } from "./searches.js";

const range = (first, last) => ({ first, last });
const ALL = range(1, 1000);

test("zoomed() keeps the position of the shown call", () => {
  for (const [shown, factor, call, expected] of [
    [ALL, 0.5, 501, [251, 750]], // the call in the middle stays there
    [ALL, 0.5, 1, [1, 500]], // the first call stays at the start
    [ALL, 0.5, 1000, [501, 1000]],
    [range(251, 750), 2, 501, [1, 1000]], // zooming out by the same factor shows all again
    [range(1, 500), 1.5, 500, [1, 750]], // a range begins at call 1 or later
    [range(901, 1000), 2, 901, [801, 1000]],
    [range(401, 600), 100, 500, [1, 1000]],
    [range(401, 415), 0.5, 408, [404, 413]], // a range has at least ten calls
    [range(404, 413), 0.5, 408, [404, 413]],
    [range(7, 7), 2, 7, [7, 16]],
  ]) assert.deepEqual(zoomed(shown, factor, call, ALL), range(...expected));
});

test("zoomed() always contains the shown call", () => {
  const draw = uniform(0);
  const factors = [0.5, 0.5, 0.5, 0.5, 0.7, 0.7, 0.7, 2, 2, 5];
  for (let path = 0; path < 200; path++) {
    const n = 1 + Math.floor(1e6 * draw()), call = 1 + Math.floor(n * draw());
    const all = range(1, n);
    let shown = all;
    for (let step = 0; step < 12; step++) {
      shown = zoomed(shown, factors[Math.floor(10 * draw())], call, all);
      assert.ok(1 <= shown.first && shown.first <= call && call <= shown.last && shown.last <= n);
    }
  }
});

test("turned() returns the range of equal length that contains a call", () => {
  for (const [shown, call, expected] of [
    [[101, 200], 201, [201, 300]], // the next range
    [[101, 200], 100, [1, 100]], // the previous range
    [[101, 200], 777, [701, 800]],
    [[101, 200], 150, [101, 200]],
    [[951, 1050], 990, [951, 1050]], // a restart may end after the last call
    [[6, 15], 3, [1, 10]], // there is no call before the first
  ]) assert.deepEqual(turned(range(...shown), call, ALL), range(...expected));
});

test("`restartOf` returns the calls of a restart; `covers` compares a range with all calls", () => {
  for (const [call, expected] of [
    [1, [1, 27]], [27, [1, 27]], [28, [28, 54]], [54, [28, 54]], [365_000, [364_987, 365_013]],
  ]) assert.deepEqual(restartOf(call, 27), range(...expected));
  assert.deepEqual(restartOf(5, 1), range(5, 5)); // a search with full restarts only
  assert.ok(covers(range(1, 1000), ALL));
  assert.ok(!covers(range(2, 1000), ALL));
});

test("restarts that the search itself chooses are shown", () => {
  const levels = [{ size: "auto", repeats: 0 }, { size: 50, repeats: 0 }]; // restarts have no fixed number of calls
  const outcomes = Array.from({ length: 2000 }, (_, i) => ([1, 8, 1500].includes(i + 1) ? 2 : 1));
  const engine = engineOf({ state: "finished", outcomes, bests: [] });
  assert.deepEqual([1, 7, 8, 1499, 1500].map((call) => shares(engine, { from: call, to: call }, 2)[2]), [1, 0, 1, 0, 1]);
  assert.equal(shares(engine, { from: 1001, to: 2000 }, 2)[2], 0.001);
  for (const [call, until, expected] of [
    [1, 2000, [1, 7]], [7, 2000, [1, 7]], [8, 2000, [8, 1499]], [1700, 2000, [1500, 2000]],
    [20, 30, [8, 30]], // later restarts are not known yet
  ]) assert.deepEqual(restartAround(engine, levels, call, until), range(...expected));
  assert.deepEqual(restartAround(engine, [{ repeats: 27 }, { repeats: 0 }], 28), range(28, 54)); // planned
});

test("columns contain every call once", () => {
  for (const calls of [1, 879, 881, 365_000]) {
    const found = columns(range(101, 100 + calls), 880.4);
    assert.equal(found.length, Math.min(calls, 880));
    const sizes = new Set();
    let next = 101;
    for (const { from, to } of found) {
      assert.equal(from, next);
      sizes.add(to - from + 1);
      next = to + 1;
    }
    assert.equal(next, 101 + calls);
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
  }
});

test("shares equal the shares counted from the outcomes", () => {
  // Three levels, 3 × 4 calls per restart.
  const draw = uniform(4), n = 3000;
  const level = Array.from({ length: n }, (_, i) => (i % 12 === 0 ? 3 : i % 3 === 0 ? 2 : 1));
  const kept = level.map(() => draw() < 0.3), restarts = level.map((l) => l === 3);
  const engine = engineOf({ state: "finished", outcomes: level.map((l, i) => l + (kept[i] ? 8 : 0)), bests: [] });
  for (const calls of [1, 10, 999]) {
    for (let from = 1; from + calls - 1 <= n; from += calls) {
      const those = (values) => values.slice(from - 1, from - 1 + calls).filter(Boolean).length / calls;
      const expected = [those(kept), 1 - those(kept), those(restarts)];
      const found = shares(engine, { from, to: from + calls - 1 }, 3);
      assert.ok(found.every((share, i) => close(share, expected[i], 1e-12)), `${from}: ${found}`);
    }
  }
});
