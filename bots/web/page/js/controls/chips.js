// <po-chips>: a sealed bid of chips on the tiles of nine boards.

import { button, fill, h, icon, say, toast } from "../dom.js";
import { ICONS } from "../icons.js";
import { plural, sum } from "../words.js";
import { ChipGestures } from "./chip_gestures.js";
import { actionOf, isOpen, lastBid, ruleOf, whyWrong } from "./chip_rules.js";

const SIZES = [1, 5, 10];

/** Events: `choose` with `{action}` as `detail`. */
export class ChipBid extends HTMLElement {
  /** @type {Map<string, number>} */
  #bid = new Map();
  #turn = "";
  #size = 1;
  /** @type {string | null} */
  #tile = null;
  /** @type {import("../match_model.js").MatchModel | null} */
  #model = null;
  /** @type {import("../elements/board.js").Board | null} */
  #board = null;

  /**
   * Let pointer and keys on a board build the bid.
   *
   * @param {import("../elements/board.js").Board} board
   * @param {import("../match_model.js").MatchModel} model
   */
  attach(board, model) {
    this.#board = board;
    this.#model = model;
    new ChipGestures(board, {
      isActive: () => this.isConnected && !this.hidden,
      isOpen: (tile) => this.isOpen(tile),
      size: () => this.#size,
      amount: (tile) => this.#bid.get(tile) ?? 0,
      set: (tile, count) => this.#set(tile, count),
      select: (tile) => this.#select(tile),
    });
  }

  /**
   * @param {import("../match_model.js").MatchModel} model
   */
  show(model) {
    const { match, player } = model;
    this.hidden = !model.canPlay;
    if (this.hidden) {
      this.#board?.setAmounts(new Map());
      return;
    }
    const turn = `${match.id} ${match.ply} ${player}`;
    if (turn !== this.#turn) [this.#turn, this.#bid, this.#tile] = [turn, new Map(), null];
    this.#draw();
  }

  /**
   * @param {string} tile
   */
  isOpen(tile) {
    if (!this.#model) return false;
    const { match } = this.#model;
    return isOpen(/** @type {any} */ (match.facts), match.game.includes("recapture=true"), tile);
  }

  /**
   * Return the words about a tile that its bid adds.
   *
   * @param {string} tile
   */
  saidTile(tile) {
    const count = this.#bid.get(tile) ?? 0;
    return count ? plural(count, "chip") : "";
  }

  get #facts() {
    return /** @type {import("./chip_rules.js").Facts} */ (this.#model?.match.facts);
  }

  get #seat() {
    return this.#model?.match.players.indexOf(this.#model.player ?? "") ?? 0;
  }

  get #chips() {
    return this.#facts.chips[this.#seat] ?? 0;
  }

  /**
   * @param {string} tile
   * @param {number} count
   */
  #set(tile, count) {
    if (!this.isOpen(tile)) return;
    const rest = this.#chips - sum(this.#bid.values()) + (this.#bid.get(tile) ?? 0);
    const most = Math.max(0, Math.min(count, rest));
    if (most > 0) this.#bid.set(tile, most);
    else this.#bid.delete(tile);
    this.#tile = tile;
    this.#draw();
    say(`${tile}: ${plural(most, "chip")}. ${sum(this.#bid.values())} of ${this.#chips}.${count > rest ? " No more chips." : ""}`);
  }

  /**
   * @param {string} tile
   */
  #select(tile) {
    if (!this.isOpen(tile) || tile === this.#tile) return;
    this.#tile = tile;
    this.#draw();
  }

  #draw() {
    const total = sum(this.#bid.values());
    const wrong = whyWrong(this.#bid, this.#facts, this.#chips);
    const focused = /** @type {HTMLElement | null} */ (this.contains(document.activeElement) ? document.activeElement : null)?.dataset.key;
    this.#board?.setAmounts(this.#bid);
    this.#board?.setMarked(this.#tile ? [this.#tile] : []);
    fill(this, [
      h("p", { class: "rule" }, ruleOf(this.#facts.round)),
      h("div", { class: "total" }, [
        h("strong", {}, total), h("span", {}, ` of ${plural(this.#chips, "chip")}`),
        h("span", { class: "meter", "--part": this.#chips ? total / this.#chips : 0 }, h("i")),
      ]),
      h("div", { class: "chip-row" }, this.#sizes(), this.#stepper()),
      h("p", { class: "problem", role: "alert" }, wrong),
      h("div", { class: "row" }, [
        button("Clear", () => this.#replace(new Map()), { class: "button small", disabled: !this.#bid.size, "data-key": "clear" }),
        button([icon(ICONS.copy), "Copy the last bid"], () => this.#copy(), { class: "button small", disabled: !lastBid(this.#facts, this.#seat), "data-key": "copy", title: "Its tiles that are still open" }),
      ]),
      button(`Seal ${total ? `a bid of ${plural(total, "chip")}` : "an empty bid"}`, () => this.#seal(), { class: "button primary wide", disabled: Boolean(wrong), "data-key": "seal" }),
      this.#spent(),
    ]);
    if (focused) /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  #sizes() {
    return h("div", { class: "sizes", role: "radiogroup", "aria-label": "Chips of one click" }, SIZES.map((size) => h("label", { class: "chip-size", "data-drag": size, title: `Click a tile to add ${size}, or drag it there` }, [
      h("input", { type: "radio", name: "size", value: size, checked: size === this.#size, "data-key": `size${size}`, onchange: () => {
        this.#size = size;
      } }),
      h("span", {}, size),
    ])));
  }

  #stepper() {
    const tile = this.#tile;
    const count = tile ? this.#bid.get(tile) ?? 0 : 0;
    const input = h("input", { type: "number", min: 0, max: this.#chips, value: count, disabled: !tile, inputmode: "numeric", "data-key": "count", "aria-label": tile ? `Chips on ${tile}` : "Chips on the tile", onchange: () => tile && this.#set(tile, Math.max(0, Math.trunc(Number(input.value) || 0))) });
    return h("div", { class: "stepper" }, [
      h("span", { class: "tile-name" }, tile ?? "Tile"),
      button("−", () => tile && this.#set(tile, count - this.#size), { class: "button square", disabled: !count, "aria-label": "Fewer chips", "data-key": "less" }),
      input,
      button("+", () => tile && this.#set(tile, count + this.#size), { class: "button square", disabled: !tile, "aria-label": "More chips", "data-key": "more" }),
    ]);
  }

  #spent() {
    const players = this.#model?.match.players ?? [];
    const rounds = this.#facts.history;
    if (!rounds.length) return null;
    return h("table", { class: "spent" }, [
      h("caption", {}, "Chips spent"),
      h("thead", {}, h("tr", {}, h("td"), rounds.map((_, round) => h("th", { scope: "col" }, `Round ${round + 1}`)), h("th", { scope: "col" }, "Left"))),
      h("tbody", {}, players.map((player, number) => h("tr", {}, [
        h("th", { scope: "row" }, player),
        rounds.map((round) => h("td", {}, round.bids[number] ? sum(round.bids[number] ?? []) : "?")),
        h("td", {}, this.#facts.chips[number] ?? "?"),
      ]))),
    ]);
  }

  /**
   * @param {Map<string, number>} bid
   */
  #replace(bid) {
    this.#bid = bid;
    this.#tile = null;
    this.#draw();
    say(`${plural(sum(bid.values()), "chip")} on ${plural(bid.size, "tile")}.`);
  }

  #copy() {
    const open = [...(lastBid(this.#facts, this.#seat) ?? [])].filter(([tile]) => this.isOpen(tile));
    let rest = this.#chips;
    const bid = new Map();
    for (const [tile, count] of open) {
      const most = Math.min(count, rest);
      if (most > 0) bid.set(tile, most);
      rest -= most;
    }
    this.#replace(bid);
    if (!bid.size) toast("No tile of the last bid is open any more.");
  }

  #seal() {
    this.dispatchEvent(new CustomEvent("choose", { detail: { action: actionOf(this.#bid) } }));
  }
}

customElements.define("po-chips", ChipBid);
