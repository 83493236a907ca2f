// Tests of take/picture.js: the text in a film's picture.

import assert from "node:assert/strict";
import { test } from "node:test";

import { standingOf } from "../../prviz/player/static/take/picture.js";
import { plain } from "./searches.js";

test("a call that lowers the best cost is shown with the previous best", () => {
  const shown = (cost, best) => plain(standingOf({ call: 3, cost, best }, { cost: "WCSS" }));
  assert.equal(shown(2, 3), "Call 3 · WCSS 2 · best before 3");
  assert.equal(shown(4, 3), "Call 3 · WCSS 4 · best 3");
});
