// A page of the static site, whose configuration names the kind of page and its data.

import { drawCharts } from "./chart.js";
import { need, partOf, payloadOf } from "./data.js";
import { LessonPage } from "./lesson.js";

/** @type {Record<string, (config: any) => any>} */
const PAGES = {
  home: async (config) => live(config, { compact: true, autoplay: true, alone: true }),
  problem: async (config) => live(config, { view: globalThis.prviz.remembered() }),
  figures: async () => drawCharts(await need("figures")),
  learn: async () => new LessonPage(await need("lessons")),
};

/** @param {any} config @param {Record<string, any>} kind */
async function live(config, kind) {
  const host = /** @type {HTMLElement} */ (document.getElementById("live"));
  const controls = document.getElementById("controls");
  globalThis.livePage = await globalThis.prviz.openLivePage(host, await payloadOf(config), { ...kind, controls });
}

globalThis.prviz.locateParts(partOf);
for (const node of document.querySelectorAll("[tabindex='0']")) node.addEventListener("keydown", (event) => event.stopPropagation()); // arrow keys scroll the list
const { kind, ...config } = JSON.parse(document.getElementById("config")?.textContent ?? "{}");
PAGES[kind](config);
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("sw.js").catch(() => {}); // only needed offline
