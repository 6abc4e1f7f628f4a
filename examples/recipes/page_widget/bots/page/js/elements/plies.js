// <po-plies>: the number of plies played so far.

import { fill, h } from "../dom.js";

export class Plies extends HTMLElement {
  /** @param {Pick<import("../types.js").Match, "ply">} match */
  show(match) {
    fill(this, h("span", { class: "note" }, `Plies: ${match.ply}`));
  }
}

customElements.define("po-plies", Plies);
