// The lecturer's notes on a second screen: what to say, the next key, and the answer.

import { Poll, ask } from "./client.js";
import { h, say } from "../base/dom.js";
import { summaryOf } from "./picture.js";

/**
 * Return the next key, and what it does.
 * @param {{stop: string, next: string, phase: string, plan: string, question?: any, shown: {lesson?: string, watched?: string}}} state
 * @returns {[key: string, does: string]}
 */
export function nextKey({ stop, next, phase, plan, shown }) {
  const after = next === "search" ? "let everyone search" : next ? `go to lesson ${next}` : plan ? "end the plan" : "go to the next lesson";
  if (stop === "join") return ["page down", plan ? `hide the address and begin` : "hide the address (C shows it)"];
  if (phase === "searching") return ["page down", next ? after : "end the searches"];
  const { lesson } = shown;
  if (phase === "asking" || phase === "closed") return ["page down", "show the answer (or A)"];
  if (!lesson) return phase === "revealed" ? ["page down", "end the question"] : ["Q", "ask about the next call"];
  if (phase === "revealed") return ["page down", after];
  return shown.watched ? ["page down", "ask the question (or Q)"] : ["page down", "play what the class sees before the question"];
}

/** Return what to say now. @param {any} state */
export function wordsOf({ phase, say: planned, after, text, question, sentence, shown }) {
  if (phase === "revealed") return after ?? sentence ?? "";
  if (phase === "asking") return `Read the question aloud: “${question.words}” Wait until most have bet.`;
  return planned ?? text ?? shown?.sentence ?? "Open a page, press F to present, and C to show the address.";
}

/** @param {any} state */
export function answerWords({ question, found, expect, phase, experiment }) {
  if (experiment) return "Nearly all partial searches with k₁ from 1 to 10 and M₁ from 100 on end lower. With M₁ = 5, about half. With all centres as k₁ there are only ties.";
  if (question && found) return found;
  if (question) return "The run will show it.";
  return expect && phase !== "revealed" ? expect : expect ?? "";
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
  const more = h("p", { class: "told" }, "Other keys: space plays or pauses, C address, Q ask, A answer, E everyone searches.");
  document.getElementById("notes")?.append(title, h("h2", {}, "Next key"), key, h("h2", {}, "Say"), words, h("h2", {}, "Answer, for you alone"), answer, people, more, board, reset);
  /** @param {any} state */
  const show = (state) => {
    const [pressed, does] = nextKey(state);
    const stop = state.stop === "join" ? "Join" : state.stop === "search" ? "Everyone searches" : `Lesson ${state.stop}: ${state.title ?? ""}`;
    say(title, `${stop}${state.minutes ? ` (${state.minutes} min)` : ""}`);
    key.replaceChildren(h("kbd", {}, pressed), `: ${does}`);
    say(words, wordsOf(state).replace(/\s+/g, " ").trim());
    say(answer, answerWords(state) || "Nothing is asked.");
    const bets = state.question ? `${state.bets.length} have bet. ${summaryOf({ seeds: [], ...state, hues: [] })}` : "";
    say(people, `${state.people} ${state.people === 1 ? "person" : "people"}. ${bets}`);
    board.setAttribute("aria-pressed", String(state.board));
  };
  return new Poll(new URL("class/notes", base), show, () => say(key, "Waiting for the class …"));
}

if (globalThis.document?.getElementById("notes")) start();
