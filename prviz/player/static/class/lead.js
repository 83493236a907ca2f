// Load the panel of a class if this browser leads the class.

/** @typedef {import("./panel.js").ClassPanel} ClassPanel */

export class Lead {
  /** @type {ClassPanel | null} null if this browser leads no class */ panel = null;

  /** @param {Theatre} theatre */
  constructor(theatre) {
    this.theatre = theatre;
  }

  /** Lead the class when presentation mode begins, if this browser has opened the lecturer's link. */
  async begin() {
    const { theatre } = this;
    if (!theatre.base) return; // a page without a server
    const base = new URL(theatre.base, document.baseURI);
    const { lecturer = false, join = "", panel = "" } = await fetch(new URL("class/lecturer", base)).then((answer) => answer.json()).catch(() => ({}));
    if (!lecturer) return;
    const { ClassPanel } = await import(new URL(panel, base).href);
    if (!theatre.presenter.on || this.panel) return;
    this.panel = /** @type {ClassPanel} */ (new ClassPanel(theatre, join));
    theatre.stageNode?.append(this.panel.node);
    theatre.bar.leads(true);
  }

  /** Perform the action of a key; return false if this browser leads no class. @param {string} key */
  press(key) {
    return this.panel?.press(key) ?? false;
  }

  /** Do the next step of a class, after Page Down; return false if there is none. @param {Direction} direction */
  step(direction) {
    return this.panel?.step(direction) ?? false;
  }

  /** Reveal the answer that the run has reached, if a class waits for it; return true if the page needs no event. */
  reached() {
    return this.panel?.reached() ?? false;
  }

  /** Record that another run is shown. */
  arrived() {
    this.panel?.arrived();
  }

  end() {
    this.panel?.close();
    this.panel = null;
    this.theatre.bar.leads(false);
  }
}
