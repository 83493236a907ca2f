// Tests of run/playback.js and run/lines.js: the playhead moves by frames and by lines of Algorithm 1.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ITERATE, KEPT, REDRAW } from "../../prviz/player/static/base/words.js";
import { linesOf, lineSentence, pending } from "../../prviz/player/static/run/lines.js";
import { Playback, glided } from "../../prviz/player/static/run/playback.js";
import { Teller } from "../../prviz/player/static/run/teller.js";
import { engineOf, plain, search } from "./searches.js";

/** Execute the paper's recursion; return every executed line, and the frames of each call. */
function reference(repeats, restarts) {
  const lines = [], calls = [];
  let redrawing = false;
  const add = (frame) => {
    if (frame.event === REDRAW && !redrawing) calls.push([]);
    redrawing = frame.event === REDRAW;
    calls.at(-1).push({ call: calls.length, iteration: 0, ...frame });
  };
  function call(level) {
    const executed = (line) => lines.push([line, level]);
    executed(1);
    if (level === 0) {
      executed(2);
      for (const iteration of [1, 2, 3]) add({ event: ITERATE, level, line: 2, iteration });
      return;
    }
    executed(3);
    executed(4);
    add({ event: REDRAW, level, line: 4 });
    for (let i = 0; i < (level === 1 ? 1 : repeats[level - 2]); i++) {
      executed(5);
      call(level - 1);
    }
    executed(6);
    add({ event: KEPT, level, line: 6 });
  }
  for (let i = 0; i < restarts; i++) call(repeats.length + 1);
  return { lines, calls };
}

/** Return a playhead over loaded frames. */
function playbackOf(calls, levels) {
  const playback = new Playback();
  for (const frames of calls) frames.at(-1).last = true;
  playback.clear({
    layout: { levels: Array(levels).fill({}) },
    newest: calls.length,
    frames: (call) => calls[call - 1] ?? null,
    closing: (call) => calls[call - 1]?.at(-1) ?? null,
    has: (call) => call >= 1 && call <= calls.length,
    near: (call) => call,
  });
  return playback;
}

test("the highlighted line follows the recursion, forwards and back", () => {
  for (const repeats of [[], [3], [2, 2], [2, 1, 2]]) {
    const { lines, calls } = reference(repeats, 2);
    const playback = playbackOf(calls, repeats.length + 1);
    const now = () => {
      const { line, level } = playback.lines[playback.line ?? playback.lines.length - 1];
      return [line, level];
    };
    const walk = (direction) => {
      const seen = [now()];
      while (playback.stepLine(direction)) seen.push(now());
      return seen;
    };
    playback.seek(1, "start", true);
    const there = walk(1), back = walk(-1);
    // The optimiser's iterations are one line of the algorithm, but one frame each.
    assert.deepEqual(there.filter((line, i) => String(line) !== String(there[i - 1])), lines);
    assert.deepEqual(back, there.toReversed());
  }
});

test("a step moves by one frame, also between calls", () => {
  const { calls } = reference([3], 1);
  const playback = playbackOf(calls, 2);
  playback.seek(1, "start");
  const seen = [];
  do seen.push(playback.frame); while (playback.step(1));
  assert.deepEqual(seen, calls.flat());
  assert.equal(playback.step(1), false);
  playback.seek(2, "start");
  assert.equal(playback.previous, calls[0].at(-1));
  assert.ok(playback.step(-1));
  assert.equal(playback.frame, calls[0].at(-1));
});

test("seek() finds the start, the decision, the end or a given frame", () => {
  const { calls } = reference([3], 1);
  const playback = playbackOf(calls, 2);
  const where = (...place) => {
    playback.seek(3, ...place);
    return playback.index;
  };
  // Call 3 ends the restart: one redraw, three iterations, two decisions.
  assert.deepEqual([where("start"), where("decision"), where("end"), where(2), where(99)], [0, 4, 5, 2, 5]);
  assert.equal(where((frames) => frames.findIndex(({ iteration }) => iteration === 2)), 2);
  playback.seek(9);
  assert.deepEqual([playback.call, playback.frame.call], [9, 3]); // the frames of call 9 are not loaded yet
});

test("playback follows the pace, and a pause of any length counts as at most 500 ms", () => {
  const { calls } = reference([3], 1);
  const playback = playbackOf(calls, 2);
  playback.seek(1, "start");
  playback.play();
  playback.tick(400);
  assert.equal(playback.index, 0);
  playback.tick(400); // a redraw is shown for 600 ms
  assert.equal(playback.index, 1);
  playback.tick(60_000); // a long pause counts as 500 ms
  assert.equal(playback.frame.call, 1);
  playback.pace = 8;
  for (let i = 0; i < 100; i++) playback.tick(100);
  assert.equal(playback.frame, calls.at(-1).at(-1));
  assert.equal(playback.rest, 0);
});

test("glided() is the completed fraction of an animation", () => {
  assert.deepEqual([glided(REDRAW, 0, 600), glided(REDRAW, 190, 600), glided(REDRAW, 900, 600)], [0, 0.5, 1]);
  assert.equal(glided(REDRAW, 50, 100), 0.5); // a shorter animation, because the frame is shown for only 100 ms
});

test("`lineSentence` describes a line", () => {
  const layout = {
    levels: [{ repeats: 2 }, { repeats: 2 }, { repeats: 0 }], optimiser: "Lloyd", cost: "WCSS", noun: ["centre", "centres"],
  };
  const first = {
    event: REDRAW, level: 3, line: 4, iteration: 0, call: 1, cost: NaN, chosen: [0],
    counters: [0, 0, 0], checkpoints: [Infinity, Infinity, Infinity],
  };
  const told = (frame, previous) => linesOf(frame, layout).slice(0, -1)
    .map((line) => plain(lineSentence(line, pending(frame, previous, line), layout)));
  assert.deepEqual(told(first, null), [
    "Restart is called.",
    "Restart: there is no configuration yet for its checkpoint x₀.",
  ]);
  const second = { ...first, level: 2, checkpoints: [Infinity, 12.5, Infinity] };
  assert.deepEqual(told(second, first), [
    "Restart calls level 2: 1 of 2.",
    "Level 2 is called.",
    "Level 2: x becomes its checkpoint x₀, WCSS 12.50.",
  ]);
  const iterate = { ...second, event: ITERATE, level: 0, line: 2, iteration: 1 };
  assert.deepEqual(told(iterate, second), ["Level 1 calls the local optimiser once.", "Lloyd is called."]);
  assert.deepEqual(told({ ...iterate, iteration: 2 }, iterate), []);
});

test("a story follows real time, also after one long step", () => {
  const playback = new Playback();
  let late = 0;
  playback.teller = { pass: (milliseconds) => (late += milliseconds), begin() {} };
  playback.mode = "story";
  playback.tick(17_000);
  assert.equal(late, 17_000);
});

test("a story ends within 30 s although the search continues; Play continues the story", () => {
  const { calls } = reference([100], 1);
  const engine = engineOf(search("KrK".padEnd(100, "r"), [[1, 9], [3, 5]], [1], { state: "running" }));
  const playback = playbackOf(calls, 2);
  Object.assign(playback, { pace: "story", teller: new Teller(engine, 2) });
  playback.playFrom(1);
  let time = 0;
  for (; !playback.ended && time < 60_000; time += 50) playback.tick(50);
  assert.ok(time <= 30_000, `${time} ms`);
  assert.equal(playback.frame.call, 3);
  for (let i = 0; i < 100; i++) playback.tick(50);
  assert.ok(playback.ended);
  playback.mode = "paused";
  playback.play();
  assert.ok(!playback.ended);
});
