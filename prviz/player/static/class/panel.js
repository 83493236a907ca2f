// The class on the projector: the address for phones, bets as dots, the answer, and the searches by everyone.

import { answerOf, bestOfClass, kindAfter, questionOver } from "./questions.js";
import { Poll, ask, rest } from "./client.js";
import { unbroken } from "./forms.js";
import { Searches } from "./searches.js";
import { h, say } from "../base/dom.js";
import { pictureOf } from "./picture.js";

const REPORT = 1000; // milliseconds between reports to the notes
const ONWARD = 3000; // duration in milliseconds of the playback up to the answer
const PAUSE = 1500; // milliseconds after an answer in which Page Down does nothing, because it was meant to skip to the answer
const BEGINS = 5000; // longest wait in milliseconds until that playback begins, in a lesson

export class ClassPanel {
  /** @type {any} the last state of the class */ state = null;
  joining = false; // whether the address covers the picture
  revealing = false; // whether the run plays to the answer
  watched = ""; // the lesson whose run Page Down has played
  going = ""; // the lesson that the page is loading
  answered = -Infinity; // the time of the last answer
  eager = false; // whether Page Down was pressed before that lesson was loaded
  reported = "";
  plan = ""; // the lesson plan, which a restarted server does not know
  /** @type {import("./questions.js").Open | null} the question about the run */ open = null;

  /** @param {Theatre} theatre @param {string} join the address for phones */
  constructor(theatre, join) {
    this.theatre = theatre;
    this.join = join;
    this.searches = new Searches();
    this.title = h("h2", { class: "pv-class-words" });
    this.picture = h("div", { class: "pv-class-picture" });
    this.said = h("p", { class: "pv-class-said", role: "status" });
    this.code = h("img", { class: "pv-class-code", alt: "QR code of the address", src: `${this.at("code.svg")}?of=${encodeURIComponent(join)}` });
    this.address = h("p", { class: "pv-class-address" });
    this.leaders = h("p", { class: "pv-class-leaders" });
    this.node = h("section", { class: "pv-classroom", "aria-label": "Class", hidden: true },
      this.title, this.code, this.address, this.picture, this.searches.node, this.said, this.leaders);
    this.observer = new ResizeObserver(() => this.draw());
    for (const node of [this.node, this.picture]) this.observer.observe(node);
    this.poll = new Poll(this.at("projector"), (state) => this.take(state), (failures) => failures === 2 && theatre.tell("The class's server does not answer. Trying again …"));
    this.reporting = setInterval(() => this.report(), REPORT);
  }

  /** @param {string} path */
  at(path) {
    return new URL(`class/${path}`, new URL(this.theatre.base, document.baseURI));
  }

  close() {
    clearInterval(this.reporting);
    this.poll.close();
    this.observer.disconnect();
    this.searches.close();
    this.node.remove();
    delete this.theatre.root.dataset.class;
  }

  /** Return the name that links use for the lesson of this page; empty on other pages. */
  get lesson() {
    return this.theatre.params.lesson ?? "";
  }

  get phase() {
    return this.state?.phase ?? "waiting";
  }

  /** @param {any} state */
  take(state) {
    const former = this.state, first = !former;
    if (first && state.plan && state.stop === "join") this.joining = true;
    this.state = state;
    this.plan = state.plan || this.plan;
    if (first) this.rewind();
    else if (former.server !== state.server) this.restore(former.phase);
    this.draw();
  }

  /** After a restart of the server, send the plan again, and ask the open question again. @param {string} phase the phase before the restart */
  restore(phase) {
    const { theatre, lesson, open } = this;
    this.report();
    if (phase === "searching") this.search();
    else if (phase !== "asking" && phase !== "closed") return;
    else if (lesson) this.lead("ask", { lesson });
    else if (open) this.lead("ask", { question: questionOver(open.of, open.call, theatre.projector.engine) });
  }

  /** Return to the beginning of a lesson's run, so that Page Down can play it. */
  rewind() {
    const { playback, projector } = this.theatre;
    if (!this.lesson || this.phase !== "waiting" || playback.mode !== "paused" || !projector?.film) return;
    playback.seek(projector.engine.first, "start");
    this.theatre.wake(true);
  }

  /** Record that another run is shown, because the page may have loaded the next lesson. */
  arrived() {
    if (!this.going || this.going !== this.lesson) return;
    this.going = "";
    this.draw();
    this.report();
    if (this.eager) this.watch();
    this.eager = false;
  }

  /** Send the page, the lesson and the sentence below the picture to the lecturer's notes. */
  report() {
    const { theatre, joining, lesson } = this;
    if (!this.state || this.going) return;
    const told = { page: theatre.page ?? "", plan: this.plan, lesson, sentence: theatre.narrator.sentence ?? "", watched: this.watched === lesson ? "1" : "", joining: joining ? "1" : "" };
    const now = JSON.stringify([told, this.state.session]);
    if (now === this.reported) return;
    this.reported = now;
    ask(this.at("shown"), { body: told });
  }

  /** Send a request of the lecturer; return true if it succeeded. @param {string} name @param {any} [body] */
  async lead(name, body = {}) {
    const { status, found } = await ask(this.at(name), { body });
    if (status !== 200) this.theatre.tell(found?.message ?? "The class's server does not answer. Try again.");
    return status === 200;
  }

  // Keys

  /** Perform the action of a key; return false before the first answer of the server. @param {string} key */
  press(key) {
    if (!this.state) return false;
    if (key === "c") this.toggleJoin();
    else if (key === "q") this.ask();
    else if (key === "a") this.reveal();
    else this.search();
    return true;
  }

  /** Do the next step of a class, after Page Down; return false if there is none. @param {Direction} direction */
  step(direction) {
    if (!this.state || direction < 0) return false;
    const { phase, lesson } = this;
    if (performance.now() - this.answered < PAUSE) return true;
    if (this.joining) this.toggleJoin();
    else if (this.going) this.eager = true;
    else if (phase === "ended") this.theatre.tell("This is the end of the lesson plan. Press Escape to leave.");
    else if (phase === "asking" || phase === "closed") this.reveal();
    else if (phase === "searching") this.goOn();
    else if (phase === "revealed" && lesson) this.goOn();
    else if (phase === "revealed") this.lead("dismiss");
    else if (!lesson) return false;
    else if (this.watched !== lesson) this.watch();
    else this.ask();
    return true;
  }

  toggleJoin() {
    this.joining = !this.joining;
    this.draw();
    this.report();
  }

  /** Play the run of a lesson from its beginning up to the question. */
  watch() {
    const { theatre, lesson } = this;
    this.watched = lesson;
    theatre.projector.play();
    theatre.wake(true);
    this.report();
  }

  /** Open the lesson's question; on other pages, open a question of the next kind about the run. */
  async ask() {
    const { theatre, lesson, open, phase } = this;
    this.joining = false;
    if (lesson) {
      this.watched = lesson;
      if (await this.lead("ask", { lesson })) theatre.onEvent({ name: "class" });
      return;
    }
    const { playback, projector } = theatre;
    if (!playback.call) return theatre.tell("Press Run first. Then Q asks about the next call.");
    playback.mode = "paused";
    const again = open && phase === "asking" && open.call === playback.call;
    const of = kindAfter(again ? open.of : null, playback.call, projector.engine);
    this.open = { of, call: playback.call };
    await this.lead("ask", { question: questionOver(of, playback.call, projector.engine) });
    theatre.wake(true);
  }

  /** Play to the answer, then reveal it. A second call in the meantime reveals it at once. */
  async reveal() {
    const { theatre, lesson, phase } = this;
    if (phase !== "asking" && phase !== "closed") return theatre.tell("Press Q to ask a question first.");
    if (this.revealing) return this.finish();
    if (!lesson) return this.playOn();
    this.revealing = true;
    this.lead("close");
    this.result = {};
    const bets = this.state.bets.map((/** @type {[number, any]} */ [, bet]) => bet);
    theatre.onEvent({ name: "class", bet: bestOfClass(this.state.question, bets) ?? fallback(this.state.question) });
    for (let waited = 0; waited < BEGINS && !theatre.playback.onward && this.revealing; waited += 200) await rest(200);
    if (!theatre.playback.onward) this.finish();
  }

  /** Play the shown run to the answer. */
  playOn() {
    const { theatre, open } = this;
    const { playback, projector } = theatre;
    const found = open && answerOf(open, projector.engine);
    if (!found) return theatre.tell("The search has not reached the answer yet. Press Run, or wait, then press A again.");
    this.result = { answer: found.answer, found: `This run: ${[found.answer].flat().join(", ")}${Array.isArray(found.answer) ? " %" : ""}.` };
    this.revealing = true;
    this.lead("close");
    if (open.of === "winner" || open.of === "curve") return this.finish();
    playback.playOn(playback.still ? found.until : open.call, found.until, ONWARD);
    return theatre.wake(true);
  }

  /** Reveal the answer that the run has reached. Return true if the page needs no event, because it has no lesson. */
  reached() {
    if (!this.revealing) return false;
    this.finish();
    return !this.lesson;
  }

  finish() {
    if (!this.revealing) return;
    this.revealing = false;
    this.answered = performance.now();
    this.lead("reveal", this.result);
  }

  /** Let everyone run a search on this problem. */
  search() {
    this.joining = false;
    this.theatre.tell("Preparing the search for all phones …");
    this.lead("search", this.lesson ? { lesson: this.lesson } : { run: this.theatre.projector?.source.id });
  }

  /** Go to the next stop of the plan, or the next lesson. */
  async goOn() {
    const { next, plan, phase } = this.state;
    if (next === "search") return this.search();
    if (plan && !next) return this.lead("end");
    if (!plan && phase === "searching") return this.lead("dismiss");
    this.going = next;
    this.draw();
    if (await this.lead("dismiss", { lesson: next })) this.theatre.onEvent({ name: "class", next });
    else this.going = "";
  }

  // The picture

  draw() {
    const { state, theatre, node } = this;
    const showing = this.joining ? "join" : this.going ? "next" : state?.experiment ? "search" : state?.question ? "question" : "";
    node.hidden = !showing || !theatre.presenter.on;
    theatre.root.dataset.class = node.hidden ? "" : showing;
    if (node.hidden) return;
    node.dataset.shows = showing;
    const colours = theatre.scene.view.colours;
    const { people } = state;
    say(this.leaders, state.leaders?.length ? `Most often right: ${state.leaders.map((/** @type {[string, number]} */ [name, right]) => `${name} (${right})`).join(", ")}` : "");
    if (showing === "join") {
      say(this.title, "Join with your phone");
      say(this.address, this.join.replace(/^http:\/\//, ""));
      say(this.said, `${people} ${people === 1 ? "person is" : "people are"} here.`);
    } else if (showing === "next") {
      say(this.title, `Lesson ${this.going}`);
      say(this.said, "");
    } else if (showing === "search") {
      say(this.title, `${this.phase === "ended" ? "This class" : "Everyone searches"}: ${state.experiment.title}`);
      say(this.said, `${state.experiment.results.length} of ${people} ${people === 1 ? "has" : "have"} searched: ${state.experiment.work} iterations for each search.`);
      this.searches.show(state.experiment, state.hues, colours);
    } else {
      say(this.title, state.question.words);
      const { clientWidth: width, clientHeight: height } = this.picture;
      if (width && height) this.picture.replaceChildren(pictureOf(state, width, height, colours));
      say(this.said, state.phase !== "revealed" ? `${state.bets.length} of ${people} ${people === 1 ? "has" : "have"} bet.`
        : unbroken(`${state.right.length} of ${state.bets.length} ${state.bets.length === 1 ? "was" : "were"} right. ${state.found}${this.lesson ? "" : " For other seeds, press E (everyone searches)."}`));
    }
  }
}

/** Return a valid bet for a class without bets, because a lesson continues only after a bet. @param {import("./forms.js").Question} question */
function fallback({ kind, choices, marks }) {
  return kind === "word" ? choices[0] : kind === "number" ? 0 : marks.map(() => 0);
}
