// Tests of many/map.js: the map of a tuning.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordOf } from "../../prviz/player/static/many/map.js";

test("the leader is called best if a run has reached the target, or if there is no target", () => {
  assert.deepEqual([{ hits: 3 }, { hits: undefined }, { hits: 0 }].map((cell) => wordOf(cell)), ["best", "best", "leads"]);
});
