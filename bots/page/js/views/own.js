// Rules of one's own: a rulesheet from a file or an editor, which the server compiles into a game.

import { api } from "../api.js";
import { button, crumbs, fileChooser, fill, h } from "../dom.js";
import { readRules } from "../files.js";

const EXAMPLE = `; title: Twenty-one
; summary: Add 1, 2 or 3 to the count; who reaches 21 wins.

(role first)
(role second)
(init (count 0))
(init (control first))
`;
/** @type {File | null} a file that was dropped on another view */
let dropped = null;

/**
 * Open the editor with a file.
 *
 * @param {File} file
 */
export function openRules(file) {
  dropped = file;
  location.hash = location.hash === "#/rules" ? "#/rules/" : "#/rules"; // another text opens the view again
}

/**
 * @param {HTMLElement} place
 */
export async function showOwnRules(place) {
  document.title = "Your own rules – Playout";
  const { own_rules: isOffered } = await api.info();
  if (!isOffered)
    throw new Error("This server takes no rules of clients. Whoever starts it can allow them with --own-rules.");
  const file = dropped;
  dropped = null;
  const editor = new Editor();
  fill(place, crumbs("Your own rules"), editor.element);
  if (file) await editor.read(file);
}

class Editor {
  #name = "rules.kif";

  constructor() {
    this.text = h("textarea", { id: "rules-text", rows: 22, spellcheck: "false", autocomplete: "off", wrap: "off",
      "aria-label": "Rules in the Game Description Language", "aria-describedby": "rules-problem",
      placeholder: EXAMPLE });
    this.problem = h("div", { id: "rules-problem", role: "alert" });
    this.play = h("button", { class: "button primary", id: "play-rules" }, "Play");
    this.element = h("form", { class: "own-rules", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send();
    } }, [
      h("h1", {}, "Your own rules"),
      h("p", { class: "lead" },
        "Drop a rulesheet, a .kif file in the Game Description Language, on the page, or write one here."),
      this.text,
      this.problem,
      h("div", { class: "row" }, this.play,
        fileChooser("rules-file", ".kif,text/plain", (file) => this.read(file))),
    ]);
  }

  /**
   * Take the text of a file, and play by it.
   *
   * @param {File} file
   */
  async read(file) {
    try {
      this.text.value = await readRules(file);
    } catch (error) {
      this.#show(/** @type {Error} */ (error).message);
      return;
    }
    this.#name = file.name;
    await this.send();
  }

  async send() {
    this.play.disabled = true;
    this.element.setAttribute("aria-busy", "true");
    this.text.removeAttribute("aria-invalid");
    fill(this.problem, h("p", { class: "muted" }, "Compiling…"));
    try {
      const game = await api.addRules(this.text.value, this.#name);
      location.hash = `#/new/${encodeURIComponent(game.key)}`;
    } catch (error) {
      this.#show(/** @type {Error} */ (error).message);
    } finally {
      this.play.disabled = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  /**
   * Show why the rules are refused, and where.
   *
   * @param {string} message
   */
  #show(message) {
    const place = /line (\d+)(?:, column (\d+))?/.exec(message);
    this.text.setAttribute("aria-invalid", "true");
    fill(this.problem, h("p", { class: "problem" }, message),
      place && button(`Go to line ${place[1]}`, () => this.#goTo(Number(place[1]), Number(place[2] ?? 1)),
        { class: "button small" }));
  }

  /**
   * @param {number} line
   * @param {number} column both counted from 1
   */
  #goTo(line, column) {
    const { text } = this;
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    text.focus();
    text.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
    text.scrollTop = (text.scrollHeight * (line - 4)) / lines.length;
  }
}
