// <po-moves>: the plies of a match to step through.

import { button, fill, h, icon } from "../dom.js";
import { ICONS } from "../icons.js";
import { markOf } from "../picture.js";
import { saidPlayer } from "../words.js";

/** Events: `show` with the number of plies as `detail`. */
export class Moves extends HTMLElement {
  #list = h("ol", { class: "plies", "aria-label": "Moves" });
  #steps = h("div", { class: "steps" });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = {};

  constructor() {
    super();
    const make = (/** @type {string} */ name, /** @type {string} */ path, /** @type {string} */ label) => {
      this.#buttons[name] = button(icon(path), () => this.#go(name),
        { class: "quiet", "aria-label": label, title: label });
      return this.#buttons[name];
    };
    this.#steps.append(
      make("first", ICONS.first, "First position"),
      make("back", ICONS.back, "One back"),
      make("forward", ICONS.forward, "One forward"),
      make("last", ICONS.last, "Newest position"),
    );
    fill(this, this.#list, this.#steps);
    this.#list.addEventListener("keydown", (event) => {
      const step = { ArrowUp: "back", ArrowLeft: "back", ArrowDown: "forward", ArrowRight: "forward", Home: "first",
        End: "last" }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#go(step);
    });
  }

  #ply = 0;
  #count = 0;

  /**
   * @param {{match: Pick<import("../types.js").Match, "history" | "players" | "ply">, ply: number, words:
   *   import("../words.js").Words}} model
   * @param {import("../picture.js").Picture} picture
   */
  show(model, picture) {
    const { words, match: { history, players } } = model;
    [this.#ply, this.#count] = [model.ply, model.match.ply];
    const hadFocus = this.#list.contains(document.activeElement);
    fill(this.#list, history.map((ply, number) => {
      const isShown = number + 1 === this.#ply;
      const acts = Object.entries(ply).filter(([, action]) => action !== "noop");
      return h("li", {}, h("button", {
        type: "button",
        class: `ply${acts.every(([player]) => player === "chance") ? " chance" : ""}`,
        "aria-current": isShown ? "step" : null,
        tabindex: isShown || (this.#ply === 0 && number === 0) ? "0" : "-1",
        onclick: () => this.#show(number + 1),
      }, [
        h("span", { class: "unseen" }, `${number + 1}: ${words.ply(ply)}`),
        h("span", { class: "ply-number", "aria-hidden": "true" }, number + 1),
        h("span", { class: "acts", "aria-hidden": "true" },
          acts.map(([player, action]) => h("span", { class: "act", title: `${saidPlayer(player)}: ${action}` }, [
          players.includes(player) && markOf(picture.seats.get(player)),
          h("span", {}, words.short(action)),
        ]))),
      ]));
    }));
    if (!history.length) fill(this.#list, h("li", { class: "empty" }, "No moves yet"));
    for (const name of ["first", "back"]) this.#buttons[name].disabled = this.#ply === 0;
    for (const name of ["forward", "last"]) this.#buttons[name].disabled = this.#ply === this.#count;
    const current = this.#list.querySelector("[aria-current]")
      ?? (this.#ply === 0 ? this.#list.firstElementChild : null);
    if (current) keepInView(this.#list, /** @type {HTMLElement} */ (current));
    if (hadFocus)
      /** @type {HTMLElement | null} */ (this.#list.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
  }

  /**
   * @param {string} name
   */
  #go(name) {
    this.#show({ first: 0, back: this.#ply - 1, forward: this.#ply + 1, last: this.#count }[name] ?? 0);
  }

  /**
   * @param {number} ply
   */
  #show(ply) {
    this.dispatchEvent(new CustomEvent("show", { detail: Math.max(0, Math.min(ply, this.#count)) }));
  }
}

/**
 * Scroll a list, and not the page.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function keepInView(list, item) {
  const row = /** @type {HTMLElement} */ (item.closest("li") ?? item);
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + row.offsetHeight - list.clientHeight;
}

customElements.define("po-moves", Moves);
