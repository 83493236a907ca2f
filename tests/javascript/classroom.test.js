// Tests of a class: columns and dots, questions about a run, and the keys of the lecturer's notes.

import assert from "node:assert/strict";
import test from "node:test";
import { answerOf, bestOfClass, kindAfter, questionOver } from "../../prviz/player/static/class/questions.js";
import { binsOf, columnsOf, pile, placeOf } from "../../prviz/player/static/class/dots.js";
import { drawnOver, numberOf, told, unbroken } from "../../prviz/player/static/class/forms.js";
import { apart } from "../../prviz/player/static/class/picture.js";
import { answerWords, nextKey, wordsOf } from "../../prviz/player/static/class/notes.js";
import { ClassPanel } from "../../prviz/player/static/class/panel.js";
import { verdict } from "../../prviz/player/static/class/searches.js";
import { engineOf, search } from "./searches.js";

const WORDS = { words: "?", kind: "word", choices: ["kept", "reverted"], unit: "", marks: [], high: 0 };
const NUMBER = { ...WORDS, kind: "number", choices: [], unit: "calls" };
const ENGINE = engineOf(search("rK".repeat(10), [[1, 9], [4, 5], [12, 3]]));
Object.assign(ENGINE.head, { best: 3, full: 4 });

test("a column has the people who bet its word, and the share of seeds with this answer", () => {
  const found = columnsOf(WORDS, [[0, "kept"], [3, "kept"]], ["kept", "reverted", "reverted", "reverted"]);
  assert.deepEqual(found.map(({ dots, share }) => [dots, share]), [[[0, 3], 0.25], [[], 0.75]]);
});

test("an outlier does not change the axis of the other bets", () => {
  const bets = [...Array.from({ length: 40 }, (_, i) => [i, i]), [40, 1e12]];
  const found = columnsOf(NUMBER, bets, []);
  assert.ok(found.length <= 14);
  assert.deepEqual(found.at(-1).dots, [40]);
  assert.ok(binsOf([]).count > 0);
});

test("the answer is placed on the axis of the bets", () => {
  const found = columnsOf(NUMBER, [[0, 60], [1, 0], [2, 100]], [74.9]);
  const at = (bet) => placeOf(found, bet) * found.length;
  assert.equal(found[Math.floor(at(74.9))].label, "70–80");
  assert.ok(Math.abs(at(74.9) - 7.49) < 1e-9);
  assert.equal(placeOf(columnsOf(WORDS, [], []), "reverted"), 0.75);
});

test("labels of curves do not overlap, and none is below the axis", () => {
  assert.deepEqual(apart([50, 98, 99], 10, 100), [50, 89, 99]);
});

test("a hundred dots stay in their picture and do not overlap", () => {
  const { radius, dots } = pile([Array.from({ length: 90 }, (_, i) => i), Array.from({ length: 10 }, (_, i) => 90 + i)], 500, 120);
  assert.ok(dots.every(({ x, y }) => x >= radius && x <= 500 - radius && y >= radius - 0.01 && y <= 120));
  const distances = dots.flatMap((a, i) => dots.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
  assert.ok(Math.min(...distances) > 2 * radius);
});

test("a question about a run is answered by the run", () => {
  const kept = questionOver("kept", 11, ENGINE);
  assert.deepEqual([kept.seeds.length, kept.whose], [10, "10 earlier calls"]);
  assert.deepEqual(answerOf({ of: "kept", call: 11 }, ENGINE), { answer: "kept", until: 12 });
  assert.deepEqual(answerOf({ of: "calls", call: 5 }, ENGINE), { answer: 7, until: 12 });
  assert.deepEqual(answerOf({ of: "winner", call: 5 }, ENGINE), { answer: "partial", until: 20 });
  for (const open of [{ of: "kept", call: 20 }, { of: "calls", call: 12 }]) assert.equal(answerOf(open, ENGINE), null);
  assert.equal(answerOf({ of: "winner", call: 5 }, engineOf(search("rK", [], [1], { state: "running" }))), null);
});

test("only a run that has ended and still improves has a question about its curve", () => {
  const kinds = ["kept", "calls", "winner", "curve", "kept"];
  for (let i = 1; i < kinds.length; i++) assert.equal(kindAfter(kinds[i - 1], 4, ENGINE), kinds[i]);
  assert.equal(kindAfter(null, 4, ENGINE), "kept");
  assert.equal(kindAfter("winner", 12, ENGINE), "kept");
  assert.equal(kindAfter("winner", 4, engineOf(search("rK".repeat(10), [[1, 9], [12, 3]], [1], { state: "running" }))), "kept");
  const { words, marks } = questionOver("curve", 4, ENGINE);
  assert.match(words, /^Call 4 has reached 66.7 %/); // from 9 to 5, of 9 to 3
  assert.deepEqual(marks, [6, 8, 12, 20]);
  assert.deepEqual(answerOf({ of: "curve", call: 4 }, ENGINE), { answer: [66.7, 66.7, 100, 100], until: 20 });
});

test("a class bets the most frequent word, or the median", () => {
  assert.equal(bestOfClass(WORDS, ["reverted", "kept", "reverted"]), "reverted");
  assert.equal(bestOfClass(NUMBER, [1, 50, 2]), 2);
  assert.deepEqual(bestOfClass({ ...WORDS, kind: "curve", marks: [1, 2] }, [[1, 9], [3, 7], [2, 8]]), [2, 8]);
  assert.equal(bestOfClass(NUMBER, []), null);
});

test("a phone reads numbers with a decimal comma or point, and rejects other texts", () => {
  assert.deepEqual(["3,5", " 4.25 ", "-1", "x", "", "1e99"].map(numberOf), [3.5, 4.25, null, null, null, null]);
  assert.equal(told(NUMBER, 3), "3\u202fcalls");
});

test("a finger that skips marks also draws the curve there", () => {
  const level = [40, 40, 40, 40];
  assert.deepEqual(drawnOver(level, null, [0.1, 0.25], 80), [60, 40, 40, 40]);
  assert.deepEqual(drawnOver([60, 10, 10, 10], [0.1, 0.25], [0.9, 1], 80), [60, 40, 20, 0]);
});

test("one key advances through a plan", () => {
  const state = { stop: "1", next: "3", plan: "10", shown: { lesson: "1", watched: "1" } };
  const keys = [{ ...state, stop: "join" }, ...["waiting", "asking", "revealed", "searching"].map((phase) => ({ ...state, phase }))].map((each) => nextKey(each)[0]);
  assert.deepEqual(new Set(keys), new Set(["page down"]));
  assert.equal(nextKey({ ...state, phase: "ended" })[0], "Escape");
  assert.equal(nextKey({ stop: "", next: "", plan: "", phase: "waiting", shown: {} })[0], "none yet"); // nothing is shown yet
  assert.equal(nextKey({ ...state, phase: "revealed", next: "search" })[1], "let everyone search");
  assert.deepEqual(nextKey({ ...state, phase: "closed" }), ["page down", "skip to the answer"]);
  assert.match(wordsOf({ phase: "closed", say: "planned" }), /^No more bets/);
  assert.equal(wordsOf({ phase: "revealed", shown: { sentence: "Kept." } }), "Kept."); // a question about a run
});

test("the notes show the question with its answer, but no answer while people join", () => {
  const state = { stop: "1", asks: "How many?", expect: "This seed: 3.", shown: {} };
  assert.equal(answerWords(state), "How many? This seed: 3.");
  assert.equal(answerWords({ ...state, stop: "join" }), "");
  assert.equal(nextKey({ ...state, stop: "join", next: "1" })[1], "hide the address and show lesson 1 (C shows it again)");
  assert.match(wordsOf({ phase: "searching", say: "Search." }), /^Search\. Wait until most have searched\.$/);
});

test("one tie is singular", () => {
  const found = (ties) => verdict({ n: 4 + ties, ahead: 3, ties, share: 0.75, low: 0.3, high: 0.95 });
  assert.match(found(1), /, 1 tie\.$/);
  assert.match(found(2), /, 2 ties\.$/);
});

test("the projector restores plan and question after a restart of the server", () => {
  const sent = [];
  const theatre = { params: { lesson: "3" }, page: "learn", narrator: { sentence: "" } };
  const panel = Object.assign(Object.create(ClassPanel.prototype), { state: null, plan: "", theatre, draw() {}, rewind() {}, report: () => sent.push(panel.plan), lead: (...request) => sent.push(request) });
  const state = { server: "a", session: "1", plan: "10", stop: "3", phase: "asking" };
  panel.take(state);
  panel.take({ ...state, session: "2" }); // a new class
  assert.deepEqual(sent, []);
  panel.take({ ...state, server: "b", session: "3", plan: "", phase: "waiting" });
  assert.deepEqual(sent, ["10", ["ask", { lesson: "3" }]]);
});

test("page down does nothing just after the run has reached the answer", (t) => {
  let now = 10_000;
  const done = [];
  t.mock.method(performance, "now", () => now);
  const panel = Object.assign(Object.create(ClassPanel.prototype), { state: { phase: "closed" }, theatre: { params: { lesson: "1" } }, revealing: true, lead: (name) => done.push(name), goOn: () => done.push("go on") });
  panel.reached();
  now += 50;
  panel.step(1); // the server has not answered yet
  panel.state.phase = "revealed";
  now += 400;
  panel.step(1);
  assert.deepEqual(done, ["reveal"]);
  now += 1500;
  panel.step(1);
  assert.deepEqual(done, ["reveal", "go on"]);
});

test("a range or a percentage is not broken over two lines", () => {
  assert.equal(unbroken("half: 48–80.2 %"), "half: 48\u2060–\u206080.2\u00a0%");
});
