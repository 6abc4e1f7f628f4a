// <po-line>: the principal line of an analysis. A step that is pointed at, or has the focus, shows its position.

import { api } from "../api.js";
import { fill, h } from "../dom.js";
import { readPicture } from "../picture.js";
import { still } from "./board.js";

const MOST_STEPS = 12;

/** @typedef {import("../types.js").Ply} Ply */

/** Events: `line` with the actions up to a step as `detail`, [] when it is left. */
export class Line extends HTMLElement {
  #steps = h("div", { class: "line-steps", role: "group", "aria-label": "Line" });
  #peek = h("figure", { class: "peek", hidden: true });
  #shown = "";
  /** @type {Ply[]} */
  #plies = [];
  /** @type {{game: string, state: string | null}} */
  #root = { game: "", state: null };
  /** Number of the step whose position is shown; -1: none. */
  #at = -1;

  constructor() {
    super();
    fill(this, this.#steps, this.#peek);
    for (const kind of ["pointerover", "focusin"]) this.addEventListener(kind, (event) => this.#point(event.target));
    for (const kind of ["pointerleave", "focusout"]) this.addEventListener(kind, () => this.#leave());
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.#leave());
  }

  /**
   * @param {Ply[]} line
   * @param {{game: string, state: string | null}} root position at its beginning
   * @param {import("../words.js").Words} words
   */
  show(line, root, words) {
    this.hidden = line.length === 0;
    const text = JSON.stringify([root, line]);
    if (text === this.#shown) return;
    const focused = [...this.#steps.children].indexOf(/** @type {Element} */ (document.activeElement));
    this.#shown = text;
    this.#root = root;
    this.#plies = line.slice(0, MOST_STEPS);
    fill(this.#steps, this.#plies.map(
      (ply) => h("button", { type: "button", class: "line-step" }, Object.values(ply)
        .map((action) => words.short(action)).join(" | "), h("span", { class: "unseen" }, `: ${words.ply(ply)}`))));
    if (focused >= 0)
      /** @type {HTMLElement | undefined} */ (this.#steps.children[Math.min(focused, this.#plies.length - 1)])?.focus(
      { preventScroll: true });
    else if (this.#at >= 0) this.#draw(Math.min(this.#at, this.#plies.length - 1));
  }

  /**
   * @param {EventTarget | null} target
   */
  #point(target) {
    const step = target instanceof Element ? target.closest(".line-step") : null;
    if (step) this.#draw([...this.#steps.children].indexOf(step));
  }

  /**
   * Show the position after a step.
   *
   * @param {number} at
   */
  async #draw(at) {
    this.#at = at;
    const plies = this.#plies.slice(0, at + 1);
    this.#tell(plies.flatMap((ply) => Object.values(ply)));
    if (this.#root.state === null) return;
    const shown = this.#shown;
    try {
      const { svg } = await api.position({ ...this.#root, plies, size: null });
      if (this.#at !== at || this.#shown !== shown) return;
      const picture = readPicture(svg);
      fill(this.#peek, still(picture), h("figcaption", {}, `${plies.length} ahead: ${picture.heading}`));
      this.#peek.hidden = false;
    } catch {
      this.#peek.hidden = true;
    }
  }

  #leave() {
    this.#at = -1;
    this.#peek.hidden = true;
    this.#tell([]);
  }

  /**
   * @param {string[]} actions
   */
  #tell(actions) {
    this.dispatchEvent(new CustomEvent("line", { detail: actions }));
  }
}

customElements.define("po-line", Line);
