// <po-amounts>: an action that puts amounts on places, such as a bid, as the game describes it.

import { button, fill, h, icon, say, segments, toast } from "../dom.js";
import { cellOf, nameOf } from "../elements/cells.js";
import { ICONS } from "../icons.js";
import { listed, sum } from "../words.js";

const SIZES = /** @type {[string, string][]} */ ([["1", "1"], ["5", "5"], ["10", "10"]]);
const TYPING_MS = 1200;
/** Places of a board that all have a slider; among more, the one that was chosen last has. */
const MOST_ROWS = 6;

/** Events: `choose` with `{action}` as `detail`. */
export class AmountsControl extends HTMLElement {
  /** @type {Map<string, number>} place -> amount, kept while the page shows other plies */
  #amounts = new Map();
  /** @type {Set<string>} */
  #words = new Set();
  #turn = "";
  /** What one click adds to a cell. */
  #size = 1;
  /** @type {string | null} the cell whose amount is shown */
  #cell = null;
  #typed = { cell: "", digits: "", at: 0 };
  /** @type {(() => void)[]} */
  #updates = [];

  /**
   * @param {import("../elements/board.js").Board} board whose cells can be places
   * @param {import("../match_model.js").MatchModel} model
   */
  constructor(board, model) {
    super();
    this.board = board;
    this.model = model;
    this.#on("choose", (cell, _, amount) => this.#set(cell, amount + this.#size));
    this.#on("contextmenu", (cell, _, amount) => this.#set(cell, amount - this.#size));
    this.#on("wheel", (cell, event, amount) => this.#set(cell, amount + (event.deltaY < 0 ? 1 : -1)));
    this.#on("keydown", (cell, event, amount) => this.#key(cell, event.key, amount));
    this.#on("focusin", (cell) => this.#select(cell));
  }

  /** The amounts that the person at the controls can choose. */
  get #form() {
    return /** @type {import("../types.js").Amounts} */ (this.model.match.amounts[this.model.player ?? ""]);
  }

  /** True if the places are cells of the board. */
  get #isOnBoard() {
    return Object.keys(this.#form.places).some((place) => this.board.cell(place));
  }

  /** The places with a slider. */
  get #rows() {
    const places = Object.keys(this.#form.places);
    return !this.#isOnBoard || places.length <= MOST_ROWS ? places : places.filter((place) => place === this.#cell);
  }

  get #total() {
    return sum(this.#amounts.values());
  }

  /** The text of the action. */
  get #action() {
    const { action, places, is_named } = this.#form;
    const amounts = Object.keys(places).map((place) => ({ place, amount: this.amount(place) }));
    const parts = is_named ? amounts.filter(({ amount }) => amount).map(({ place, amount }) => `${place}:${amount}`)
      : amounts.map(({ amount }) => amount);
    return `${action}(${[...parts, ...this.#words].join(",")})`;
  }

  /** What is wrong with the amounts, "" if nothing is. */
  get #problem() {
    const { places, total: [least, most], limits } = this.#form;
    const wrong = Object.keys(places).find((place) => Number.isNaN(this.amount(place)));
    if (wrong) return `An amount is a whole number from ${places[wrong].join(" to ")}.`;
    if (this.#total < least || this.#total > most)
      return `${this.#total} in all, and ${least === most ? "" : `from ${least} to `}${most} are allowed.`;
    for (const [number, groups] of limits) {
      const used = Object.keys(groups).filter((name) => groups[name].some((place) => this.#amounts.has(place)));
      if (used.length > number) return `At most ${number} of ${listed(used)}.`;
    }
    const legal = this.model.match.legal[this.model.player ?? ""];
    return !legal || legal.includes(this.#action) ? "" : `${this.#action} is not legal.`;
  }

  /**
   * Return true for a cell that can get an amount.
   *
   * @param {string} cell
   */
  isOpen(cell) {
    return this.model.canPlay && cell in (this.#form?.places ?? {});
  }

  /**
   * Return true for an action that the control chooses.
   *
   * @param {string} action
   */
  has(action) {
    return !this.hidden && action.startsWith(`${this.#form.action}(`);
  }

  /**
   * @param {string} place
   */
  amount(place) {
    return this.#amounts.get(place) ?? 0;
  }

  show() {
    const { match, player, canPlay } = this.model;
    this.hidden = !canPlay || !this.#form;
    if (this.hidden) {
      fill(this);
      return this.board.setAmounts(new Map());
    }
    const turn = `${match.id} ${match.ply} ${player}`;
    if (turn !== this.#turn) {
      [this.#turn, this.#cell, this.#words] = [turn, null, new Set()];
      this.#amounts = new Map(Object.entries(this.#form.places)
        .map(([place, [least]]) => /** @type {const} */ ([place, least])).filter(([, least]) => least));
    } else if (this.firstElementChild) return this.#update(); // keep what is being typed
    this.#build();
  }

  /**
   * Listen to what happens on the cells that can get an amount.
   *
   * @param {string} kind
   * @param {(cell: string, event: any, amount: number) => boolean | void} act returns false for an event that it does
   *   not use
   */
  #on(kind, act) {
    this.board.addEventListener(kind, (/** @type {any} */ event) => {
      const cell = cellOf(event.target);
      const name = kind === "choose" ? event.detail.name : cell && nameOf(cell);
      if (!name || !this.isOpen(name) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (act(name, event, this.amount(name)) !== false) event.preventDefault();
    }, { passive: false });
  }

  /**
   * @param {string} cell
   * @param {string} key
   * @param {number} amount
   */
  #key(cell, key, amount) {
    const now = Date.now();
    const { digits, at, cell: before } = this.#typed;
    const typed = !/^\d$/.test(key) ? "" : cell === before && now - at < TYPING_MS ? `${digits}${key}`.slice(-3) : key;
    this.#typed = { cell, digits: typed, at: now };
    if (typed) this.#set(cell, Number(typed));
    else if (key === "+" || key === "=") this.#set(cell, amount + this.#size);
    else if (key === "-") this.#set(cell, amount - this.#size);
    else if (key === "Backspace" || key === "Delete") this.#set(cell, 0);
    else return false;
    return true;
  }

  /**
   * @param {string} place
   * @param {number} wanted not a number: what is typed is none that can be chosen
   */
  #set(place, wanted) {
    const { places: { [place]: [least, most] }, total } = this.#form;
    const rest = this.#isOnBoard ? total[1] - this.#total + this.amount(place) : most;
    const amount = Math.max(least, Math.min(wanted, most, rest));
    if (amount !== 0) this.#amounts.set(place, amount);
    else this.#amounts.delete(place);
    if (this.#isOnBoard) this.#select(place);
    this.#update();
    say(`${place}: ${amount}. ${this.#total} of ${total[1]}.${wanted > rest ? " No more are left." : ""}`);
  }

  /**
   * @param {string} cell
   */
  #select(cell) {
    if (cell === this.#cell) return;
    const before = this.#rows.join();
    this.#cell = cell;
    if (this.#rows.join() !== before) this.#build();
    else this.#update();
  }

  #build() {
    const { places, total, words, rule } = this.#form;
    const cells = this.#isOnBoard;
    const sums = h("strong");
    const meter = h("span", { class: "meter" }, h("i"));
    const problem = h("p", { class: "problem", role: "alert" });
    const choose = h("button", { class: "button primary wide", "data-key": "choose" });
    const clear = button("Clear", () => this.#replace(new Map()), { class: "button small", "data-key": "clear" });
    this.#updates = [() => {
      fill(sums, this.#total);
      meter.style.setProperty("--part", String(total[1] ? this.#total / total[1] : 0));
      fill(problem, this.#problem);
      choose.disabled = Boolean(this.#problem);
      fill(choose, `Choose ${this.#form.is_named ? `${this.#total} in all` : this.#action}`);
      clear.disabled = !this.#amounts.size;
    }];
    fill(this, h("form", { class: "amounts", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("choose", { detail: { action: this.#action } }));
    } }, [
      rule && h("p", { class: "rule" }, rule),
      Object.keys(places).length > 1 && h("div", { class: "total" }, sums, h("span", {}, ` of ${total[1]}`), meter),
      cells && segments("What a click adds", "size", SIZES, String(this.#size),
        (size) => void (this.#size = Number(size))),
      this.#rows.map((place) => this.#row(place)),
      words.map((word) => {
        const box = h("input", { type: "checkbox", checked: this.#words.has(word), onchange: () => {
          this.#words[box.checked ? "add" : "delete"](word);
          this.#update();
        } });
        return h("label", { class: "row" }, box, `Add the ${word}`);
      }),
      problem,
      cells && h("div", { class: "row" }, clear,
        button([icon(ICONS.copy), "Copy the last amounts"], () => this.#copy(),
          { class: "button small", disabled: !this.#last, "data-key": "copy",
            title: "Its places that are still open" })),
      choose,
    ]));
    this.#update();
  }

  #update() {
    for (const update of this.#updates) update();
    this.board.setAmounts(this.#amounts);
    if (this.#cell) this.board.setMarked([this.#cell]);
  }

  /**
   * Return a slider and a number for the amount of a place.
   *
   * @param {string} place
   */
  #row(place) {
    const [min, max] = this.#form.places[place];
    const bounds = { min, max, step: 1 };
    const slider = h("input", { type: "range", ...bounds, disabled: min === max, "aria-label": `Slider of ${place}`,
      oninput: () => this.#set(place, Number(slider.value)) });
    const number = h("input", { type: "number", ...bounds, inputmode: "numeric", "data-key": "count",
      "aria-label": `Amount of ${place}`, oninput: () => {
      this.#set(place, number.value !== "" && number.checkValidity() ? Number(number.value) : NaN);
    } });
    this.#updates.push(() => {
      const amount = this.amount(place);
      if (Number.isNaN(amount)) return;
      slider.value = String(amount);
      slider.style.setProperty("--part", String(max > min ? (amount - min) / (max - min) : 0));
      if (number.value !== String(amount)) number.value = String(amount);
    });
    const step = (/** @type {string} */ sign, /** @type {number} */ by) =>
      button(sign, () => this.#set(place, (this.amount(place) || 0) + by * (this.#isOnBoard ? this.#size : 1)),
        { class: "button square", "aria-label": `${by < 0 ? "Less" : "More"} on ${place}` });
    return h("div", { class: "amount-row" }, h("span", { class: "place-name" }, place), step("−", -1), slider,
      step("+", 1), number);
  }

  /** The last amounts of the player with names of places, or undefined. */
  get #last() {
    const { history } = this.model.match;
    return history.map((ply) => this.model.words.amounts(ply[this.model.player ?? ""] ?? ""))
      .filter((one) => one?.total).at(-1);
  }

  #copy() {
    let rest = this.#form.total[1];
    const kept = [...(this.#last?.amounts ?? [])].filter(([place]) => this.isOpen(place)).map(([place, amount]) => {
      const most = Math.min(amount, rest);
      rest -= most;
      return /** @type {const} */ ([place, most]);
    });
    this.#replace(new Map(kept.filter(([, amount]) => amount)));
    if (!this.#amounts.size) toast("No place of the last amounts is open any more.");
  }

  /**
   * @param {Map<string, number>} amounts
   */
  #replace(amounts) {
    [this.#amounts, this.#cell] = [amounts, null];
    this.board.setMarked([]);
    this.#build();
    say(`${this.#total} of ${this.#form.total[1]}.`);
  }
}

customElements.define("po-amounts", AmountsControl);
