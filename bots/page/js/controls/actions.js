// Actions that no cell stands for, as buttons; or as typed text where a game cannot list them.

import { button, fill, h } from "../dom.js";

const MOST_BUTTONS = 24;

/** Events: `choose` with `{action}` as `detail`. */
export class ActionButtons extends HTMLElement {
  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {(action: string) => boolean} hasControl true for actions that the board or another control chooses
   */
  show(model, hasControl) {
    const legal = model.canPlay && model.player !== null ? model.match.legal[model.player] : [];
    const rest = legal?.filter((action) => !hasControl(action)) ?? [];
    this.hidden = legal !== null && rest.length === 0;
    if (legal === null) fill(this, this.#typed());
    else if (rest.length > MOST_BUTTONS) fill(this, this.#list(rest));
    else fill(this, h("div", { class: "row" },
      rest.map((action) => button(labelOf(action, model.words), () => this.#choose(action)))));
  }

  /**
   * @param {string[]} actions
   */
  #list(actions) {
    const select = h("select", { "aria-label": "Action" },
      actions.map((action) => h("option", { value: action }, action)));
    return h("div", { class: "row" }, select,
      button("Play", () => this.#choose(select.value), { class: "button primary" }));
  }

  #typed() {
    const input = h("input", { type: "text", name: "action", autocomplete: "off", "aria-label": "Action",
      placeholder: "an action in full" });
    return h("form", { class: "row", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (input.value.trim()) this.#choose(input.value.trim());
    } }, input, h("button", { class: "button primary" }, "Play"));
  }

  /**
   * @param {string} action
   */
  #choose(action) {
    this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }
}

/**
 * @param {string} action
 * @param {import("../words.js").Words} words
 */
export function labelOf(action, words) {
  const short = words.short(action).replace(/[()]+/g, " ").trim();
  return short[0].toUpperCase() + short.slice(1);
}

customElements.define("po-actions", ActionButtons);
