// Tests of run/engine.js: the browser's copy of a search, with one byte per call.

import assert from "node:assert/strict";
import { test } from "node:test";

import { engineOf, headOf, range, search, uniform } from "./searches.js";

test("kept() counts the kept calls while outcomes arrive in parts", () => {
  const draw = uniform(7);
  const letters = range(1, 5000).map(() => (draw() < 0.3 ? "K" : "r")).join("");
  const naive = (calls) => letters.slice(0, calls).replaceAll("r", "").length;
  const engine = engineOf(search(letters.slice(0, 1500)));
  for (const calls of [0, 1, 1023, 1024, 1025, 1500]) assert.equal(engine.kept(calls), naive(calls));
  for (const end of [1501, 4096, 5000]) engine.take(headOf(search(letters.slice(0, end)), engine.calls));
  for (const calls of [1500, 2048, 4096, 4097, 5000]) assert.equal(engine.kept(calls), naive(calls));
});

test("the engine knows which levels redraw in a call and decide at its end", () => {
  const engine = engineOf({ state: "finished", outcomes: [3, 1, 2, 1, 3, 0], bests: [] });
  assert.deepEqual(range(1, 6).map((call) => engine.level(call)), [3, 1, 2, 1, 3, 8]);
  assert.deepEqual(range(1, 5).filter((call) => engine.redraws(call, 2)), [1, 3, 5]);
  assert.deepEqual(range(1, 6).filter((call) => engine.decides(call, 2)), [2, 4, 5]); // only the next call shows whether a level decides
});

test("find() returns the next call of a kind that has frames", () => {
  const found = search("KrrKrKrr", [[1, 9], [4, 5]], [1, 5]);
  const engine = engineOf(found);
  assert.equal(engine.find("kept", 2, 1, 2), 4);
  assert.equal(engine.find("kept", 3, -1, 2), 1);
  assert.equal(engine.find("reverted", 4, 1, 2), 5);
  assert.equal(engine.find("best", 2, 1, 2), 4);
  assert.equal(engine.find("restart", 2, 1, 2), 5);
  assert.equal(engine.find("kept", 7, 1, 2), null);
  assert.equal(engineOf({ ...found, held: [1, 6] }).find("kept", 2, 1, 2), 6);
});

test("`bestCall` is the call that found the best cost in a frame", () => {
  const engine = engineOf(search("KKKK", [[1, 9], [2, 5], [4, 3]]));
  assert.deepEqual([[1, Infinity], [1, 9], [3, 5], [4, 5], [4, 3]].map(([call, best]) => engine.bestCall({ call, best })), [undefined, 1, 2, 2, 4]);
  assert.equal(engineOf({ ...search("KKK", [[1, 9], [2, 5], [3, 4]]), goal: 5 }).bestCall({ call: 3, best: 4 }), 2); // solved
});

test("the first call at the goal solves the problem", () => {
  const found = search("KKK", [[1, 9], [2, 5], [3, 4]]);
  assert.deepEqual(engineOf({ ...found, goal: 5 }).solving, [2, 5]);
  assert.equal(engineOf(found).solving, undefined);
});

test("a run that starts again is counted from 0", () => {
  const changes = [];
  const engine = engineOf(search("KKKKK", [[1, 9], [3, 5]]));
  engine.onChange = (anew) => changes.push(anew);
  engine.again = () => {};
  const again = search("Kr", [[1, 7]], [1], { state: "running" });
  engine.take(headOf(again, 5));
  assert.deepEqual([engine.calls, engine.bests], [0, []]);
  engine.take(headOf(again));
  assert.deepEqual([engine.calls, engine.kept(2), engine.bests], [2, 1, [[1, 7]]]);
  assert.deepEqual(changes, [true, false]);
});

test("the polling interval depends on the state", () => {
  const engine = engineOf(search("K", [], [1], { state: "running" }));
  assert.equal(engine.pause(), 250);
  engine.hurried = true;
  assert.equal(engine.pause(), 110);
  engine.take(headOf(search("K"), 1));
  assert.equal(engine.pause(), null); // no request is needed any more
  assert.ok(engine.over && !engine.active);
});
