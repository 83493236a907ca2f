// Tests of run/story.js and run/teller.js: the calls that a story shows, and for how long.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ITERATE, KEPT, REDRAW } from "../../prviz/player/static/base/words.js";
import { dwells } from "../../prviz/player/static/run/story.js";
import { Teller } from "../../prviz/player/static/run/teller.js";
import { close, engineOf, headOf, range, search, uniform } from "./searches.js";

const KEPT_BIT = 8, BEST_BIT = 16;

/** Return the next episodes, each with the calls skipped before it and with its end time. */
function tell(teller, most) {
  const told = [];
  for (let episode = teller.next(); episode && told.length < most; episode = teller.next()) {
    const left = teller.leaves(episode) ? { ...teller.left } : null;
    teller.enter(episode);
    told.push({ ...episode, left, until: teller.told.time });
  }
  return told;
}

const story = (found, top = 2) => tell(new Teller(engineOf(found), top), 100);
const callsOf = (told) => told.map(({ call }) => call);

/** Return a search of `n` calls. Each is kept with probability `chance`; half of the kept calls are new bests. */
function randomSearch(n, chance) {
  const draw = uniform(n + 1000 * chance);
  const bests = [[1, 100]];
  let letters = "K";
  for (let call = 2; call <= n; call++) {
    const kept = draw() < chance;
    letters += kept ? "K" : "r";
    if (kept && draw() < 0.5) bests.push([call, bests.at(-1)[1] * (1 - 0.1 * draw())]);
  }
  return search(letters, bests, range(1, n).filter((call) => call % 100 === 1));
}

const KINDS = [[300, 0.002], [300, 0.5], [3000, 0.05], [30_000, 0.002], [10_000, 0.5]];

test("a story shows every call of a short search", () => {
  const told = story(search("KrKrr", [[1, 9], [3, 5]]));
  assert.deepEqual(callsOf(told), [1, 2, 3, 4, 5, 3]);
  assert.ok(told.every(({ left }) => left === null));
  assert.deepEqual(told.at(-1), { call: 3, time: 0, end: true, still: true, left: null, until: told.at(-2).until });
});

test("a story ends at the last call if that call found the best", () => {
  const told = story(search("KrK", [[1, 9], [3, 5]]));
  assert.deepEqual(told.map(({ call, end, still }) => [call, end, still]),
    [[1, undefined, undefined], [2, undefined, undefined], [3, true, undefined]]);
});

test("skipped calls are counted", () => {
  const letters = `KKKKr${"r".repeat(10)}KK${"r".repeat(3)}`, bests = [[1, 9], [17, 5]];
  const leftBefore = (told, call) => told.find((episode) => episode.call === call).left;
  const told = story(search(letters, bests));
  assert.deepEqual(leftBefore(told, 5), { calls: 3, kept: 3, bests: 0, restarts: 0 });
  assert.deepEqual(leftBefore(told, 17), { calls: 11, kept: 1, bests: 0, restarts: 0 });
  const restarted = story(search(letters, bests, [1, 3, 9, 12]));
  assert.deepEqual([5, 17].map((call) => leftBefore(restarted, call).restarts), [1, 2]);
});

test("a story shows nothing after the call that solved the problem", () => {
  for (const kind of KINDS.slice(1, 3)) {
    const found = randomSearch(...kind);
    const [call, goal] = found.bests[Math.floor(found.bests.length / 2)];
    const told = story({ ...found, goal });
    const calls = callsOf(told.filter(({ still }) => !still));
    assert.ok(calls.at(-1) === call || calls.length <= 3 && calls.includes(call));
    assert.deepEqual([told.at(-1).call, told.at(-1).end], [found.bests.at(-1)[0], true]);
  }
});

test("a story shows the largest new bests", () => {
  // Each of ten improvements, in calls 2, 102, …, is a tenth of the total; the other ninety are tiny.
  const far = range(0, 9).map((i) => 100 * i + 2);
  const bests = [[1, 10]];
  for (let call = 2; call <= 1001; call += 10) bests.push([call, bests.at(-1)[1] - (far.includes(call) ? 1 : 1e-6)]);
  const improved = new Set(bests.map(([call]) => call));
  const shown = callsOf(story(search(range(1, 1001).map((call) => (improved.has(call) ? "K" : "r")).join(""), bests)));
  const cost = new Map(bests);
  const missed = far.filter((call) => cost.get(call) > 1.5 && !shown.includes(call));
  assert.ok(missed.length <= 2, `${missed}`);
});

test("every story lasts 20 to 30 s and shows a reverted redraw within 5 s", () => {
  for (const kind of KINDS) {
    const found = randomSearch(...kind);
    const told = story(found);
    assert.deepEqual(story(found), told);
    const shown = told.filter(({ still }) => !still);
    const calls = callsOf(shown);
    const endOf = (fits) => shown.find(({ call }, i) => i && fits(found.outcomes[call - 1]))?.until;
    assert.equal(calls[0], 1);
    assert.deepEqual(calls, [...new Set(calls)].sort((a, b) => a - b));
    assert.ok(shown[0].until <= 2000);
    assert.ok(endOf((outcome) => !(outcome & KEPT_BIT)) <= 5000);
    assert.ok((endOf((outcome) => outcome & BEST_BIT) ?? 0) <= 10_000);
    const { call, end, until } = told.at(-1);
    assert.deepEqual([call, end], [found.bests.at(-1)[0], true]);
    assert.ok(until >= 20_000 && until <= 30_000, `${kind}: ${until} ms`);
  }
});

test("a story of full restarts shows reverted restarts", () => {
  const found = search("KrKr", [[1, 9], [3, 5]]);
  found.outcomes = found.outcomes.map((outcome) => (outcome & ~7) | 1);
  assert.deepEqual(callsOf(story(found, 1)), [1, 2, 3, 4, 3]);
});

test("the story of a running search continues to the end of the search", () => {
  for (const [n, chance] of KINDS.slice(0, 3)) {
    const whole = randomSearch(n, chance);
    const part = (calls, state) => ({
      state, outcomes: whole.outcomes.slice(0, calls), bests: whole.bests.filter(([call]) => call <= calls),
    });
    const engine = engineOf(part(1, "running"));
    const teller = new Teller(engine, 2);
    const told = tell(teller, 1);
    for (const share of [7, 3, 2]) {
      engine.take(headOf(part(Math.floor(n / share), "running"), engine.calls));
      told.push(...tell(teller, 2));
    }
    engine.take(headOf(part(n, "finished"), engine.calls));
    told.push(...tell(teller, 100));
    assert.equal(told[0].call, 1);
    assert.deepEqual([told.at(-1).call, told.at(-1).end], [whole.bests.at(-1)[0], true]);
    assert.equal(told.filter(({ end }) => end).length, 1);
  }
});

/** Tell the story of a search whose episodes take `slowness` times as long as planned; return the teller. */
function tellLate(found, slowness) {
  const teller = new Teller(engineOf(found), 2);
  for (let n = 0; !teller.ends && n < 500; n++) {
    const before = teller.told.time;
    const episode = teller.next();
    teller.leaves(episode);
    teller.enter(episode);
    teller.pass(slowness * (teller.told.time - Math.max(before, teller.spent)));
  }
  return teller;
}

test("a story ends after 30 s even if its frames are late", () => {
  for (const kind of KINDS) {
    const { ends, spent } = tellLate(randomSearch(...kind), 2);
    assert.ok(ends && spent <= 30_000, `${kind}: ${spent} ms`);
  }
});

test("if a story ends before its search, it ends at the best so far", () => {
  const found = { ...randomSearch(300, 0.5), state: "running" };
  const { ends, spent, episode } = tellLate(found, 1);
  assert.ok(ends && spent >= 20_000 && spent <= 30_000, `${spent} ms`);
  assert.equal(episode.call, found.bests.at(-1)[0]);
});

test("a story ends at the solution although the search continues", () => {
  const found = search("KrKrrrrrrr", [[1, 9], [3, 0]]);
  assert.deepEqual(callsOf(story({ ...found, goal: 1, state: "running" })), [1, 2, 3]);
});

test("a story continues when new calls arrive", () => {
  const found = randomSearch(300, 0.5);
  const engine = engineOf(found);
  const teller = new Teller(engine, 2);
  tell(teller, 100);
  teller.goOn(300);
  const more = randomSearch(600, 0.5);
  engine.take(headOf({ ...more, outcomes: [...found.outcomes, ...more.outcomes.slice(300)], bests: [...found.bests, [500, 1e-9]] }, 300));
  const told = tell(teller, 100);
  assert.ok(told.every(({ call }) => call > 300));
  assert.ok(told.length > 5 && told.at(-1).end);
});

test("a story is empty before the first call", () => {
  assert.deepEqual(story({ state: "running", outcomes: [], bests: [] }), []);
});

test("the frames of a call fill the time of its episode", () => {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  for (const [iterations, time] of [[1, 800], [5, 2200], [90, 800]]) {
    const frames = [REDRAW, REDRAW, ...Array(iterations).fill(ITERATE), KEPT].map((event) => ({ event }));
    const spans = dwells(frames, time, false);
    assert.ok(close(sum(spans), time));
    assert.ok(sum(spans.slice(2, -1)) <= 1200);
    assert.ok(Math.min(spans[0], spans.at(-1)) >= 80);
    const still = dwells(frames, time, true);
    assert.ok(close(sum(still), time));
    assert.equal(still.filter((span) => span > 0).length, 4); // two redraws, the last iteration, the decision
  }
});

test("a redraw on a middle level is shown once, before the important new bests", () => {
  const letters = `${"Kr".repeat(50)}`;
  const found = search(letters, [[1, 100], [3, 90], [60, 50]]);
  const middle = engineOf(found);
  middle.level = (call) => (call === 1 ? 3 : call % 20 === 1 ? 2 : 1);
  const calls = callsOf(tell(new Teller(middle, 3), 100));
  assert.deepEqual(calls.slice(0, 4), [1, 2, 3, 21]);
});
