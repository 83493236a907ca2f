// The player, which combines scene, playback, timeline, metrics, cards, curve and text.

import { Cards } from "../cards/cards.js";
import { Bar } from "./bar.js";
import { Checkpoints } from "../cards/checkpoints.js";
import { Controls } from "./controls.js";
import { Drawing } from "../draw/drawing.js";
import { FullPanel, Standing } from "./full.js";
import { FilmDialog } from "../take/dialog.js";
import { Metrics } from "./metrics.js";
import { Narrator } from "./narrator.js";
import { Panel } from "./panel.js";
import { Phases } from "./phases.js";
import { Playback } from "../run/playback.js";
import { Presenter } from "../present/presenter.js";
import { Projector } from "../run/projector.js";
import { Scene } from "../scene/scene.js";
import { TakeAway } from "../share/takeaway.js";
import { linkParams, setAddress, traceNotice } from "../share/links.js";
import { Timeline } from "../timeline/timeline.js";
import { askForClass } from "../share/classroom.js";
import { remember } from "./view.js";
import { KEPT, REVERTED, count, ending, foundAt, lead, sentence, soFar, standing, untouched } from "../base/words.js";
import { figuresOf } from "../share/figures.js";
import { LARGE, h, leisure, readColours, reducedMotion, say } from "../base/dom.js";
import { helpPanel, listenKeys } from "./keys.js";
import { openCode } from "../take/code.js";
import { lineSentence, pending } from "../run/lines.js";
import { STYLE_SHEET } from "../base/style.js";

const DRAWN = 400; // milliseconds after the last stroke until the page is notified
const CAPTION = 90; // milliseconds between changes of the text while playing

const NOTHING = { call: 0, iterations: 0, seconds: 0, event: 0 }; // before any part of the search is shown
const EVERYTHING = { call: Infinity, iterations: Infinity, seconds: Infinity, event: KEPT };

/** Zooms of pictures, which a page restores when it is opened again. */
const zooms = (globalThis.__prvizZooms ??= new Map());
const MOST_ZOOMS = 20;
/** @type {Theatre | null} the player that gets keys pressed elsewhere on the page */
let current = null;

/** @typedef {{theme?: string, onEvent?: (event: {name: string, bet?: any, next?: string}) => void, compact?: boolean, guest?: boolean, pace?: number | "story", view?: string, base?: string}} Kind */

/**
 * Make a player in a node. A `compact` player has only the picture and playback buttons, and plays automatically.
 * `pace` is "story", or the speed at which every call is played. A `guest` gets only keys that are pressed in the
 * player. `view` is "simple" (both searches side by side) or "lab" (everything); if it is empty, the user cannot
 * change the view.
 * @param {HTMLElement} host @param {Kind & PageOptions & {source?: Source}} [options]
 */
export function mount(host, { source, base = "", theme = "auto", onEvent = () => {}, compact = false,
  guest = false, pace = compact ? 1 : "story", view = "", ...options } = {}) {
  const theatre = new Theatre(host, { theme, onEvent, compact, guest, pace, view, base });
  if (source) theatre.show(source, options);
  return theatre;
}

class Theatre {
  /** @type {HTMLElement} */ root;
  /** @type {Metrics} */ metrics;
  /** @type {Scene} */ scene;
  /** @type {Panel} */ panel;
  /** @type {Cards} */ cards;
  /** @type {FullPanel} */ full;
  /** @type {Standing} the header of the partial search */ standing;
  /** @type {Checkpoints} */ checkpoints;
  /** @type {Timeline} */ timeline;
  /** @type {Phases} */ phases;
  /** @type {Bar} */ bar;
  /** @type {Controls} */ act;
  /** @type {Narrator} */ narrator;
  /** @type {Presenter} */ presenter;
  /** @type {Drawing} */ drawing;
  /** @type {Projector} the projector of the run; undefined before the first run */ projector;
  /** @type {string | null} address of the page */ page = null;
  /** @type {Layout} the layout of the run shown */ layout;
  /** @type {ShownRun} */ run;
  /** @type {{layout: Layout, assets: Assets} | null} a new run whose first frame is not loaded yet */ staged = null;
  /** @type {HTMLElement} */ help;
  /** @type {HTMLElement} the message about missing data */ missing;
  /** @type {MediaQueryList[]} */ media;
  /** @type {MutationObserver} */ observer;
  /** @type {string | null} the drawing that is searched next */ stroke = null;
  labels = ""; // identifies the levels and nouns that are shown
  view = "";
  redrawing = false;
  themed = false; // whether the colours were read
  pictured = false; // whether the first picture was drawn
  compared = ""; // the hash that was last compared with the link
  // A player outside the document has no colours; a notebook may attach the player later.
  attached = new ResizeObserver(() => this.retheme());
  /** @type {() => void} */ unlisten;
  /** @type {() => void} */ onMedia;
  /** @type {() => void} */ onHidden;

  /** @param {HTMLElement} host @param {Required<Kind>} kind */
  constructor(host, { theme, onEvent, compact, guest, pace, view, base }) {
    this.base = base; // path of the app on its server, or empty
    this.onEvent = onEvent;
    this.compact = compact;
    this.guest = guest;
    /** @type {Record<string, string>} */
    this.params = {};
    this.page = null;
    this.beside = "";
    /** @type {Held} */ this.held = {}; // the controls that a link hides or locks
    /** @type {NonNullable<PageOptions["controls"]>} */ this.controls = []; // all controls
    this.hindered = "";
    this.preview = false; // true while a recording is shown, until Run is pressed
    /** @type {Onward | null} */ this.onward = null; // the range of calls to play after a bet
    /** @type {(() => Source) | null} */ this.live = null; // makes the source of the live run
    /** @type {import("./curve.js").Seen} */ this.seen = NOTHING; // the latest frame that was shown; later results stay hidden
    this.begun = 0; // the time at which the present run replaced another; 0 for the first run
    this.followed = new Set(); // ids of replaced runs; the page may still send these ids
    this.playback = new Playback();
    this.playback.pace = pace;
    this.build(theme);
    this.moveTo(host);
    this.look(view);
    current ??= this;
    this.watch();
  }

  /** @param {string} theme */
  build(theme) {
    const act = this.act = new Controls(this);
    const attributes = { class: "prviz", tabindex: "-1", "data-theme": theme,
      "data-compact": this.compact, "data-guest": this.guest };
    this.root = h("div", attributes, h("style", {}, STYLE_SHEET));
    this.metrics = new Metrics();
    this.scene = new Scene(this.root, () => this.wake(true),
      (text) => this.narrator.answer(text));
    this.panel = new Panel(act, () => this.wake(true));
    this.cards = new Cards();
    this.full = new FullPanel(() => this.wake(true));
    this.standing = new Standing("partial");
    this.checkpoints = new Checkpoints(this.cards, this.scene, () => this.wake(true));
    this.timeline = new Timeline(act);
    this.phases = new Phases();
    this.bar = new Bar(act, new TakeAway(() => this.takeAway()).node);
    this.narrator = new Narrator((call) => call && act.show(call), () => act.mark());
    this.missing = h("p", { class: "pv-missing", role: "status" });
    this.help = helpPanel(() => act.help(), this);
    this.presenter = new Presenter(this);
    this.drawing = new Drawing(this.scene, {
      redraw: (text) => this.redraw(text),
      answer: (words) => this.narrator.answer(words),
      leave: () => this.root.focus({ preventScroll: true }),
      wake: () => this.wake(true),
    });
    this.scene.node.append(this.narrator.notice);
    this.stageNode = h("div", { class: "pv-stage" }, this.metrics.node,
      this.full.head.node, this.standing.node, this.full.node, this.scene.node, this.scene.below,
      h("div", { class: "pv-side" }, this.panel.node, this.cards.node), this.bar.node, this.timeline.node,
      this.compact ? this.phases.node : "",
      this.narrator.node, this.narrator.spoken, this.help, this.missing);
    this.root.append(this.stageNode);
    this.unlisten = listenKeys(this.root, act, () => current === this && !this.guest, this);
  }

  watch() {
    const claim = () => (current = this);
    for (const type of ["pointerdown", "focusin"]) this.root.addEventListener(type, claim);
    this.root.addEventListener("pointerup", (event) => { // focus the player, so that it gets the keys
      const busy = /** @type {Element} */ (event.target).closest("a, select, [role='menu'], [tabindex='0']:not(canvas), [data-own-keys]");
      if (!busy) this.root.focus({ preventScroll: true });
    });
    this.media = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)",
      LARGE]
      .map((query) => matchMedia(query));
    this.onMedia = () => this.retheme();
    this.onHidden = () => (this.ticked = 0); // the time in a hidden tab does not count for a story
    document.addEventListener("visibilitychange", this.onHidden);
    for (const media of this.media) media.addEventListener("change", this.onMedia);
    this.observer = new MutationObserver(this.onMedia);
    const attributeFilter = ["class", "style", "data-theme"];
    this.observer.observe(document.documentElement, { attributes: true, attributeFilter });
    if (!this.root.isConnected) this.attached.observe(this.scene.canvas);
  }

  /** @param {HTMLElement} host */
  moveTo(host) {
    host.append(this.root);
    this.wake(true);
  }

  /**
   * Show a run. The old picture stays until the first frame of the new run is loaded.
   * @param {Source} source @param {PageOptions} [options]
   */
  async show(source, { autoplay = false, ...options } = {}) {
    this.remember();
    const first = !this.projector;
    this.projector?.close();
    this.ready = false;
    this.seen = NOTHING;
    this.panel.curve.reveal(NOTHING);
    this.begun = first ? 0 : performance.now();
    this.staged = null;
    const { call } = this.params;
    this.update(options);
    const moves = first ? autoplay && !reducedMotion() : this.playback.mode !== "paused";
    this.bar.fix(source.fixed === true);
    const projector = this.projector = new Projector(source, this.playback, {
      autoplay,
      onward: this.onward,
      wanted: first || this.params.call !== call
        ? Number(this.params.call) || (first && options.moments ? source.first : null) : null,
      begins: this.compact ? moves : null, // a compact player plays, unless it was paused or the user prefers reduced motion
      atStart: this.compact || this.preview,
      onHead: () => this.headMoved(),
      onEnd: () => this.onEvent({ name: "ended" }),
      onTrouble: (error, pause) => this.trouble(error, pause),
      wake: (dirty) => this.wake(dirty),
    });
    const staged = await projector.open();
    if (!staged || projector.closed) return;
    this.staged = staged;
    this.wake();
  }

  /** After a change of a control, show the next run, which may exist before the page sends its id. */
  async follow() {
    this.touched = true;
    if (this.following || !this.projector) return;
    this.following = true;
    try {
      while (this.touched) {
        this.touched = false;
        const { source } = this.projector;
        const next = await source.next?.();
        if (!next) continue;
        this.followed.add(source.id);
        this.show(next, { autoplay: next.opened?.head.state !== "ready" });
      }
    } catch { // ignored, because the page will also send the id of the run
    } finally {
      this.following = false;
    }
  }

  /** Search the drawn points at once. If several strokes arrive in the meantime, search only the latest drawing. @param {string} text */
  async redraw(text) {
    this.stroke = text;
    clearTimeout(this.telling);
    if (this.redrawing) return;
    this.redrawing = true;
    try {
      while (this.stroke !== null) {
        const wanted = this.stroke;
        this.stroke = null;
        const { source } = this.projector;
        const next = /** @type {Source} */ (await source.redraw?.(wanted));
        this.followed.add(source.id);
        this.show(next, { autoplay: true });
      }
      this.telling = setTimeout(() => this.closed || this.onEvent({ name: "drawn" }), DRAWN);
    } catch (error) {
      this.stroke = null;
      const trouble = /** @type {Failure & {words?: string}} */ (error);
      if (trouble.words) this.drawing.refused(trouble.words);
      else this.trouble(trouble, Infinity);
    } finally {
      this.redrawing = false;
    }
  }

  /** @param {PageOptions} [options] */
  update({ params = this.params, page = this.page, beside = this.beside, hindered = this.hindered, missing = "",
    preview = this.preview, live = this.live, onward = null, held = this.held, controls = this.controls, moments = "", lines } = {}) {
    const changed = hindered !== this.hindered;
    this.params = params;
    this.page = page;
    this.beside = beside;
    this.hindered = hindered;
    this.root.toggleAttribute("data-missing", Boolean(missing));
    this.root.toggleAttribute("data-preview", preview);
    this.root.toggleAttribute("data-outdated", false);
    say(this.missing, missing);
    this.held = held;
    this.controls = controls;
    Object.assign(this, { preview, live, onward });
    this.presenter.follow(this, moments);
    if (changed) this.wake(true);
    if (lines && !this.simple && !this.linesOpened) this.panel.open(this.linesOpened = true); // open the panel only the first time
    if (this.ready) this.refresh();
  }

  /** Start the live search, because Run was pressed during a recording. */
  begin() {
    const { live } = this;
    this.onEvent({ name: "run" });
    if (!live) return this.tell("The search starts when its kernels are compiled.", 12000);
    Object.assign(this, { preview: false, live: null });
    this.root.toggleAttribute("data-preview", false);
    return this.show(live(), { autoplay: true });
  }

  /** Return true if the simple view is on. */
  get simple() {
    return this.view === "simple";
  }

  /**
   * Show the "simple" view or the "lab". If the user `asked` for it, the browser remembers the view.
   * @param {string} view
   */
  look(view, asked = false) {
    this.view = view;
    this.root.dataset.view = view || "lab";
    this.bar.lab(view === "lab", Boolean(view));
    if (this.simple) {
      this.panel.open(false);
      this.full.refresh();
    }
    if (view) document.documentElement.dataset.prvizView = view; // the page's style sheet shows or hides controls
    this.wake(true);
    if (!asked) return;
    remember(view);
    setAddress(this.page, { look: view === "lab" ? view : "" });
  }

  /** Change to the new run's layers and labels. */
  stage() {
    if (!this.staged) return;
    const { layout, assets } = this.staged;
    this.staged = null;
    this.ready = true;
    const { levels, noun, optimiser, algorithm, variables } = layout;
    const labels = JSON.stringify([levels, noun, optimiser, algorithm, variables]);
    this.layout = layout;
    const { source } = this.projector;
    const fetch = (/** @type {string} */ name) => source.asset(name);
    this.scene.set(layout, assets, fetch);
    this.drawing.follow(layout, Boolean(source.redraw) && !this.compact && !this.guest, this.redrawing);
    if (labels !== this.labels) {
      this.cards.set(layout);
      this.bar.levels(levels.length);
      this.labels = labels;
    }
    this.panel.set(layout);
    this.checkpoints.set(layout, assets, fetch, source);
    this.run = { projector: this.projector, layout, assets, fetch };
    this.full.set(this.run);
    const view = zooms.get(layout.title);
    if (view && !this.viewed) Object.assign(this.scene.view, view);
    this.viewed = true;
    if (!this.playback.frame) this.blank();
    this.headMoved();
    if (!this.compact) leisure().then(async () => this.panel.curve.load(await source.plotly()));
    this.presenter.classroom.arrived();
  }

  /** Clear the text before the first call. */
  blank() {
    this.cards.clear();
    this.panel.blank();
    this.timeline.move(0);
    this.narrator.place(null);
  }

  /** Update the player after the search has advanced. */
  headMoved() {
    const { engine } = this.projector;
    const { hash } = engine.head;
    this.wake(true);
    if (hash && hash !== this.compared) {
      this.compared = hash;
      const notice = traceNotice(this.params, engine);
      if (notice) this.tell(notice.text, notice.milliseconds);
    }
    if (!this.ready) return;
    this.act.reconsider();
    this.root.toggleAttribute("data-alone", !this.full.available);
    const restarts = this.layout.levels.length === 1 && !this.full.available; // whether the only search makes full restarts
    this.root.toggleAttribute("data-restarts", restarts);
    if (restarts) this.standing.rename({ names: { partial: "Full restarts", full: "" } }, "full");
    else this.standing.rename(this.layout);
    this.root.toggleAttribute("data-single", engine.calls < 2 && !engine.active);
    if (this.simple) this.full.refresh();
    this.drawLanes(this.scene.view.colours);
    this.narrator.recorded(this.layout.recorded ?? "");
    this.narrator.tellOfSearch(engine, this.layout, this.seen.call);
    this.refresh();
  }

  /** @param {Colours} colours */
  drawLanes(colours) {
    const { engine } = this.projector;
    this.timeline.show(engine, this.layout.levels, colours);
  }

  refresh() {
    if (!this.compact) this.panel.follow(this.projector, this.beside, this.scene.view.colours);
  }

  /** Return the unit of work with which the curve and both pictures compare searches. */
  get axis() {
    return this.panel.axis ?? this.layout.curve_axis;
  }

  /** Return true if the story of a finished search has ended. */
  get over() {
    return this.playback.ended && this.projector.engine.over;
  }

  /** Record that a frame was shown, so that texts and the curve do not reveal later results; after a story, show all. @param {Frame} frame */
  reveal(frame) {
    const { call, iterations, event } = this.seen;
    const known = frame.call < call || frame.call === call && frame.iterations <= iterations && frame.event <= event;
    if (!this.over && known) return;
    this.seen = this.over ? EVERYTHING : frame;
    this.panel.curve.reveal(this.seen);
    this.timeline.reveal(this.seen.call);
    if (this.seen.call > call) this.narrator.tellOfSearch(this.projector.engine, this.layout, this.seen.call);
  }

  /** Continue the search after a press of Continue; the curve and the timeline hide a new call until it is played. */
  goOn() {
    const { calls: call, head } = this.projector.engine;
    if (this.seen === EVERYTHING) this.seen = { call, iterations: head.iterations ?? 0, seconds: head.seconds ?? 0, event: KEPT };
    this.panel.curve.reveal(this.seen);
    this.timeline.reveal(this.seen.call);
    this.projector.goOn();
  }

  wake(dirty = false) {
    this.dirty ||= dirty;
    this.waking ||= requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  tick(now) {
    this.waking = 0;
    if (this.closed) return;
    if (!this.themed) return this.root.isConnected ? this.prepare() : undefined;
    const { playback, projector } = this;
    const passed = this.ticked ? now - this.ticked : 16;
    this.ticked = now;
    const { frame: old, left } = playback;
    const changed = projector?.tick(passed, now);
    if (this.staged && (playback.frame || !this.layout || projector.idle)) {
      const opening = !this.layout;
      this.stage();
      if (opening) return this.wake(true);
    }
    if (this.playback.arrivedOn) this.reach();
    const settled = projector?.finish();
    if (changed || this.dirty || playback.mode !== "paused") {
      this.scene.draw(this.ready && playback.frame ? playback.moment() : this.scene.moment);
    }
    const first = Boolean(this.ready) && !this.pictured;
    if (first) this.pictured = true;
    this.stale ||= playback.frame !== old || playback.left !== left || this.dirty || settled;
    this.dirty = false;
    const due = !first && (playback.mode === "paused" || now - (this.captioned ?? 0) >= CAPTION);
    if (this.stale && due) this.caption(now);
    if (playback.moving || this.stale) this.wake();
    else this.ticked = 0;
  }

  /**
   * Read the colours and sizes. The first colours, layout, picture and texts have an animation frame each, so that the
   * browser can handle input between them.
   */
  prepare() {
    this.themed = true;
    this.retheme();
    this.scene.measure();
    this.wake(true);
  }

  /** Notify the page that the run has reached the requested call. */
  reach() {
    this.playback.onward = null;
    this.playback.mode = "paused";
    if (!this.presenter.classroom.reached()) this.onEvent({ name: "seen" });
  }

  /** Update text, numbers and marks for the frame. @param {number} now */
  caption(now) {
    this.stale = false;
    this.captioned = now;
    if (!this.projector) return;
    const { playback, layout } = this;
    const { engine, film, dragged } = this.projector;
    const { frame, previous, line } = playback;
    this.bar.show(engine.head, playback.mode, playback.pace, this.hindered);
    this.narrator.waits(engine.head, frame);
    const coming = !frame && this.narrator.sentence && engine.head.state === "running";
    if (!this.ready || coming) return; // keep the old text
    this.metrics.show(frame, engine, layout);
    const lines = frame ? playback.lines : [];
    const executed = lines[line ?? lines.length - 1];
    const shown = line === null || !frame ? frame : pending(frame, previous, executed);
    const text = !frame ? this.narrator.standing(engine.head)
      : playback.ended ? (engine.over ? ending : soFar)(frame, engine, layout)
        : line === null || !shown ? sentence(frame, previous, layout, engine.bests[0]?.[1]) : lineSentence(executed, shown, layout);
    this.narrator.tells(text, playback.left);
    const call = frame ? `, call ${count(frame.call)}` : "";
    this.scene.describe([`${layout.title}${call}.`, layout.told, text, layout.shown].filter(Boolean).join(" "));
    if (!this.compact || playback.mode === "paused") this.narrator.announce(text, now); // a compact player plays without user input, so it announces nothing while it plays
    if (!frame || !shown || !film) return;
    this.reveal(frame);
    if (this.simple) this.showBoth(frame);
    const frames = film.frames(frame.call) ?? [frame];
    const index = playback.index < 0 ? frames.length - 1 : playback.index;
    this.narrator.place(frame, index, frames.length, engine.head.hash, this.presenter.bookmarks.calls.includes(frame.call));
    const seen = frames.slice(0, line === null ? index + 1 : index);
    if (this.compact) this.phases.show(frame, frames);
    else if (!this.simple) { // only the lab has cards
      this.cards.show(shown, seen);
      this.checkpoints.show(shown, seen, film, engine, playback.mode !== "live" && playback.speed <= 2);
    }
    this.panel.mark(frame, executed, this.simple && this.over);
    this.timeline.move(dragged ?? playback.call, (index + 1) / frames.length, text);
    this.scene.follow(frame);
    this.showVerdict(frame);
  }

  /** Animate a decision: a kept redraw flashes, a reverted redraw fades to grey. @param {Frame} frame */
  showVerdict({ event, call }) {
    const { node } = this.scene;
    const verdict = event === KEPT && call > 1 ? "kept" : event === REVERTED ? "reverted" : "";
    if ((node.dataset.verdict ?? "") !== verdict) node.dataset.verdict = verdict;
  }

  /** Compare the costs of both searches after equal work, and count the redrawn and kept variables. @param {Frame} frame */
  showBoth(frame) {
    const { layout, full, standing: partial, scene } = this;
    full.view.foot = scene.view.foot; // both pictures have the same size
    full.show(frame, this.axis, scene.view.colours, this.over);
    const found = this.projector.engine.bestCall(frame);
    const ahead = lead(frame.best, full.best?.best, layout);
    partial.show(ahead ?? standing(frame, layout), found ? foundAt("call", found) : "", untouched(frame, layout));
  }

  takeAway() {
    const { layout, page, scene, projector, controls, held, presenter } = this;
    const { preview, playback: { call } } = this; // a link from a preview starts at the beginning
    const [title, params] = [layout?.title ?? "prviz", linkParams(this.params, preview ? undefined : projector?.engine)];
    return {
      title, params, beside: { ...held, ...presenter.query }, page, figures: () => figuresOf(this, { title, params }), theme: this.root.dataset.theme,
      links: preview ? null : projector?.source.links(), tables: layout?.tables ?? {}, livePage: layout?.live_page === true, story: projector?.engine.calls ? projector.storied : [], call, at: preview ? 0 : call,
      scene, colours: scene.view.colours, sentence: this.narrator.sentence,
      tell: (/** @type {string} */ text) => this.tell(text), film: () => this.film(),
      code: () => openCode(this.root, /** @type {() => Promise<Script>} */ (() => projector.source.script?.())),
      forClass: controls.length && ((/** @type {(query: Record<string, string>) => string} */ link) => askForClass(this.root, { controls, held, link,
        presents: presenter.on, moments: presenter.bookmarks.text })),
    };
  }

  /** Open the dialog for a film, with the colours and zoom of the picture. */
  film() {
    const { run, params, playback, panel, timeline, layout } = this;
    const { colours, zoom, centre } = this.scene.view;
    playback.mode = "paused";
    this.filming = new FilmDialog(this.root, { run, params, call: playback.call, range: timeline.range,
      axis: panel.axis ?? layout.curve_axis ?? "call", look: { colours, zoom, centre } });
  }

  /** @param {string} text @param {number} [milliseconds] */
  tell(text, milliseconds) {
    this.narrator.tell(text, milliseconds);
  }

  /** @param {Failure} error @param {number} pause */
  trouble(error, pause) {
    if (error.name === "AbortError") return;
    if (error.gone) {
      this.tell("This run is no longer on the server. Press Run for a new run.", 12000);
      this.onEvent({ name: "gone" });
    } else if (pause > 400) this.tell("The server does not answer. Trying again …");
  }

  retheme() {
    if (this.root.isConnected) this.attached.disconnect();
    const colours = readColours(this.root);
    this.playback.still = reducedMotion();
    if (Object.values(colours).join() === this.scene.view.theme) return;
    this.scene.retheme(colours);
    if (this.projector && this.layout) this.drawLanes(colours);
    this.panel.retheme(colours);
    this.wake(true);
  }

  remember() {
    const { layout, projector } = this;
    if (!projector || !layout) return;
    projector.remember();
    const { zoom, centre } = this.scene.view;
    zooms.set(layout.title, { zoom, centre });
    if (zooms.size > MOST_ZOOMS) zooms.delete(zooms.keys().next().value);
  }

  close() {
    this.remember();
    this.closed = true;
    if (current === this) current = null;
    this.unlisten();
    this.observer.disconnect();
    this.attached.disconnect();
    document.removeEventListener("visibilitychange", this.onHidden);
    for (const media of this.media) media.removeEventListener("change", this.onMedia);
    if (this.view) delete document.documentElement.dataset.prvizView;
    this.filming?.closed();
    for (const part of [this.projector, this.presenter, this.full, this.scene, this.panel, this.timeline, this.narrator]) part?.close();
    this.root.remove();
  }
}
