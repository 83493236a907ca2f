// Tests of scene/scene.js and base/shades.js: the size of marks and labels in small pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SHADES_SWATCH, boxOf, labelSize, titleAbove } from "../../prviz/player/static/base/shades.js";
import { spinWords } from "../../prviz/player/static/scene/lattice.js";
import { LAYERS } from "../../prviz/player/static/scene/layers.js";
import { View } from "../../prviz/player/static/scene/scene.js";

const PHONE = { width: 158, height: 158 }, ZOOMED = { width: 138, height: 192 }, DESK = { width: 600, height: 420 };
const CAPITAL = 0.73; // height of a capital letter, as a multiple of the font size

/** Return a view without a legend. @param {{width: number, height: number}} size */
const viewOf = (size) => Object.assign(new View(0), size, { colours: { small: 12, font: "sans" } });

test("marks and labels are smaller in a small picture", () => {
  assert.deepEqual([DESK, PHONE].map((size) => viewOf(size).marks), [1, 0.55]);
  assert.deepEqual([DESK, PHONE].map((size) => labelSize(viewOf(size)).toFixed(1)), ["12.0", "9.4"]);
  assert.equal(Object.assign(viewOf(PHONE), { zoom: 4 }).marks, 1);
  assert.equal(labelSize(Object.assign(viewOf(PHONE), { least: 1 })), 12); // the picture of a card
  assert.ok(viewOf({ width: 240, height: 240 }).marks > 0.8);
});

test("the titles of an HMM's matrices do not touch the string above them", () => {
  for (const size of [PHONE, ZOOMED, DESK]) {
    const view = viewOf(size), string = boxOf([0, 0.53, 1, 0.93], view); // as in prviz/scenes/hmm.py
    const box = boxOf([0.1, 0.055, 0.5, 0.455], view);
    /** @type {number[]} */
    const tops = [];
    const g = { font: "", fillText: (text, x, y) => tops.push(y - CAPITAL * Number.parseFloat(g.font)) };
    titleAbove(g, view, box, "A");
    assert.ok(tops[0] > string.y + string.height, `${size.width} px`);
  }
});

test("no mark of a legend depends on another legend, which can be hidden", () => {
  assert.doesNotMatch(SHADES_SWATCH, /url\(|id=/);
});

test("the text above a spin glass has the same width for all configurations", () => {
  const text = (/** @type {number} */ energy, /** @type {number[]} */ spins) => {
    let written = "";
    const g = { measureText: () => ({ width: 1 }), fillRect() {}, fillText: (/** @type {string} */ what) => (written = what), beginPath() {}, stroke() {}, fill() {}, save() {}, restore() {} };
    spinWords(g, viewOf(DESK), { channel: "spins", energy: "energy", frustrated: "share" }, { spins, energy: [energy], share: [0.25] });
    return written;
  };
  const half = [1, 0, 1, 0];
  assert.match(text(-5.2, half), /^energy per spin −1\.30 · magnetisation 0\.00 · /);
  assert.match(text(-0.00875, [1, 1, 1, 0]), /^energy per spin 0\.00 · magnetisation 0\.50 · /);
});

test("frames of clusters do not overlap in a small picture", () => {
  for (const size of [PHONE, DESK]) {
    const view = viewOf(size), apart = 0.16; // distance of neighbouring clusters of the A3-like points, as a share of the picture
    /** @type {number[]} */
    const widths = [];
    const g = { beginPath() {}, setLineDash() {}, stroke() {}, roundRect: (x, y, width) => widths.push(width), arc() {} };
    const layer = LAYERS.truth({ asset: "truth", channel: "claims", label: "centre" }, { truth: new Uint16Array(2).buffer });
    layer.draw(g, view, { before: null, after: { claims: [2] }, t: 1 });
    assert.ok(widths[0] < apart * view.scale, `${size.width} px`);
  }
});
