// Tests of base/marks.js: tints behind kept and redrawn variables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { wash } from "../../prviz/player/static/base/marks.js";

/** Return, for each colour, which of three variables have it. @param {number[]} chosen The redrawn variables. */
function washed(chosen) {
  const filled = {};
  let rects = [];
  const g = {
    beginPath() { rects = []; },
    rect(x) { rects.push(x); },
    fill() { if (rects.length) filled[this.fillStyle] = rects; },
  };
  wash(g, { kept: "green", partial: "orange", full: "blue" }, chosen, 3, (i) => [i, 0, 1, 1]);
  return filled;
}

test("wash() tints kept variables and highlights redrawn ones", () => {
  assert.deepEqual(washed([1]), { green: [0, 2], orange: [1] });
  assert.deepEqual(washed([]), { green: [0, 1, 2] });
});

test("wash() has a separate colour for a restart", () => {
  assert.deepEqual(washed([0, 1, 2]), { blue: [0, 1, 2] });
});
