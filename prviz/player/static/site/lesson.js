// A lesson: a text, a search up to the bet, the rest of the search, and the answers of 100 seeds.

import { bets, compared, keep, told } from "./bets.js";
import { drawChart } from "./chart.js";
import { form } from "./question.js";
import { h } from "../base/dom.js";
import { payloadOf, player } from "./data.js";

/** @import { Bet } from "./bets.js" */
/** @typedef {import("./chart.js").Chart} Chart */
/** @typedef {{link: string, name: string, title: string, text: string, after?: string, tries?: string, unlocked?: string[], question?: import("./bets.js").Question, live?: any, seen: number, answers: import("./bets.js").Answers, chart: Chart, searches?: Chart, searched?: string}} Lesson */

const HIGH = 240; // pixels of a chart

export class LessonPage {
  /** @type {any} the live page */ live = null;
  revealed = false;

  /** @param {Lesson[]} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    const named = new URLSearchParams(location.search).get("lesson") ?? "";
    this.at = Math.max(0, lessons.findIndex(({ link, name }) => [link, name, name.replace(/^\d+-/, "")].includes(named)));
    this.lesson = lessons[this.at];
    this.words = h("div", { class: "lesson-words" });
    this.note = h("div", { class: "note" });
    this.host = h("div", { class: "live" });
    this.controls = h("div", { class: "prviz controls" });
    this.forget = h("button", { type: "button", class: "quiet", onclick: () => {
      keep();
      location.reload();
    } }, "Forget my bets");
    const { title, question } = this.lesson;
    document.title = `${title} · prviz`;
    const heading = h("div", { class: "title" }, h("h1", {}, title), h("p", {}, `Lesson ${this.at + 1} of ${lessons.length}`));
    const run = h("div", { class: "lesson-run" }, this.host, this.note, this.controls);
    const body = h("div", { class: question ? "lesson" : "lesson alone" }, this.words, ...question ? [run] : []);
    const place = /** @type {HTMLElement} */ (document.getElementById("lesson"));
    place.replaceChildren(heading, body);
    place.hidden = false;
    this.mark();
    this.open();
  }

  /** @returns {Bet | undefined} */
  get bet() {
    return bets()[this.lesson.name];
  }

  /** Show the search up to the question; after the bet, show the whole search. */
  async open() {
    const { question, live, seen } = this.lesson;
    if (!question) return this.tell(part(this.lesson.text), this.ownData());
    this.revealed = this.bet !== undefined;
    this.show();
    const [prviz, payload] = await Promise.all([player(), payloadOf(live)]);
    const kind = { page: null, view: prviz.remembered(), whole: true, alone: true, controls: this.controls, most: this.revealed ? Infinity : seen, onEvent: (/** @type {{name: string}} */ event) => this.on(event) };
    globalThis.livePage = this.live = await prviz.openLivePage(this.host, payload, kind);
    this.hold();
  }

  /** Write the text of the present state. */
  show() {
    const { lesson, bet } = this;
    const { question, answers, text } = lesson;
    if (!question) return;
    const asked = h("p", {}, h("strong", {}, question.words));
    if (bet === undefined) {
      this.tell(part(text), h("p", {}, h("strong", {}, "Your bet. "), question.words), form(question, answers, (made) => this.take(made)));
    } else if (!this.revealed) {
      const button = h("button", { type: "button", class: "primary", onclick: () => this.reveal() }, "Show the answer");
      this.tell(asked, h("p", { role: "status" }, `${told(question, bet)} Watch the run continue.`), button);
    } else {
      this.tell(asked, ...this.answer(bet));
      const [figure, side] = /** @type {NodeListOf<HTMLElement>} */ (this.words.querySelectorAll(".chart"));
      drawChart(figure, withBet(lesson.chart, bet, question.marks), HIGH);
      if (lesson.searches) drawChart(side, lesson.searches, HIGH);
    }
    const tries = bet === undefined ? "<p>Place your bet to unlock the controls.</p>" : lesson.tries ?? "";
    this.note.replaceChildren(part(tries));
  }

  /** @param {Bet} bet */
  answer(bet) {
    const { question, answers, searches, searched, after = "", text } = this.lesson;
    const summary = compared(/** @type {import("./bets.js").Question} */ (question), answers, bet);
    const figure = h("div", { class: "chart", role: "img", "aria-label": summary });
    const side = h("div", { class: "chart", role: "img", "aria-label": searched ?? "" });
    return [h("p", { role: "status", tabindex: "-1" }, summary), figure, ...searches ? [side] : [], h("p", { class: "caption" }, answers.caption), part(after),
      h("details", {}, h("summary", {}, "Show the text again"), part(text))];
  }

  /** @param {...HTMLElement} parts */
  tell(...parts) {
    const { lessons, at, bet, lesson } = this, next = lessons[at + 1];
    const label = bet !== undefined || !lesson.question ? `Next: ${next?.title}` : "Skip this lesson";
    const onward = next ? [h("p", { class: "next" }, h("a", { href: `learn.html?lesson=${next.link}` }, label))] : [];
    this.words.replaceChildren(...parts, ...onward, ...Object.keys(bets()).length ? [this.forget] : []);
  }

  /** @param {Bet} bet */
  take(bet) {
    keep(this.lesson.name, bet);
    this.show();
    this.words.querySelector("button")?.focus();
    const { live, lesson: { seen, answers } } = this;
    if (!live) return this.reveal();
    live.most = Infinity;
    const { calls } = live.sliders.values;
    live.show(live.sliders.values, { onward: { from: seen, until: Math.min(answers.call || calls, calls) } });
  }

  reveal() {
    const focused = this.words.contains(document.activeElement); // the new text removes the focused button
    this.revealed = true;
    if (this.live) this.live.whole = false;
    this.show();
    if (focused) /** @type {HTMLElement | null} */ (this.words.querySelector("[role=status]"))?.focus();
    this.hold();
    this.mark();
  }

  /** Lock the controls that no lesson has unlocked yet; before the bet, lock all controls. */
  hold() {
    const { live, lesson: { unlocked = [] } } = this;
    if (!live) return;
    const names = live.sliders.controls.map((/** @type {{name: string}} */ { name }) => name);
    live.sliders.hold({ lock: names.filter((/** @type {string} */ name) => !this.revealed || !unlocked.includes(name)).join(",") });
  }

  /** Handle an event of the player. @param {{name: string}} event */
  on({ name }) {
    if (name === "seen" && !this.revealed) this.reveal();
  }

  /** Mark the present lesson and the lessons with a bet in the list. */
  mark() {
    document.querySelectorAll(".steps a").forEach((link, i) => {
      link.toggleAttribute("data-done", this.lessons[i].name in bets());
      if (i === this.at) link.setAttribute("aria-current", "page");
    });
  }

  ownData() {
    return h("p", {}, "Your own data need Python: ", h("a", { href: "index.html#python" }, "start the app"), ".");
  }
}

/** Return HTML from Python as a node. @param {string} html */
function part(html) {
  const node = h("div");
  node.innerHTML = html;
  return node;
}

/** Return a chart of answers with the bet. @param {Chart} chart @param {Bet} bet @param {number[]} marks @returns {Chart} */
function withBet(chart, bet, marks) {
  const mine = { name: "you", color: "#7A76C9", mode: "lines", width: 3 };
  if (Array.isArray(bet)) return { ...chart, traces: [...chart.traces.filter(({ name }) => name !== "you"), { ...mine, x: marks, y: bet, mode: "lines+markers" }] };
  if (typeof bet === "number") {
    const [, top] = chart.y.range ?? [0, 1];
    return { ...chart, traces: [...chart.traces, { ...mine, x: [bet, bet], y: [0, top / 1.1] }] };
  }
  const traces = chart.traces.map((trace) => (trace.y[0] !== bet ? trace : { ...trace, color: mine.color,
    text: String(trace.text).includes("←") ? String(trace.text).replace("←", "← you,") : `${trace.text} ← you` }));
  return { ...chart, traces };
}
