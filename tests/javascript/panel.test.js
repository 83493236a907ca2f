// Test of stage/panel.js: the panel beside the picture.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Panel } from "../../prviz/player/static/stage/panel.js";

test("a curve has the new colours if the theme changes while the curve is fetched", async () => {
  const shown = [], panel = Object.create(Panel.prototype, {
    drawn: { value: {}, writable: true },
    curve: { value: { whole: null } },
    show: { value: (figure, colours) => shown.push(colours) },
  });
  const source = {
    async curve() {
      panel.retheme("dark");
      return {};
    },
  };
  await panel.follow({ source, engine: { calls: 1 }, closed: false }, "", "light");
  assert.deepEqual(shown, ["dark"]);
});
