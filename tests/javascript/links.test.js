// Tests of share/links.js: the contents of a link, and whether a run matches it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { linkParams, queryOf, traceNotice } from "../../prviz/player/static/share/links.js";

const PARAMS = { k1: "1", budget: "seconds", seconds: "2", trace: "00c0ffee00c0ffee" };
const engine = (more) => ({ active: false, calls: 300, head: { hash: "0123456789abcdef" }, ...more });

test("`linkParams` contains calls and trace of a finished run", () => {
  assert.deepEqual(linkParams(PARAMS, engine()),
    { k1: "1", budget: "calls", seconds: "2", calls: "300", trace: "0123456789abcdef" });
});

test("`linkParams` keeps the budget of a continuing run", () => {
  assert.deepEqual(linkParams(PARAMS, engine({ active: true })), { k1: "1", budget: "seconds", seconds: "2" });
});

test("`queryOf` encodes all characters except commas", () => {
  assert.equal(queryOf({ levels: "2x7,9", text: "a & b = 100 %" }), "levels=2x7,9&text=a+%26+b+%3D+100+%25");
});

test("`traceNotice` compares a run with its link", () => {
  const { trace } = PARAMS;
  assert.equal(traceNotice({ calls: "300" }, engine()), null);
  assert.match(traceNotice({ trace }, engine({ head: { hash: trace } })).text, /^This run equals the linked run: trace 00c0ffee00c0ffee\.$/);
  const { text } = traceNotice({ trace, calls: "300" }, engine());
  assert.match(text, /^This run differs .*had trace 00c0ffee00c0ffee\. This run has 0123456789abcdef\. /);
  assert.match(traceNotice({ trace, calls: "400" }, engine()).text, /0123456789abcdef and was stopped early\. /);
});
