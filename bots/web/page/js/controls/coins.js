// <po-coins>: a sealed bid of coins: a slider, a typed number, and the tiebreaker.

import { button, fill, h } from "../dom.js";
import { coinsOf, plural } from "../words.js";

/** Events: `choose` with `{action}` as `detail`. */
export class CoinBid extends HTMLElement {
  /** The bid so far, kept while the page shows other plies. */
  #coins = 0;
  #hasTiebreaker = false;
  #turn = "";

  /**
   * @param {import("../match_model.js").MatchModel} model
   */
  show(model) {
    const { match, player } = model;
    const bids = (player !== null && model.canPlay && match.legal[player]?.map(coinsOf).filter((bid) => bid !== null)) || [];
    this.hidden = bids.length === 0;
    if (this.hidden) {
      fill(this);
      return;
    }
    const turn = `${match.id} ${match.ply} ${player}`;
    if (turn !== this.#turn) [this.#turn, this.#coins, this.#hasTiebreaker] = [turn, 0, false];
    else if (this.firstElementChild) return; // the same bid: keep what is being typed
    this.#build(Math.max(...bids.map((bid) => bid.coins)), bids.some((bid) => bid.hasTiebreaker));
  }

  /**
   * @param {number} most
   * @param {boolean} canAdd true if the player holds the tiebreaker
   */
  #build(most, canAdd) {
    const slider = h("input", { type: "range", min: 0, max: most, step: 1, value: this.#coins, id: "coins", disabled: most === 0, "aria-label": "Coins of the bid" });
    const number = h("input", { type: "number", min: 0, max: most, step: 1, value: this.#coins, inputmode: "numeric", "aria-label": "Coins of the bid as a number" });
    const problem = h("p", { class: "problem", role: "alert" });
    const seal = h("button", { class: "button primary wide" });
    const stack = h("div", { class: "stack", "aria-hidden": "true" });
    const update = (/** @type {string} */ text, /** @type {Element} */ from) => {
      const coins = Number(text);
      const isValid = text.trim() !== "" && Number.isInteger(coins) && coins >= 0 && coins <= most;
      problem.textContent = isValid ? "" : `A bid is a whole number from 0 to ${most}.`;
      seal.disabled = !isValid;
      if (isValid) this.#coins = coins;
      if (from !== slider && isValid) slider.value = String(coins);
      if (from !== number) number.value = String(this.#coins);
      slider.style.setProperty("--part", String(most ? this.#coins / most : 0));
      fill(stack, Array.from({ length: Math.min(most, 40) }, (_, at) => h("i", { class: at < this.#coins ? "in" : null })));
      label();
    };
    const label = () => fill(seal, `Seal a bid of ${plural(this.#coins, "coin")}${this.#hasTiebreaker ? " + tiebreaker" : ""}`);
    slider.addEventListener("input", () => update(slider.value, slider));
    number.addEventListener("input", () => update(number.value, number));
    const step = (/** @type {number} */ by) => {
      update(String(Math.max(0, Math.min(most, this.#coins + by))), seal);
    };
    const tiebreaker = h("input", { type: "checkbox", checked: this.#hasTiebreaker, onchange: () => {
      this.#hasTiebreaker = tiebreaker.checked;
      label();
    } });
    fill(this, h("form", { class: "coin-bid", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#seal();
    } }, [
      h("div", { class: "coin-row" }, [
        button("−", () => step(-1), { "aria-label": "One coin less", class: "button square" }),
        slider,
        button("+", () => step(1), { "aria-label": "One coin more", class: "button square" }),
        number,
      ]),
      stack,
      canAdd && h("label", { class: "check" }, tiebreaker, h("span", {}, "Add the tiebreaker"), h("small", { class: "muted" }, "wins an equal bid, and goes to the other player if you win")),
      problem,
      seal,
    ]));
    update(String(this.#coins), seal);
  }

  #seal() {
    const action = `bid(${this.#coins}${this.#hasTiebreaker ? ",tiebreaker" : ""})`;
    this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }
}

customElements.define("po-coins", CoinBid);
