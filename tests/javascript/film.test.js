// Tests of run/film.js and run/source.js: frames decoded from bytes, and stored calls.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Film, Keyframes, Loader, decode } from "../../prviz/player/static/run/film.js";
import { InlineSource, readLine, readOpening } from "../../prviz/player/static/run/source.js";

const { layout, bytes } = JSON.parse(readFileSync(new URL("film.json", import.meta.url), "utf8"));
const film = Uint8Array.from(Buffer.from(bytes, "hex")).buffer;
const size = layout.frame_bytes;

/** Return a frame of the film: frames 0 to 3 are call 1, and frame 4 begins call 2. */
const frame = (index) => film.slice(index * size, (index + 1) * size);

/** Return the first frame of a call, or the last if `closes` is true. */
function frameOf(call, closes = false) {
  const made = frame(closes ? 3 : 0);
  new DataView(made).setUint32(0, call, true);
  return made;
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
}

test("decode() reads numbers, arrays and bits according to the layout", () => {
  const restart = decode(film, 0, layout);
  assert.deepEqual([restart.call, restart.sub, restart.event, restart.level], [1, 0, 1, 2]);
  assert.ok(Number.isNaN(restart.cost) && restart.best === Infinity);
  assert.deepEqual(restart.chosen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const kept = decode(film, 3 * size, layout);
  assert.deepEqual([kept.event, kept.iteration, kept.cost, kept.last, kept.newBest], [3, 1, 0.1, true, true]);
  assert.deepEqual([...kept.counters], [1, 0]);
  assert.deepEqual([...kept.places], [258, 65535]);
  assert.deepEqual([...kept.sign], [-1]); // an array, even with one value
  const next = decode(film, 4 * size, layout);
  assert.deepEqual(next.chosen, [0, 8]);
  assert.deepEqual([...next.checkpoints], [0.1, Infinity]);
});

test("a film stores whole calls and the last frame of the previous call", () => {
  const held = new Film(layout);
  assert.equal(held.add(joined([frameOf(6, true), frameOf(7), frameOf(7, true), frameOf(8)])), 2);
  assert.deepEqual(held.frames(7).map(({ sub }) => sub), [0, 3]);
  assert.equal(held.frames(6), null);
  assert.equal(held.closing(6).call, 6);
  assert.equal(held.closing(7).sub, 3);
  assert.equal(held.newest, 8);
});

test("a film drops the calls that were used least recently", () => {
  const held = new Film(layout, { maxCalls: 2 });
  held.add(joined([frameOf(1), frameOf(2)]));
  held.frames(1);
  held.add(frameOf(3));
  assert.deepEqual([1, 2, 3].map((call) => held.has(call)), [true, false, true]);
});

test("near() returns the nearest call with frames", () => {
  const held = new Film(layout, { held: new Set([300, 1, 50]) });
  assert.deepEqual([2, 50, 301].map((call) => held.near(call, 1)), [50, 50, 300]);
  assert.deepEqual([0, 49, 299].map((call) => held.near(call, -1)), [1, 1, 50]);
  assert.equal(new Film(layout).near(7, 1), 7);
});

test("keyframes are fetched once, and again after the server has thinned the list", async () => {
  const asked = [];
  let calls = [10, 20, 30], generation = 0;
  const source = {
    async keyframes(since) {
      asked.push(since);
      return { generation, buffer: joined(calls.slice(since).map((call) => frameOf(call, true))) };
    },
  };
  const keyframes = new Keyframes(layout, source);
  assert.equal(keyframes.nearest(5), null);
  await keyframes.refresh();
  assert.deepEqual([1, 14, 16, 99].map((call) => keyframes.nearest(call).call), [10, 10, 20, 30]);
  calls = [10, 20, 30, 40];
  await keyframes.refresh();
  assert.equal(keyframes.nearest(99).call, 40);
  [calls, generation] = [[20, 40, 60], 1];
  await keyframes.refresh();
  assert.deepEqual(keyframes.found.map(([call]) => call), [20, 40, 60]);
  assert.deepEqual(asked, [0, 3, 4, 0]);
});

test("a loader requests the first missing call, and retries after a failure", async () => {
  const asked = [], troubles = [];
  let lost = true;
  const source = {
    async frames(call, count) {
      asked.push([call, count]);
      if (lost) throw new Error("lost");
      return joined([frameOf(call), frameOf(call, true)]);
    },
  };
  const held = new Film(layout);
  held.add(joined([frameOf(1), frameOf(2)]));
  const loader = new Loader(source, held, { onData() {}, onTrouble: (_, pause) => troubles.push(pause) });
  const settled = () => new Promise((resolve) => { setTimeout(resolve); });
  loader.want(1, 1, 9);
  assert.deepEqual(asked, []); // calls 1 and 2 are already loaded
  loader.want(1, 4, 9);
  loader.want(1, 4, 9); // one request at a time
  await settled();
  assert.deepEqual([asked, troubles], [[[3, 5]], [400]]);
  loader.want(1, 4, 9);
  assert.equal(asked.length, 1); // no second request during the pause
  lost = false;
  loader.want(1, 4, 9, performance.now() + 500);
  await settled();
  assert.ok(held.has(3) && loader.failures === 0);
});

test("readOpening() reads a line of JSON, outcomes, frames and assets", async () => {
  const about = { layout, head: { state: "running", calls: 2 }, outcomes: 2, tags: { points: "tag" }, along: { points: 4 } };
  const line = new TextEncoder().encode(`${JSON.stringify(about)}\n`);
  const buffer = joined([line, Uint8Array.of(10, 1), frame(0), Uint8Array.of(1, 2, 3, 4)]);
  const [read] = readLine(buffer);
  assert.deepEqual(read, about);
  const opening = readOpening(buffer);
  assert.deepEqual([...opening.head.outcomes], [10, 1]);
  assert.equal(opening.frames.byteLength, size);
  assert.equal(decode(opening.frames, 0, layout).call, 1);
});

test("a replay in the page answers like a server", async () => {
  const frames = joined([3, 4, 5].flatMap((call) => [frameOf(call), frameOf(call, true)]));
  const outcomes = Uint8Array.of(10, 1, 9);
  const source = new InlineSource({ layout, assets: {}, frames, progress: { calls: 9 }, outcomes, curve: null });
  assert.deepEqual([source.first, source.held], [3, null]);
  const held = new Film(layout);
  assert.equal(held.add(await source.frames(4, 1)), 1);
  assert.deepEqual([held.closing(3).call, held.frames(4).length, held.has(5)], [3, 2, false]);
  const head = await source.progress(0);
  assert.deepEqual([head.state, head.calls, head.total], ["finished", 5, 9]);
  assert.deepEqual([...head.outcomes], [0, 0, 10, 1, 9]); // calls 1 and 2 are not in the file
  const { buffer } = await source.keyframes(1);
  assert.deepEqual([decode(buffer, 0, layout).call, buffer.byteLength], [4, 2 * size]);
});
