// All calls at a glance: lanes for kept, reverted and restart; drag to go anywhere.

import { h } from "../base/dom.js";
import { count } from "../base/words.js";

const LANES = ["kept", "reverted", "restart"];
const REST = 160; // milliseconds without a move before the exact call is asked for

export class Timeline {
  /**
   * `act` has approach(), hold(held), and scrub(call, exact), exact once the finger rests or lets go.
   */
  constructor(act) {
    this.act = act;
    this.canvas = h("canvas", { class: "pv-lanes" });
    this.playhead = h("div", { class: "pv-playhead" });
    this.track = h("div", {
      class: "pv-track", role: "slider", tabindex: "0", "aria-label": "Call shown",
      "aria-valuemin": "1", "aria-valuemax": "1", "aria-valuenow": "1",
    }, this.canvas, this.playhead);
    const names = h("div", { class: "pv-lane-names", "aria-hidden": "true" },
      ...LANES.map((lane) => h("span", {}, lane)));
    this.node = h("div", { class: "pv-timeline" }, names, this.track);
    this.first = 1;
    this.last = 1;
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.track);
    this.listen();
  }

  /** Draw the lanes of an engine's outcomes. */
  show(engine, top, colours) {
    Object.assign(this, { engine, top, colours });
    this.first = engine.first;
    // While the search runs the scale grows in steps, so that its head is seen to move.
    this.last = engine.active ? roundUp(engine.calls) : Math.max(engine.calls, 1);
    this.track.setAttribute("aria-valuemin", this.first);
    this.track.setAttribute("aria-valuemax", Math.max(this.first, engine.calls));
    this.redraw();
  }

  redraw() {
    const { clientWidth: width, clientHeight: height } = this.track;
    if (!width || !this.engine) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const { canvas, engine, colours } = this;
    this.width = width;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const lane = height / LANES.length;
    g.fillStyle = colours.line;
    for (let i = 0; i < LANES.length; i++) g.fillRect(0, Math.round((i + 0.5) * lane), width, 1);
    if (engine.calls < this.first) return this.move(this.call);
    const bins = this.bins(width);
    const shades = [colours.kept, colours.reverted, colours.full];
    const thin = width / (this.last - this.first + 1) >= 4 ? 1 : 0; // gaps between wide marks
    for (let i = 0; i < LANES.length; i++) {
      g.fillStyle = shades[i];
      for (const { x, w, share } of bins[i]) {
        g.globalAlpha = 0.4 + 0.6 * share;
        g.fillRect(x, i * lane + 2, Math.max(1, w - thin), lane - 4);
      }
    }
    g.globalAlpha = 1;
    const end = this.x(engine.calls + 1);
    if (engine.active && end < width - 1) {
      g.fillStyle = colours.ink;
      g.fillRect(Math.round(end), 0, 1, height);
    }
    this.move(this.call);
  }

  /** For each lane the marks {x, w, share of the calls below it}: one a call, or one a pixel. */
  bins(width) {
    const { engine, top, first } = this;
    const marks = [[], [], []];
    const lanes = (call) => [engine.is("kept", call, top) ? 0 : 1, engine.level(call) === top ? 2 : -1];
    const across = width / (this.last - first + 1);
    if (across >= 1) {
      for (let call = first; call <= engine.calls; call++) {
        const mark = { x: this.x(call), w: across, share: 1 };
        for (const lane of lanes(call)) if (lane >= 0) marks[lane].push(mark);
      }
      return marks;
    }
    const counts = LANES.map(() => new Uint32Array(Math.ceil(width) + 1));
    const calls = new Uint32Array(Math.ceil(width) + 1);
    for (let call = first; call <= engine.calls; call++) {
      const x = Math.floor(this.x(call));
      calls[x]++;
      for (const lane of lanes(call)) if (lane >= 0) counts[lane][x]++;
    }
    counts.forEach((bin, lane) => bin.forEach((n, x) => {
      if (n) marks[lane].push({ x, w: 1, share: n / calls[x] });
    }));
    return marks;
  }

  x(call) {
    return ((call - this.first) / (this.last - this.first + 1)) * this.width;
  }

  /** Put the playhead on a call, `fraction` of it done. */
  move(call, fraction = 0.5, text = null) {
    this.call = call;
    this.playhead.hidden = !call;
    if (!call || !this.width) return;
    const x = this.x(Math.min(call + fraction, this.last + 1));
    this.playhead.style.transform = `translateX(${x.toFixed(1)}px)`;
    this.track.setAttribute("aria-valuenow", call);
    if (text !== null) this.track.setAttribute("aria-valuetext", `Call ${count(call)}. ${text}`);
  }

  listen() {
    const { track } = this;
    let held = false, timer = 0, last = 0;
    const scrub = (event, exact) => {
      const box = track.getBoundingClientRect();
      const share = Math.max(0, Math.min(0.999999, (event.clientX - box.left) / box.width));
      const call = this.first + Math.floor(share * (this.last - this.first + 1));
      last = Math.max(this.first, Math.min(call, this.engine?.calls ?? 1));
      if (!this.engine?.calls) return;
      this.act.scrub(last, exact);
    };
    track.addEventListener("pointerenter", () => this.act.approach());
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      held = true;
      track.setPointerCapture(event.pointerId);
      this.act.hold(true);
      scrub(event, false);
    });
    track.addEventListener("pointermove", (event) => {
      if (!held) return;
      scrub(event, false);
      clearTimeout(timer);
      timer = setTimeout(() => held && this.engine?.calls && this.act.scrub(last, true), REST);
    });
    const release = (event) => {
      if (!held) return;
      held = false;
      clearTimeout(timer);
      if (event.type === "pointerup") scrub(event, true);
      else if (last) this.act.scrub(last, true);
      this.act.hold(false);
    };
    track.addEventListener("pointerup", release);
    track.addEventListener("pointercancel", release);
  }

  close() {
    this.observer.disconnect();
  }
}

/** 1, 2 or 5 times a power of ten, at least 100. */
function roundUp(n) {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 100)));
  return [1, 2, 5, 10].map((m) => m * power).find((m) => m >= n);
}
