// The theatre: puts scene, playback, timeline, metrics, cards, curve and words together.

import { Cards } from "./cards.js";
import { Bar } from "./bar.js";
import { Checkpoints } from "./checkpoints.js";
import { Controls } from "./controls.js";
import { Engine } from "../run/engine.js";
import { Film, Keyframes, Loader } from "../run/film.js";
import { Metrics } from "./metrics.js";
import { Narrator } from "./narrator.js";
import { Panel } from "./panel.js";
import { Phases } from "./phases.js";
import { Playback } from "../run/playback.js";
import { Scene } from "../scene/scene.js";
import { TakeAway } from "./takeaway.js";
import { Timeline } from "./timeline.js";
import { persist } from "../run/source.js";
import { count, sentence } from "../base/words.js";
import { h, leisure, readColours, reducedMotion } from "../base/dom.js";
import { helpPanel, listenKeys } from "./keys.js";
import { lineSentence, pending } from "../run/lines.js";
import { STYLE_SHEET } from "../base/style.js";

const CAPTION = 90; // milliseconds between changes of the words while playing
const CURVE = 700; // and between new cost curves

/** Playheads of runs and zooms of worlds, for when a page comes back. */
const memory = (globalThis.__prvizMemory ??= new Map());
let current = null; // the theatre that keys pressed on the page go to

/** A `compact` theatre has the picture and how to play it, and begins to play by itself. */
export function mount(host, { source, theme = "auto", onEvent = () => {}, compact = false, ...options } = {}) {
  const theatre = new Theatre(host, theme, onEvent, compact);
  if (source) theatre.show(source, options);
  return theatre;
}

class Theatre {
  constructor(host, theme, onEvent, compact) {
    this.onEvent = onEvent;
    this.compact = compact;
    this.turn = 0;
    this.params = {};
    this.page = null;
    this.beside = "";
    this.hindered = "";
    this.followed = new Set(); // ids of runs whose place others took: the page may tell late of one
    this.playback = new Playback();
    this.layout = null;
    this.build(theme);
    this.moveTo(host);
    this.retheme();
    this.scene.measure();
    current ??= this;
    this.watch();
  }

  build(theme) {
    const act = new Controls(this);
    const attributes = { class: "prviz", tabindex: "-1", "data-theme": theme,
      "data-compact": this.compact };
    this.root = h("div", attributes, h("style", {}, STYLE_SHEET));
    this.metrics = new Metrics();
    this.scene = new Scene(this.root, () => this.wake(true),
      (text) => this.narrator.answer(text));
    this.panel = new Panel(act, () => this.wake(true));
    this.cards = new Cards();
    this.checkpoints = new Checkpoints(this.cards, this.scene, () => this.wake(true));
    this.timeline = new Timeline(act);
    this.phases = new Phases();
    this.bar = new Bar(act, new TakeAway(() => this.takeAway()).node);
    this.narrator = new Narrator();
    this.help = helpPanel(() => act.help());
    this.scene.node.append(this.narrator.notice, this.narrator.toast, this.help);
    this.root.append(h("div", { class: "pv-stage" }, this.metrics.node, this.scene.node,
      h("div", { class: "pv-side" }, this.panel.node, this.cards.node), this.bar.node, this.timeline.node,
      this.compact ? this.phases.node : "",
      this.narrator.node, this.narrator.spoken));
    this.unlisten = listenKeys(this.root, act, () => current === this);
  }

  watch() {
    const claim = () => (current = this);
    for (const type of ["pointerdown", "focusin"]) this.root.addEventListener(type, claim);
    this.root.addEventListener("pointerup", (event) => { // keys go here from now on
      const busy = event.target.closest("a, select, [role='menu'], [tabindex='0']:not(canvas)");
      if (!busy) this.root.focus({ preventScroll: true });
    });
    this.media = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]
      .map((query) => matchMedia(query));
    this.onMedia = () => this.retheme();
    for (const media of this.media) media.addEventListener("change", this.onMedia);
    this.observer = new MutationObserver(this.onMedia);
    const attributeFilter = ["class", "style", "data-theme"];
    this.observer.observe(document.documentElement, { attributes: true, attributeFilter });
  }

  moveTo(host) {
    host.append(this.root);
    this.wake(true);
  }

  /** Show a run: the old picture stays until the first frame of the new one. */
  async show(source, { autoplay = false, ...options } = {}) {
    this.remember();
    const turn = ++this.turn;
    const first = this.source === undefined;
    this.source?.close();
    this.engine?.close();
    this.ready = false;
    this.update(options);
    Object.assign(this, { source, autoplay, film: null, loader: null, staged: null,
      placed: false, curveAt: 0, curveCalls: -1 });
    this.wantedCall = first ? Number(this.params.call) || null : null;
    const moves = first ? autoplay && !reducedMotion() : this.playback.mode !== "paused";
    this.begins = this.compact ? moves : null; // unasked, so who paused or wants no motion has none
    this.playback.clear(null);
    const alive = () => turn === this.turn;
    const onTrouble = (error, pause) => alive() && this.trouble(error, pause);
    this.bar.fix(source.fixed === true);
    this.engine = new Engine(source, { onTrouble, onChange: (anew) => alive() && this.headMoved(anew) });
    const opening = await persist(() => source.opening(), alive, onTrouble);
    if (!opening) return;
    const { layout, head, frames } = opening;
    this.film = new Film(layout);
    this.playback.clear(this.film);
    this.placed = false; // Run may have been pressed meanwhile, which is autoplay now
    this.keyframes = new Keyframes(layout, source);
    const onData = (added) => alive() && this.fed(added);
    this.loader = new Loader(source, this.film, { onTrouble, onData });
    this.film.add(frames);
    this.engine.begin(head);
    const names = layout.assets ?? [];
    const fetchAll = () => Promise.all(names.map((name) => source.asset(name)));
    const assets = await persist(fetchAll, alive, onTrouble);
    if (!assets) return;
    this.staged = { layout, assets: Object.fromEntries(names.map((name, i) => [name, assets[i]])) };
    this.wake();
  }

  /** A control was touched: a new run may be there before the page tells of it. */
  async follow() {
    this.touched = true;
    if (this.following || !this.source) return;
    this.following = true;
    try {
      while (this.touched) {
        this.touched = false;
        const next = await this.source.next();
        if (!next) continue;
        this.followed.add(this.source.id);
        this.show(next, { autoplay: next.opened.head.state !== "ready" });
      }
    } catch { // then the page tells
    } finally {
      this.following = false;
    }
  }

  update({ params = this.params, page = this.page, beside = this.beside, hindered = this.hindered, lines } = {}) {
    const changed = hindered !== this.hindered;
    Object.assign(this, { params, page, beside, hindered });
    if (changed) this.wake(true);
    if (lines && !this.linesOpened) this.panel.open(this.linesOpened = true); // then a person's choice
    if (this.ready) this.refresh();
    this.root.toggleAttribute("data-present", params.present === "1");
  }

  /** Change over to the new run's layers and labels. */
  stage() {
    const { layout, assets } = this.staged;
    this.staged = null;
    this.ready = true;
    const { levels, noun, optimiser, algorithm, variables } = layout;
    const labels = JSON.stringify([levels, noun, optimiser, algorithm, variables]);
    this.layout = layout;
    const { source } = this;
    const fetch = (name) => source.asset(name);
    this.scene.set(layout, assets, fetch);
    if (labels !== this.labels) {
      this.cards.set(layout);
      this.bar.levels(levels.length);
      this.labels = labels;
    }
    this.panel.set(layout);
    this.checkpoints.set(layout, assets, fetch, source);
    const view = memory.get(`view ${layout.title}`);
    if (view && !this.viewed) Object.assign(this.scene.view, view);
    this.viewed = true;
    if (!this.playback.frame) this.blank();
    this.narrator.recorded(layout.recorded);
    this.headMoved(false);
    if (!this.compact) leisure().then(() => this.panel.curve.load(this.source.plotly()));
  }

  /** Before the first call there is no configuration, and so nothing to say of one. */
  blank() {
    this.cards.clear();
    this.panel.blank();
    this.timeline.move(0);
    this.narrator.place(null);
  }

  /** Where to begin, once both the layout and the head are known. */
  placeFirst() {
    const { engine, playback, film } = this;
    if (this.placed || !film || !engine.heard) return;
    this.placed = true;
    const kept = memory.get(`run ${this.source.id}`);
    if (kept && kept.call <= engine.calls) {
      this.wantedCall = null;
      playback.mode = kept.mode;
      playback.seek(kept.call, kept.index);
    } else if (this.wantedCall) playback.mode = "paused"; // it is found when the head gets there
    else if (this.begins ?? (this.autoplay || engine.active)) {
      if (playback.mode === "paused") playback.mode = "playing";
      playback.seek(engine.first, "start");
    } else {
      playback.mode = "paused";
      if (this.source.fixed || this.compact) playback.seek(engine.first, "start");
      else if (engine.calls) playback.seek(engine.calls, "end");
      else this.placed = false; // the first call is still to come
    }
    if (this.autoplay && engine.head.state === "ready") engine.command("start");
    this.wake(true);
  }

  /** Run was pressed: from now on where to begin is settled. */
  begin() {
    const { engine, playback } = this;
    this.wantedCall = null;
    this.autoplay = this.placed = true;
    if (playback.mode === "paused") playback.mode = "playing";
    playback.seek(engine.first, "start");
    this.wake(true);
  }

  headMoved(anew) {
    const { engine, playback } = this;
    if (anew && this.film) {
      this.film = new Film(this.film.layout);
      this.loader.film = this.film;
      this.keyframes = new Keyframes(this.film.layout, this.source);
      playback.clear(this.film);
      playback.seek(engine.first, "start");
    }
    this.placeFirst();
    if (this.wantedCall && this.film && (engine.calls >= this.wantedCall || engine.calls && !engine.active)) {
      playback.seek(Math.min(this.wantedCall, engine.calls), "end");
      this.wantedCall = null;
    }
    this.compareTrace();
    if (this.ready) {
      this.timeline.show(engine, this.layout.levels.length, this.scene.view.colours);
      this.refresh();
    }
    this.wake(true);
  }

  /** Whether a run that has ended is the one that its link was made of. */
  compareTrace() {
    const { hash } = this.engine.head ?? {}, { trace, calls } = this.params;
    if (!hash || !trace || this.compared === hash) return;
    this.compared = hash;
    if (hash === trace) return this.tell(`This is the run that the link was made of: trace ${hash}.`);
    const cut = String(this.engine.calls) === calls ? "" : ", and was stopped before its end";
    this.tell(`This is not the run that the link was made of: that had trace ${trace}, this one has ${hash}${cut}. `
      + "Another version of prviz or other data would do that.", 15000);
  }

  /** The cost curve follows the head at its leisure. */
  async refresh() {
    const { engine, turn, beside } = this;
    const now = performance.now();
    const stale = () => engine.calls !== this.curveCalls || this.beside !== this.besideDrawn;
    if (!stale() || this.refreshing === turn || this.compact) return;
    if (engine.active && now - this.curveAt < CURVE) return;
    this.refreshing = turn;
    this.curveAt = now;
    await leisure();
    const calls = engine.calls;
    try {
      const figure = turn === this.turn && await this.source.curve();
      if (turn !== this.turn) return;
      await this.panel.show(figure, this.scene.view.colours);
    } catch (error) {
      if (turn === this.turn) this.trouble(error, 0);
    }
    if (turn !== this.turn) return;
    this.refreshing = 0;
    this.curveCalls = calls;
    this.besideDrawn = beside;
    if (!engine.active && stale()) this.refresh();
  }

  wake(dirty = false) {
    this.dirty ||= dirty;
    this.waking ||= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.waking = 0;
    if (this.closed) return;
    const { playback, engine } = this;
    const passed = this.ticked ? now - this.ticked : 16;
    this.ticked = now;
    const old = playback.frame;
    const changed = playback.tick(passed);
    this.load(now);
    if (this.staged && (playback.frame || !this.layout || this.idle)) this.stage();
    const settled = this.finish();
    if (changed || this.dirty || playback.mode !== "paused") {
      this.scene.draw(this.ready && playback.frame ? playback.moment() : this.scene.moment);
    }
    this.stale ||= playback.frame !== old || this.dirty || settled;
    this.dirty = false;
    const due = playback.mode === "paused" || now - (this.captioned ?? 0) >= CAPTION;
    if (this.stale && due) this.caption(now);
    if (playback.moving || this.stale) this.wake();
    else this.ticked = 0;
  }

  /** Nothing runs and nothing is about to. */
  get idle() {
    return this.engine.heard && this.engine.head.state === "ready" && !this.autoplay;
  }

  fed(added) {
    if (added && this.playback.mode === "live") this.playback.fed(performance.now());
    if (!added && !this.engine.active) this.engine.again(0); // frames are made anew: the server says why
    this.wake();
  }

  /** At the very end of a search that is over, playing stops. */
  finish() {
    const { playback, engine } = this;
    const { frame } = playback;
    if (!frame || playback.mode === "paused" || engine.active) return false;
    if (playback.pending || !frame.last || frame.call < engine.calls || playback.rest > 0) return false;
    playback.mode = "paused";
    return true;
  }

  load(now) {
    const { playback, engine, loader } = this;
    if (!loader || !engine.calls || this.held) return;
    const call = playback.call || engine.first;
    engine.hurried = playback.mode === "live";
    if (playback.mode === "live" && !playback.pending) return loader.want(engine.calls, 0, engine.calls, now);
    loader.want(call, Math.max(4, Math.ceil(2 * playback.speed)), engine.calls, now);
    if (playback.mode === "paused") loader.want(Math.max(engine.first, call - 8), 8, call, now);
    if (playback.pending && !loader.busy) setTimeout(() => this.wake(), 40); // not yet made: ask again
  }

  /** Words, numbers and marks for the frame shown. */
  caption(now) {
    this.stale = false;
    this.captioned = now;
    const { playback, engine, layout } = this;
    if (!engine) return;
    const { frame, previous, line } = playback;
    this.bar.show(engine.head.state, playback.mode, playback.speed, this.hindered);
    this.narrator.waits(engine.head, frame);
    const coming = !frame && this.narrator.sentence && engine.head.state === "running";
    if (!this.ready || coming) return; // the old words stay
    this.metrics.show(engine.head, playback.call, layout);
    const lines = frame ? playback.lines : [];
    const executed = lines[line ?? lines.length - 1];
    const shown = line === null ? frame : pending(frame, previous, executed);
    const text = !frame ? this.narrator.standing(engine.head)
      : line === null ? sentence(frame, previous, layout) : lineSentence(executed, shown, layout);
    this.narrator.tells(text);
    const call = frame ? `, call ${count(frame.call)}` : "";
    this.scene.describe(`${layout.title}${call}. ${text}`);
    if (!this.compact || playback.mode === "paused") this.narrator.announce(text, now); // nobody asked it to talk
    if (!frame) return;
    const frames = this.film.frames(frame.call) ?? [frame];
    const index = playback.index < 0 ? frames.length - 1 : playback.index;
    this.narrator.place(frame, index, frames.length, engine.head.hash);
    const seen = frames.slice(0, line === null ? index + 1 : index);
    this.cards.show(shown, seen);
    if (this.compact) this.phases.show(frame, frames);
    else this.checkpoints.show(shown, seen, this.film, engine, playback.mode !== "live" && playback.speed <= 2);
    this.panel.mark(frame, executed);
    this.timeline.move(this.held ?? playback.call, (index + 1) / frames.length, text);
    this.scene.follow(frame);
  }

  takeAway() {
    const { layout, page, source, scene, engine } = this;
    // Seconds can't be repeated exactly: a finished run is linked by the calls that it made.
    const made = !engine?.active && engine?.calls > 1 && this.params.budget;
    const { trace, ...params } = this.params; // that of a link is not this run's
    if (made) {
      const { hash } = engine.head;
      Object.assign(params, { budget: "calls", calls: String(engine.calls) }, hash && { trace: hash });
    }
    return {
      title: layout?.title ?? "prviz", params, page, links: source?.links(), call: this.playback.call,
      scene, colours: scene.view.colours, sentence: this.narrator.sentence,
      tell: (text) => this.tell(text),
    };
  }

  tell(text, milliseconds) {
    this.narrator.tell(text, milliseconds);
  }

  trouble(error, pause) {
    if (error.name === "AbortError") return;
    if (error.gone) {
      this.tell("This run is no longer on the server: press Run for a new one.", 12000);
      this.onEvent({ name: "gone" });
    } else if (pause > 400) this.tell("The server does not answer; trying again.");
  }

  retheme() {
    const colours = readColours(this.root);
    this.playback.still = reducedMotion();
    if (Object.values(colours).join() === this.scene.view.theme) return;
    this.scene.retheme();
    if (this.engine && this.layout) this.timeline.show(this.engine, this.layout.levels.length, colours);
    this.panel.retheme(colours);
    this.wake(true);
  }

  remember() {
    const { playback, layout, source } = this;
    if (!source || !layout) return;
    const { frame, index, mode } = playback;
    if (frame) memory.set(`run ${source.id}`, { call: frame.call, index: Math.max(0, index), mode });
    const { zoom, centre } = this.scene.view;
    memory.set(`view ${layout.title}`, { zoom, centre });
    while (memory.size > 40) memory.delete(memory.keys().next().value);
  }

  close() {
    this.remember();
    this.closed = true;
    this.turn++;
    if (current === this) current = null;
    this.unlisten();
    this.observer.disconnect();
    for (const media of this.media) media.removeEventListener("change", this.onMedia);
    for (const part of [this.source, this.engine, this.scene, this.panel.curve, this.timeline, this.narrator]) part?.close();
    this.root.remove();
  }
}
