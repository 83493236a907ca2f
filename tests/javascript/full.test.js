// Tests of run/full.js: the full restarts with which a search is compared.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bestAt } from "../../prviz/player/static/run/full.js";

test("`bestAt` returns the last new best within the work", () => {
  const full = { frames: [10, 40, 400].map((iterations) => ({ iterations })) };
  const found = [5, 10, 39, 40, 1000].map((work) => bestAt(full, "iterations", work)?.iterations ?? null);
  assert.deepEqual(found, [null, 10, 10, 40, 400]);
  assert.equal(bestAt({ frames: [] }, "iterations", 10), null);
});
