import { test } from "node:test";
import assert from "node:assert/strict";
import { KernelClient } from "../../prviz/player/static/notebook/kernel.js";

test("a lost kernel gets no request, so that no error replaces the message about the loss", async () => {
  /** @type {Record<string, () => void>} */ const heard = {};
  const model = { get: () => {}, off: () => {}, on: (event, hear) => (heard[event] = hear), send: () => assert.fail("sent") };
  let lost = 0;
  const kernel = new KernelClient(model, () => {}, () => lost++);
  heard.comm_live_update();
  assert.equal(lost, 1);
  const answer = kernel.ask({ kind: "run" });
  assert.equal(await Promise.race([answer, "no answer"]), "no answer");
});
