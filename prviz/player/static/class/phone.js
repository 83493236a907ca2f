// The page of a phone, on which people join, bet, see the answer, and run a search.

import { ask, pauseAfter, rest } from "./client.js";
import { formOf, told, unbroken } from "./forms.js";
import { h } from "../base/dom.js";
import { searchForm } from "./own_search.js";

const KEY = "prviz-class";
const WAITING = "Waiting for the class …";
const BASE = new URL(document.documentElement.dataset.base ?? "/", location.href);
const at = (/** @type {string} */ path) => new URL(path, BASE);

/** @typedef {{id?: string, place?: number}} Kept */

/** The id and place of this phone. If the browser forbids storage, they last as long as the page. @type {Kept} */
let kept = {};
try {
  kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
} catch { /* the browser stores nothing */ }

/** @param {Kept} values */
function keep(values) {
  kept = values;
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch { /* the browser stores nothing */ }
}

const who = h("p", { class: "who" });
const status = h("p", { class: "told", role: "status" }, WAITING);
const body = h("div");
const title = h("h1", {}, "Join the class");
document.getElementById("phone")?.append(who, title, body, status);

let mark = "", drawn = "";
/** @type {any} */ let shown = null;
let aborter = new AbortController();

/** Join, then show every change of the class; wait if there is no server. */
async function run() {
  for (let failures = 0; ;) {
    const reply = await (kept.id ? poll(kept.id) : ask(at("class/join"), { body: { place: kept.place } })).catch(() => null);
    if (!reply) continue; // the phone has woken up, so send a new request
    const { status: code, found } = reply;
    if (code === 200) {
      failures = 0;
      if (found.id) keep({ id: found.id, place: found.place });
      show(found);
    } else if (code === 403) {
      keep({ place: kept.place }); // join the new class
      drawn = mark = "";
    } else if (code === 204) await rest(5000); // another tab of this phone has replaced this request
    else {
      status.textContent = code === 503 ? found.message : WAITING;
      await rest(pauseAfter(++failures));
    }
    while (document.hidden) await rest(500);
  }
}

/** @param {string} id */
function poll(id) {
  const there = at("class/phone");
  there.searchParams.set("since", mark);
  return ask(there, { id, signal: aborter.signal });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  aborter.abort(); // the connection may have ended while the phone slept
  aborter = new AbortController();
});

/** @param {any} state */
function show(state) {
  mark = state.mark;
  shown = state;
  who.replaceChildren(h("span", { class: "dot", style: `background:${state.hue}` }), `You are the ${state.name}`);
  const now = JSON.stringify([state.number, state.phase, state.session]);
  if (now !== drawn) { // keep typed text while nothing changes
    drawn = now;
    fill(state);
  }
  for (const button of body.querySelectorAll("button[aria-pressed]")) button.setAttribute("aria-pressed", String(button.textContent === state.bet));
  say(state);
}

/** @param {any} state */
function fill({ phase, question, experiment, number }) {
  title.textContent = question?.words ?? experiment?.title ?? "Look at the projector";
  if (phase === "asking") body.replaceChildren(...formOf(question, shown.bet, bet));
  else if (experiment) body.replaceChildren(...searchForm({ at, id: () => kept.id ?? "", experiment, number, place: shown.place, done: show, say: (text) => (status.textContent = text) }));
  else body.replaceChildren();
}

/** @param {any} state */
function say({ phase, question, bet: placed, right, found, experiment, result }) {
  status.className = right ? "right" : "told";
  const yours = placed == null ? "" : `Your bet: ${told(question, placed)}. `;
  if (phase === "asking") status.textContent = yours ? `${yours}You can change it until the answer.` : "Place your bet.";
  else if (phase === "closed") status.textContent = `${yours}The answer comes now.`;
  else if (phase === "revealed") status.textContent = `${right ? "You were right! " : right === false ? "Not this time. " : ""}${yours}${unbroken(found)}`;
  else if (experiment) status.textContent = result ? "Your dots are on the projector. You can search again." : "Choose two values, then search.";
  else status.textContent = phase === "ended" ? "The lesson has ended. You can close this page." : "The next question appears here.";
}

/** @param {import("./forms.js").Bet} value */
async function bet(value) {
  status.textContent = "Sending …";
  const { status: code, found } = await ask(at("class/bet"), { id: kept.id, body: { number: shown.number, bet: value } });
  if (code === 200) show(found);
  else status.textContent = found?.message ?? "Your bet did not arrive. Try again.";
}

run();
