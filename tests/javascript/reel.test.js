// Tests of reel.js, shots.js and recorder.js in take/: the calls of a film, their times and frames.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ITERATE, KEPT, REDRAW } from "../../prviz/player/static/base/words.js";
import { burstsOf, expected } from "../../prviz/player/static/take/recorder.js";
import { clipped, lastKept, lengthOf, ofRange, reel, thisRestart } from "../../prviz/player/static/take/reel.js";
import { shotsOf } from "../../prviz/player/static/take/shots.js";
import { close, engineOf, range, search } from "./searches.js";

const LEVELS = [{ size: 1, repeats: 10 }, { size: 50, repeats: 0 }];
const LETTERS = `K${"rrrrKrrrrr".repeat(100)}`; // 1001 calls

/** Return the engine of a search with a restart every ten calls; `bests` are the calls with a new best. */
function engineFor(letters, { bests = [], each = 10, held } = {}) {
  const restarts = range(1, letters.length).filter((call) => (call - 1) % each === 0);
  return engineOf(search(letters, bests.map((call, i) => [call, 100 - i]), restarts, { held }));
}

test("`thisRestart` ends with the search at the latest", () => {
  for (const [call, first, last] of [[1, 1, 10], [10, 1, 10], [11, 11, 20], [25, 21, 25]]) {
    assert.deepEqual(thisRestart(engineFor("K".repeat(25)), LEVELS, call), { first, last });
  }
  const restarts = engineFor("K".repeat(25), { each: 1 });
  assert.deepEqual(thisRestart(restarts, LEVELS.slice(1), 7), { first: 7, last: 7 });
});

test("`clipped` cuts a range to the calls that exist", () => {
  for (const [first, last, from, to] of [[3, 9, 3, 9], [9, 3, 3, 9], [-5, 400, 1, 25], [30, 40, 25, 25]]) {
    assert.deepEqual(clipped({ first, last }, engineFor("K".repeat(25))), { first: from, last: to });
  }
});

test("`lastKept` returns the last kept calls that have frames", () => {
  assert.deepEqual(lastKept(engineFor("KrKrrKKr"), 3), [3, 6, 7]);
  assert.deepEqual(lastKept(engineFor("KrKrrKKr"), 10), [1, 3, 6, 7]);
  assert.deepEqual(lastKept(engineFor("rrr"), 10), []);
  assert.deepEqual(lastKept(engineFor("KrKrrKKr", { held: [1, 2, 6] }), 3), [1, 6]);
});

const chosen = (engine, first, last, milliseconds = 10_000) => ofRange(engine, 2, { first, last }, milliseconds);

test("`ofRange` shows all calls if there is enough time", () => {
  assert.deepEqual(chosen(engineFor(LETTERS), 11, 20), range(11, 20));
});

test("`ofRange` shows improvements and some reverted calls if a film has no time for all calls", () => {
  const calls = chosen(engineFor(LETTERS), 101, 500);
  assert.deepEqual(calls, [...new Set(calls)].sort((a, b) => a - b));
  assert.equal(calls[0], 101);
  assert.equal(calls.length, 7);
  assert.ok(calls.at(-1) <= 500);
  const kept = calls.slice(1).filter((call) => call % 10 === 6);
  assert.equal(kept.length, 4);
  assert.equal(kept.at(-1), 496); // the last kept call
  assert.ok(calls.slice(1).every((call) => call % 10 !== 1)); // no first call of another restart
});

test("new bests are chosen before other kept calls", () => {
  const bests = [1, 16, 36, 46, 996];
  const calls = chosen(engineFor(LETTERS, { bests }), 1, 1001);
  assert.ok(bests.every((call) => calls.includes(call)) && calls.length > bests.length);
});

test("`ofRange` shows reverted calls if none improves", () => {
  const calls = chosen(engineFor(`K${"r".repeat(999)}`), 101, 900);
  assert.ok(calls.length > 2);
  assert.equal(calls[0], 101);
});

test("`ofRange` leaves out calls without frames", () => {
  const held = [5, 6, 7, 300, 301];
  assert.deepEqual(chosen(engineFor(LETTERS, { held }), 1, 1001), held);
});

test("a reel takes the given time", () => {
  for (const [calls, gaps] of [
    [range(1, 10), range(1, 10).map(() => 0)],
    [[1, 5, 6, 300, 301, 302, 999], [0, 3, 0, 293, 0, 0, 696]],
  ]) {
    const episodes = reel(engineFor(LETTERS), 2, calls, 10_000);
    assert.deepEqual(episodes.map(({ call }) => call), calls);
    assert.ok(close(lengthOf(episodes), 10_000));
    assert.ok(episodes.every(({ time }) => time >= 500));
    assert.deepEqual(episodes.map(({ left }) => left?.calls ?? 0), gaps);
    assert.deepEqual(episodes.map(({ gap }) => gap > 0), gaps.map((gap) => gap > 0));
  }
});

test("a film of few calls is short", () => {
  const episodes = reel(engineFor(LETTERS), 2, [7], 10_000);
  assert.equal(episodes[0].time, 2200);
  assert.equal(lengthOf(episodes), 3000);
});

const FRAMES = [REDRAW, ITERATE, ITERATE, KEPT].map((event) => ({ event }));
const shots = (episodes, milliseconds) => shotsOf(episodes, () => FRAMES, milliseconds);
const times = (made) => made.reduce((sum, shot) => sum + shot.times, 0);

test("shots fill the time in order", () => {
  const left = { calls: 3, kept: 0, bests: 0, restarts: 0 };
  const episodes = [
    { call: 1, time: 2000, left: null, gap: 0, hold: 0 }, { call: 5, time: 1000, left, gap: 450, hold: 800 },
  ];
  for (const milliseconds of [40, 80]) {
    const made = shots(episodes, milliseconds);
    assert.equal(times(made), Math.ceil(4250 / milliseconds));
    const seen = made.map((shot) => `call ${shot.call}${shot.left ? " left" : ""} ${shot.index}`);
    assert.deepEqual(seen.filter((text, i) => text !== seen[i - 1]), [
      "call 1 0", "call 1 1", "call 1 2", "call 1 3",
      "call 1 left 3", // the number of skipped calls, shown over the last frame of call 1
      "call 5 0", "call 5 1", "call 5 2", "call 5 3",
    ]);
    assert.equal(made.at(-1).t, 1);
    assert.ok(made.at(-1).times * milliseconds >= 800);
  }
});

test("a still picture is drawn once", () => {
  const made = shots([{ call: 1, time: 2200, left: null, gap: 0, hold: 0 }], 40);
  const still = made.filter(({ t }) => t === 1);
  assert.ok(still.length <= FRAMES.length);
  assert.ok(times(still) > 10);
  const glides = made.filter(({ index, t }) => index === 0 && t < 1).map(({ t }) => t);
  assert.deepEqual(glides, [...glides].sort((a, b) => a - b));
  assert.ok(glides.length > 3);
});

test("sample shots are spread over the film", () => {
  for (const n of [1, 2, 10, 24, 25, 26, 100, 1000]) {
    const bursts = burstsOf(n), tried = bursts.flat();
    assert.deepEqual(tried, [...new Set(tried)].sort((a, b) => a - b));
    assert.deepEqual([tried[0], tried.at(-1)], [0, n - 1]);
    assert.ok(tried.length <= 24);
    for (const burst of bursts) assert.deepEqual(burst, range(burst[0], burst.at(-1)));
  }
});

test("expected() extrapolates the bytes of the sample shots", () => {
  assert.equal(expected([1000, 10, 20, 30], burstsOf(4), 4), 1060); // every shot is in the sample
  assert.equal(expected([700], burstsOf(1), 1), 700);
  // The first picture of the second burst has no previous picture, so it does not count.
  assert.equal(expected([1000, 10, 600, 30], [[0, 1], [8, 9]], 10), 1000 + 9 * 20);
});
