// Tests of draw/dots.js: drawn points.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Dots, MOST, decode, encode, read } from "../../prviz/player/static/draw/dots.js";
import { close } from "./searches.js";

const drawings = JSON.parse(readFileSync(new URL("drawings.json", import.meta.url), "utf8"));

test("the text equals that of prviz.datasets.sets.drawn", () => {
  for (const { text, points } of drawings) {
    assert.deepEqual(decode(text), points.flat());
    assert.equal(encode(points.flat()), text);
  }
});

/** Run `act` as one stroke; return true if it changed the drawing. */
function stroke(dots, act) {
  dots.begin();
  act();
  return dots.end();
}

test("strokes can be undone and redone", () => {
  const dots = new Dots();
  const counts = () => [dots.n, dots.different];
  stroke(dots, () => [[10, 10], [10, 10], [500, 500], [-1, 5], [5, 1024]].forEach(([x, y]) => dots.add(x, y)));
  assert.deepEqual(counts(), [3, 2]);
  assert.equal(stroke(dots, () => dots.erase(900, 900, 50)), false);
  assert.ok(stroke(dots, () => dots.erase(12, 10, 5)));
  assert.deepEqual(counts(), [1, 1]);
  for (const [act, done, expected] of [
    ["undo", true, [3, 2]], ["redo", true, [1, 1]], ["redo", false, [1, 1]], ["undo", true, [3, 2]],
  ]) {
    assert.equal(dots[act](), done);
    assert.deepEqual(counts(), expected);
  }
  stroke(dots, () => dots.add(20, 20));
  assert.equal(dots.redo(), false); // undone strokes cannot be redone after a new one
});

test("`spray` draws from a normal distribution, up to 5000 points", () => {
  const dots = new Dots();
  dots.spray(500, 500, 60, 6000);
  assert.equal(dots.n, MOST);
  let within = 0;
  for (let i = 0; i < dots.points.length; i += 2) {
    within += Math.hypot(dots.points[i] - 500, dots.points[i + 1] - 500) < 60;
  }
  assert.ok(close(within / dots.n, 1 - Math.exp(-2), 0.03)); // within 2 standard deviations
});

test("read() accepts two whole numbers per line", () => {
  assert.deepEqual(read("x,y\n1,2\r\n\n1023;0\n"), [1, 2, 1023, 0]);
  for (const wrong of ["1,2\n3", "1,1024", "1,2,3", "x,y\na,b", "1.5,2"]) {
    assert.throws(() => read(wrong), /must be two whole numbers from 0 to 1023/);
  }
});
