// <po-ask>: the actions that the same clicks mean, such as the pieces that a pawn may become.

import { button, fill, h, say } from "../dom.js";
import { labelOf } from "./actions.js";

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
   */
  show(actions) {
    this.hidden = actions.length === 0;
    if (this.hidden) {
      fill(this);
      return;
    }
    const choices = actions.map((action) => button(labelOf(action), () => this.dispatchEvent(new CustomEvent("choose", { detail: { action } }))));
    fill(this, h("div", { class: "row", role: "group", "aria-label": "Which action" }, choices, button("Cancel", () => this.#cancel(), { class: "button small quiet-text" })));
    choices[0].focus({ preventScroll: true });
    say("Which action?");
  }

  #cancel() {
    this.show([]);
    this.dispatchEvent(new Event("cancel"));
  }
}

customElements.define("po-ask", Ask);
