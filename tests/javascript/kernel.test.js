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

test("the kernel is reported as busy only if a request has no answer for seconds", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {Record<string, Function>} */ const heard = {};
  /** @type {{to: string}[]} */ const sent = [];
  const model = { get: () => {}, off: () => {}, on: (event, hear) => (heard[event] = hear), send: (question) => sent.push(question) };
  let silences = 0;
  const kernel = new KernelClient(model, () => silences++, () => {});
  const first = kernel.ask({ kind: "open" });
  mock.timers.tick(2000);
  heard["msg:custom"]({ to: sent[0].to, status: 204, type: "text/plain" }, [new DataView(new ArrayBuffer(0))]);
  assert.equal((await first).status, 204);
  mock.timers.tick(10_000);
  assert.equal(silences, 0);
  kernel.ask({ kind: "open" });
  mock.timers.tick(3000);
  assert.equal(silences, 1);
  kernel.ask({ kind: "open" });
  heard.comm_live_update(); // the kernel is lost, not busy
  mock.timers.tick(3000);
  assert.equal(silences, 1);
});
