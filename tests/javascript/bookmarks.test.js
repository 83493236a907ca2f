// Tests of present/bookmarks.js (bookmarked calls) and stage/phases.js (the phase of a frame).

import assert from "node:assert/strict";
import { test } from "node:test";

import { ITERATE, KEPT, REDRAW, REVERTED } from "../../prviz/player/static/base/words.js";
import { Bookmarks, beyond } from "../../prviz/player/static/present/bookmarks.js";
import { phaseOf } from "../../prviz/player/static/stage/phases.js";

test("bookmarks are kept in order and restored with their run", () => {
  const bookmarks = new Bookmarks();
  assert.ok(bookmarks.follow("/kmeans", { k1: "1", call: "5" }, "40,12"));
  bookmarks.keep([]);
  assert.deepEqual([133, 12, 40].map((call) => bookmarks.toggle(call)), [true, true, true]);
  assert.equal(bookmarks.text, "12,40,133");
  assert.equal(bookmarks.toggle(40), false);
  assert.equal(bookmarks.text, "12,133");
  assert.ok(!bookmarks.follow("/kmeans", { k1: "1", call: "99" }, "")); // only the call differs: the same run
  assert.ok(bookmarks.follow("/kmeans", { k1: "2" }, "7,9"));
  assert.deepEqual(bookmarks.calls, [7, 9]); // taken from the link
  bookmarks.follow("/kmeans", { k1: "1" }, "7");
  assert.deepEqual(bookmarks.calls, [12, 133]);
});

test("beyond() is the next or the previous bookmark", () => {
  const calls = [12, 40, 133];
  assert.deepEqual([beyond(calls, 12, 1), beyond(calls, 41, 1), beyond(calls, 133, 1)], [40, 133, undefined]);
  assert.deepEqual([beyond(calls, 133, -1), beyond(calls, 41, -1), beyond(calls, 12, -1)], [40, 40, undefined]);
});

test("`phaseOf` reports stuck after 99 % of a descent's improvement", () => {
  const iterations = [100, 50, 20.5, 20].map((cost) => ({ event: ITERATE, cost }));
  const frames = [{ event: REDRAW }, ...iterations, { event: KEPT }];
  assert.deepEqual(frames.map((frame) => phaseOf(frame, frames)),
    ["redrawn", "settling", "settling", "stuck", "stuck", "kept"]);
  assert.equal(phaseOf({ event: REVERTED }, frames), "reverted");
});
