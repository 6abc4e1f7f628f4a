// <po-ask>: the actions that the same clicks mean, such as the pieces that a pawn may become.

import { button, fill, h, say } from "../dom.js";
import { readPicture } from "../picture.js";
import { labelOf } from "./actions.js";

const GAP = 4;

/** Events: `choose` with `{action}` as `detail`; `cancel`. */
export class Ask extends HTMLElement {
  constructor() {
    super();
    this.hidden = true;
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#cancel();
    });
  }

  /**
   * Ask for one of some actions; without any, the list disappears.
   *
   * @param {string[]} actions
   * @param {import("../words.js").Words} words
   * @param {Record<string, string>} [pieces] action -> picture of its piece
   * @param {Element | null} [cell] the cell that was clicked last, beside which pieces are shown
   */
  show(actions, words, pieces = {}, cell = null) {
    this.hidden = actions.length === 0;
    if (this.hidden) {
      fill(this);
      return;
    }
    const drawn = cell === null ? [] : Object.keys(pieces).filter((action) => actions.includes(action));
    const isOfPieces = drawn.length === actions.length;
    this.classList.toggle("pieces", isOfPieces);
    const choices = (isOfPieces ? drawn : actions).map((action) => {
      const choose = () => this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
      if (!isOfPieces) return button(labelOf(action, words), choose);
      const { svg } = readPicture(pieces[action]);
      return button(svg, choose, { class: "piece", "aria-label": svg.querySelector("title")?.textContent ?? action });
    });
    fill(this, h("div", { class: "row", role: "group", "aria-label": "Which action" }, choices,
      button("Cancel", () => this.#cancel(), { class: "button small quiet-text" })));
    this.style.cssText = "";
    if (isOfPieces) this.#place(/** @type {Element} */ (cell));
    choices[0].focus({ preventScroll: true });
    say("Which action?");
  }

  /**
   * Move the list beside a cell, towards the middle of the board.
   *
   * @param {Element} cell
   */
  #place(cell) {
    const [at, own, around] = [cell, this, /** @type {Element} */ (this.parentElement)].map(
      (one) => one.getBoundingClientRect());
    const left = Math.min(Math.max(at.left + at.width / 2 - own.width / 2 - around.left, GAP),
      around.width - own.width - GAP);
    const isAbove = at.top + at.height / 2 < around.top + around.height / 2;
    const top = (isAbove ? at.bottom + GAP : at.top - own.height - GAP) - around.top;
    Object.assign(this.style, { left: `${left}px`, top: `${top}px` });
  }

  #cancel() {
    this.hidden = true;
    this.dispatchEvent(new Event("cancel"));
  }
}

customElements.define("po-ask", Ask);
