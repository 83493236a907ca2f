// The player's buttons.

import { button, choices, menu, tool } from "../base/buttons.js";
import { h, icon, say } from "../base/dom.js";
import { ACTIVE } from "../run/engine.js";

const SPEEDS = Object.fromEntries([0.25, 0.5, 1, 2, 4, 8].map((speed) => [speed, `${speed}×`]));
export const KINDS = { kept: "kept", reverted: "reverted", restart: "restart", best: "new best" };

export class Bar {
  /** `act` is the Controls object with the actions of the buttons. @param {any} act @param {HTMLElement} takeAway */
  constructor(act, takeAway) {
    this.run = button({ class: "pv-run", onclick: () => act.run() }, "Run");
    const named = h("span", { class: "pv-play-word" }, "Play"); // visible only for a preview
    this.play = button({ class: "pv-play", onclick: () => act.toggle() }, named, icon("play"), icon("pause"));
    this.live = button({ class: "pv-live", onclick: () => act.live(), title: "Follow the search (L)",
      "aria-pressed": "false" }, h("span", { class: "pv-dot" }), "Live");
    this.pace = menu("Pace", {}, "", (value) => act.pace(Number(value) || value));
    this.pace.append(...choices({ story: "Story" }, "story"), h("optgroup", { label: "Every call" },
      ...choices(SPEEDS, "")));
    this.kind = menu("Kind to jump to", KINDS, "kept",
      (kind) => (act.kind = kind));
    this.act = act;
    const transport = h("div", { class: "pv-transport", role: "group", "aria-label": "Playback" },
      tool("restartBack", "Previous restart", "", () => act.step("restart", -1)),
      tool("callBack", "Back one call", "shift + left", () => act.step("call", -1)),
      tool("frameBack", "Back one frame", "left", () => act.step("frame", -1)),
      this.play,
      tool("frameForward", "Forward one frame", "right", () => act.step("frame", 1)),
      tool("callForward", "Forward one call", "shift + right", () => act.step("call", 1)),
      tool("restartForward", "Next restart", "", () => act.step("restart", 1)));
    const jumps = h("div", { class: "pv-jumps", role: "group", "aria-label": "Jump" },
      tool("previous", "Previous of this kind", "P", () => act.jump(-1)), this.kind,
      tool("next", "Next of this kind", "N", () => act.jump(1)));
    const zoom = h("div", { class: "pv-zoom", role: "group", "aria-label": "Timeline" },
      tool("fewer", "Show fewer calls", "+", () => act.zoom(0.5)),
      tool("more", "Show more calls", "−", () => act.zoom(2)),
      tool("restart", "Show this restart", "Z", () => act.zoom("restart")),
      tool("all", "Show all calls", "0", () => act.zoom("all")));
    const help = button({ class: "pv-help-button", "aria-label": "Keys", title: "Keys (?)",
      onclick: () => act.help() }, "?");
    this.view = button({ class: "pv-view", "aria-pressed": "false", onclick: () => act.view() }, "Lab");
    this.present = button({ class: "pv-present-button", "aria-label": "Present", "aria-pressed": "false",
      title: "Presentation mode: only the player, in large type (F)", onclick: () => act.present() }, icon("present"));
    this.classroom = button({ class: "pv-class-button", hidden: true, title: "Show or hide the address for phones (C)",
      onclick: () => act.classroom("c") }, "Class");
    this.node = h("div", { class: "pv-bar" }, this.run, transport, this.live, this.pace, jumps, zoom,
      h("span", { class: "pv-spring" }), this.view, this.classroom, takeAway, this.present, help);
    this.show({ state: "ready" }, "paused", 1);
  }

  /** List the kinds of calls to jump to, including redraws on middle levels. @param {number} m */
  levels(m) {
    const middle = Array.from({ length: Math.max(0, m - 2) }, (_, i) => `level ${i + 2}`);
    const kinds = { ...KINDS, ...Object.fromEntries(middle.map((name) => [name, name])) };
    if (!(this.act.kind in kinds)) this.act.kind = "kept";
    this.kind.replaceChildren(...choices(kinds, this.act.kind));
  }

  /** Hide Run and Live if `fixed` is true, because a replay has no search. @param {boolean} fixed */
  fix(fixed) {
    this.run.hidden = this.live.hidden = fixed;
  }

  /**
   * Set the button that switches between the lab and the simple view; hide it unless a simple view is `offered`.
   * @param {boolean} on @param {boolean} offered
   */
  lab(on, offered) {
    this.view.hidden = !offered;
    this.view.setAttribute("aria-pressed", String(on));
    this.view.title = on ? "Simple view: both searches side by side (D)"
      : "Lab: levels, timeline, every call, counters, Algorithm 1 (D)";
  }

  /** Show the button of a class if this browser leads a class. @param {boolean} leads */
  leads(leads) {
    this.classroom.hidden = !leads;
  }

  /** Show whether presentation mode is on. @param {boolean} on */
  presents(on) {
    this.present.setAttribute("aria-pressed", String(on));
    this.present.title = on ? "Leave (F, Esc)" : "Presentation mode: only the player, in large type (F)";
  }

  /**
   * Update the buttons. `hindered` is the reason why no search can start.
   * @param {{state: string, resumable?: boolean}} head @param {Mode} mode @param {string | number} pace
   * @param {string} [hindered]
   */
  show({ state, resumable }, mode, pace, hindered) {
    const active = ACTIVE.includes(state);
    say(this.run, active ? "Stop" : resumable ? "Continue" : "Run");
    this.run.classList.toggle("pv-stop", active);
    this.run.title = active ? "Stop the search and keep its result" : hindered || (resumable ? "Continue the search" : "Start the search");
    this.run.setAttribute("aria-disabled", String(!active && hindered !== ""));
    const playing = mode !== "paused";
    if (this.play.getAttribute("aria-label") !== (playing ? "Pause" : "Play")) {
      this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
      this.play.title = playing ? "Pause (space)" : "Play (space)";
    }
    this.play.classList.toggle("pv-playing", playing);
    this.live.setAttribute("aria-pressed", String(mode === "live"));
    if (this.pace.value !== String(pace)) this.pace.value = String(pace);
  }
}
