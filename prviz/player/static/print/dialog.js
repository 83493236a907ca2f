// The dialog for printing, with the choice of figure, format and width, and a preview.

import { FORMATS, WIDTHS, fileOf } from "./file.js";
import { button, menu } from "../base/buttons.js";
import { h, readColours, say } from "../base/dom.js";
import { hasPart } from "../base/parts.js";
import { openDialog } from "../base/dialog.js";
import { saveFile } from "../base/saving.js";
import { STYLE_SHEET } from "../base/style.js";
import { onPaper } from "./paper.js";

/** @import { Format } from "./file.js" */
/** @type {{format: Format, width: string, words: boolean}} the last choice */
const chosen = { format: "pdf", width: "17", words: true };

/**
 * Open the dialog, and save the chosen figure; `figures` are figures of print/paper.js, at least one.
 * @param {PrintFigure[]} figures @param {string} [theme]
 */
export function askFor(figures, theme = "auto") {
  return new Dialog(figures, theme).preview();
}

/** The dialog, which has its own root, because some pages have charts but no player. */
class Dialog {
  /** @type {Page | undefined} */ page;
  turn = 0;

  /** @param {PrintFigure[]} figures @param {string} theme */
  constructor(figures, theme) {
    this.figures = figures;
    this.figure = figures[0];
    const named = Object.fromEntries(figures.map(({ name }, i) => [i, name]));
    const which = menu("Figure", named, "0", (i) => this.take(figures[Number(i)]));
    const { pdf, ...others } = FORMATS;
    const formats = hasPart("pdf.js") ? { pdf, ...others } : others;
    if (!(chosen.format in formats)) chosen.format = "svg";
    const format = menu("File", formats, chosen.format, (value) => this.choose({ format: /** @type {Format} */ (value) }));
    const width = menu("Width", WIDTHS, chosen.width, (value) => this.choose({ width: value }));
    const words = h("input", { type: "checkbox", checked: chosen.words,
      onchange: () => this.choose({ words: words.checked }) });
    this.image = h("img", { class: "pv-print-preview", alt: "" });
    this.says = h("p", { class: "pv-print-says", role: "status" });
    this.save = button({ class: "pv-run", onclick: () => this.keep() }, "Save");
    const asked = h("div", { class: "pv-print-asked" },
      ...(figures.length > 1 ? [h("label", {}, "Figure", which)] : []),
      h("label", {}, "File", format), h("label", {}, "Width", width), h("label", {}, words, "with title and text"));
    this.root = h("div", { class: "prviz pv-print-root", "data-theme": theme }, h("style", {}, STYLE_SHEET));
    document.body.append(this.root);
    const node = openDialog(this.root, "Figure for print", asked, h("div", { class: "pv-print-paper" }, this.image),
      h("div", { class: "pv-print-ends" }, this.says, this.save));
    node.addEventListener("close", () => this.close());
    readColours(this.root);
  }

  /** @param {Partial<typeof chosen>} change */
  choose(change) {
    Object.assign(chosen, change);
    this.preview();
  }

  /** @param {PrintFigure} figure */
  take(figure) {
    this.figure = figure;
    this.preview();
  }

  /** Show the preview. */
  async preview() {
    const turn = ++this.turn;
    try {
      const page = await onPaper(this.figure, Number(chosen.width), chosen.words);
      if (turn !== this.turn) return;
      this.page = page;
      URL.revokeObjectURL(this.image.src);
      this.image.src = URL.createObjectURL(new Blob([page.svg], { type: "image/svg+xml" }));
      this.image.alt = `${this.figure.name}, as it will be printed`;
      this.image.style.width = `${page.width}px`;
      const [wide, high] = [page.width, page.height].map((side) => (side * 2.54 / 96).toFixed(1));
      say(this.says, `${wide} × ${high} cm, ${FORMATS[chosen.format]}.`);
    } catch (error) {
      this.refuse("drawn", error);
    }
  }

  async keep() {
    this.save.disabled = true;
    try {
      await this.preview();
      if (!this.page) return; // the preview shows the reason
      const { blob, name } = await fileOf(this.figure, this.page, chosen.format);
      saveFile(blob, name);
      say(this.says, `${name}, ${(blob.size / 1000).toFixed(0)} kB.`);
    } catch (error) {
      this.refuse("saved", error);
    } finally {
      this.save.disabled = false;
    }
  }

  /** @param {string} done @param {unknown} error */
  refuse(done, error) {
    say(this.says, `This figure could not be ${done}: ${/** @type {Error} */ (error).message}`);
  }

  close() {
    URL.revokeObjectURL(this.image.src);
    this.root.remove();
  }
}
