// The clock of two searches side by side: run/duel.js.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock, SECONDS, bestAt, changes, span } from "../../prviz/player/static/run/duel.js";
import { close } from "./searches.js";

/** A side that has found its bests after so many iterations, and is at `iterations`. */
const side = (found, iterations) => ({ iterations, frames: found.map((work) => ({ iterations: work })) });
const DUEL = { full: side([10, 40, 400], 1000), partial: side([12, 100], 2000) };

/** Where a clock stands after each step, and whether it plays. */
function clockThrough(reached, steps) {
  const clock = new Clock();
  clock.reach(reached);
  return steps.map(([name, ...values]) => {
    if (name === "share") [clock.share] = values;
    else clock[name](...values);
    return [clock.work, clock.playing];
  });
}

function assertWork(stood, expected) {
  assert.equal(stood.length, expected.length);
  stood.forEach(([work], i) => assert.ok(close(work, expected[i]), `${work} is not ${expected[i]}`));
}

test("the clock goes over the work that both have done", () => {
  assert.deepEqual(span(DUEL, "iterations"), [12, 1000]);
  assert.deepEqual(changes(DUEL, "iterations"), [12, 40, 100, 400, 1000]);
  assert.equal(span({ ...DUEL, partial: side([], 2000) }, "iterations"), null);
  const bests = [12, 39, 40, 399, 400, 1000].map((work) => bestAt(DUEL.full, "iterations", work).iterations);
  assert.deepEqual(bests, [10, 10, 40, 40, 400, 400]);
});

test("each tenfold of the work takes as long", () => {
  assert.ok(SECONDS >= 20 && SECONDS <= 30);
  const third = (1000 * SECONDS) / 3;
  const stood = clockThrough([1, 1000],
    [["toggle"], ["tick", third, false], ["tick", third, false], ["tick", third + 1, false], ["toggle"]]);
  assertWork(stood, [1, 10, 100, 1000, 1]);
  assert.deepEqual(stood.map(([, playing]) => playing), [true, true, true, false, true]); // again from 1
});

test("at the end the clock waits for searches that go on", () => {
  assert.deepEqual(
    clockThrough([1, 1000], [["toggle"], ["tick", 60_000, true], ["reach", [1, 2000]], ["tick", 60_000, false]]),
    [[1, true], [1000, true], [1000, true], [2000, false]]);
});

test("the clock is scrubbed and stepped from change to change", () => {
  const works = [1, 50, 100];
  const stood = clockThrough([1, 100], [
    ["share", 0.5], ["step", 1, works], ["step", 1, works], ["step", 1, works],
    ["step", -1, works], ["step", -1, works], ["step", -1, works], ["share", 2],
  ]);
  assertWork(stood, [10, 50, 100, 100, 50, 1, 1, 100]);
  assert.deepEqual(clockThrough([7, 7], [["toggle"], ["tick", 9, false]]), [[7, true], [7, false]]);
});
