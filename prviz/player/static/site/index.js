// Start a page of the static site. Its configuration contains the kind of page and the names of its data.

import { drawCharts } from "./chart.js";
import { need, payloadOf, player } from "./data.js";
import { LessonPage } from "./lesson.js";

/** @type {Record<string, (config: any) => any>} */
const PAGES = {
  home: async (config) => live(config, () => ({ compact: true, autoplay: true, alone: true })),
  problem: async (config) => live(config, ({ remembered }) => ({ view: remembered() })),
  figures: async () => drawCharts(await need("figures")),
  learn: async () => new LessonPage(await need("lessons")),
};

/** @param {any} config @param {(prviz: typeof globalThis.prviz) => Record<string, any>} kindOf */
async function live(config, kindOf) {
  const host = /** @type {HTMLElement} */ (document.getElementById("live"));
  const controls = document.getElementById("controls");
  const [prviz, payload] = await Promise.all([player(), payloadOf(config)]);
  globalThis.livePage = await prviz.openLivePage(host, payload, { ...kindOf(prviz), controls });
}

for (const node of document.querySelectorAll("[tabindex='0']")) node.addEventListener("keydown", (event) => event.stopPropagation()); // arrow keys scroll the node, and do not reach the player
const { kind, ...config } = JSON.parse(document.getElementById("config")?.textContent ?? "{}");
PAGES[kind](config);
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("sw.js").catch(() => {}); // ignore errors, because only offline pages need the service worker
