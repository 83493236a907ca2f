// The lecturer's notes on a second screen: the text to say, the next key, and the answer.

import { Poll, ask } from "./client.js";
import { h, say } from "../base/dom.js";
import { summaryOf } from "./picture.js";

/**
 * Return the next key and its action.
 * @param {{stop: string, next: string, phase: string, plan: string, question?: any, shown: {page?: string, lesson?: string, watched?: string}}} state
 * @returns {[key: string, does: string]}
 */
export function nextKey({ stop, next, phase, plan, shown }) {
  const after = next === "search" ? "let everyone search" : next ? `go to lesson ${next}` : plan ? "end the plan" : "go to the next lesson";
  if (stop === "join") return ["page down", `hide the address${next ? ` and show lesson ${next}` : ""} (C shows it again)`];
  if (phase === "ended") return ["Escape", "leave presentation mode (the plan has ended)"];
  if (phase === "searching") return ["page down", next ? after : "end the searches"];
  const { lesson } = shown;
  if (!lesson && !shown.page) return ["none yet", "open a lesson on the projector with the lecturer's link"];
  if (phase === "asking") return ["page down", "show the answer (or A)"];
  if (phase === "closed") return ["page down", "skip to the answer"];
  if (!lesson) return phase === "revealed" ? ["page down", "end the question"] : ["Q", "ask about the next call"];
  if (phase === "revealed") return ["page down", after];
  return shown.watched ? ["page down", "ask the question (or Q)"] : ["page down", "play the run up to the question"];
}

const STOPS = { "": "Notes", join: "Join", search: "Everyone searches", end: "End of the plan" };

/** Return the text that the lecturer says now. @param {any} state */
export function wordsOf({ phase, say: planned, ask: asked, after, text, question, shown }) {
  if (phase === "revealed" || phase === "ended") return after ?? shown?.sentence ?? "";
  if (phase === "searching") return [planned, asked, "Wait until most have searched."].filter(Boolean).join(" ");
  if (phase === "asking") return `Read the question aloud: “${question.words}” Wait until most have bet.`;
  if (phase === "closed") return "No more bets. Watch the run continue to the answer.";
  return planned ?? text ?? shown?.sentence ?? "Open a page, press F to present, and C to show the address.";
}

/** @param {any} state */
export function answerWords({ stop, question, found, asks, expect, experiment }) {
  if (stop === "join") return "";
  if (question) return found || "The run will show the answer.";
  if (experiment) return expect ?? "The interval shows whether partial ends lower.";
  return expect ? `${asks} ${expect}` : "";
}

function start() {
  const base = new URL(document.documentElement.dataset.base ?? "/", location.href);
  const title = h("h1", {}, "Notes");
  const words = h("p");
  const key = h("p", { class: "next", role: "status" });
  const answer = h("p");
  const people = h("p", { class: "told" });
  const board = h("button", { type: "button", "aria-pressed": "false", onclick: () => ask(new URL("class/board", base), { body: { on: board.getAttribute("aria-pressed") !== "true" } }) }, "Leader board");
  const reset = h("button", { type: "button", onclick: () => confirm("Start a new class? All bets are deleted.") && ask(new URL("class/reset", base), { body: {} }) }, "New class");
  const more = h("p", { class: "told" }, "Press keys in the projector's window. Other keys: space (play or pause), C (address), Q (ask), A (answer), E (everyone searches).");
  document.getElementById("notes")?.append(title, h("h2", {}, "Next key"), key, h("h2", {}, "Say"), words, h("h2", {}, "Answer, for you alone"), answer, people, more, board, h("div", { class: "apart" }, reset));
  /** @param {any} state */
  const show = (state) => {
    const [pressed, does] = nextKey(state);
    const stop = /** @type {Record<string, string>} */ (STOPS)[state.stop] ?? `Lesson ${state.stop}: ${state.title ?? ""}`;
    say(title, `${stop}${state.minutes && state.phase !== "ended" ? ` (${state.minutes} min)` : ""}`);
    key.replaceChildren(h("kbd", {}, pressed), `: ${does}`);
    say(words, wordsOf(state).replace(/\s+/g, " ").trim());
    say(answer, answerWords(state) || "There is no question.");
    const bets = state.question ? `${state.bets.length} ${state.bets.length === 1 ? "has" : "have"} bet. ${summaryOf({ seeds: [], ...state, hues: [] })}` : "";
    const searches = state.experiment ? `${state.experiment.results.length} ${state.experiment.results.length === 1 ? "has" : "have"} searched.` : "";
    say(people, `${state.people} ${state.people === 1 ? "person" : "people"}. ${bets}${searches}`);
    board.setAttribute("aria-pressed", String(state.board));
  };
  return new Poll(new URL("class/notes", base), show, () => say(key, "Waiting for the class …"));
}

if (globalThis.document?.getElementById("notes")) start();
