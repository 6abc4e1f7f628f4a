// What the coach says about the last move of the person. The view of a match loads it when it is switched on.

import { attempt, button, fill, h, say } from "../dom.js";
import { remember } from "../memory.js";
import { plural } from "../words.js";

const LEAST_COST = 1;
const NUMBERS = ["", "", "two", "three", "four", "five", "six"];

export class Coach {
  #isOn = false;
  /** @type {string[]} cells of the better move */
  #cells = [];
  /** Number of judgements that were begun or given up. */
  #begun = 0;

  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {import("../elements/board.js").Board} board shows the better move
   * @param {HTMLElement} toggle its switch
   */
  constructor(model, board, toggle) {
    this.model = model;
    this.board = board;
    this.toggle = toggle;
    this.element = h("div", { class: "analysis-body" });
  }

  /** Mark the better move, also on a board that is drawn again. */
  show() {
    if (this.#cells.length && !this.model.shown) this.board.setMarked(this.#cells);
  }

  /** Judge the move that the person has just made, unless it was the only one. */
  follow() {
    const { match, before, player } = this.model;
    if (!before || player === null) return;
    const [now, then] = [match, before].map(({ history }) => history.filter((ply) => player in ply).length);
    if (now === then || (now > then && before.legal[player]?.length === 1)) return;
    this.#clear();
    if (now > then && this.#isOn && match.assist)
      attempt(() => this.#judge(player, match.history.findLastIndex((ply) => player in ply)));
  }

  /** Switch it on, or off again. */
  turn() {
    this.#isOn = !this.#isOn;
    remember("playout.coach", this.#isOn ? "on" : "off");
    this.toggle.setAttribute("aria-pressed", String(this.#isOn));
    fill(this.toggle, this.#isOn ? "On" : "Off");
    this.#clear();
  }

  #clear() {
    this.#begun += 1;
    if (this.#cells.length) this.board.setMarked([]);
    this.#cells = [];
    fill(this.element);
  }

  /**
   * @param {string} player
   * @param {number} ply number of plies before the move
   */
  async #judge(player, ply) {
    const { model } = this;
    const begun = this.#begun;
    fill(this.element, h("p", { class: "muted" }, "Searching…"));
    try {
      const found = await model.api.coach(player, ply);
      if (begun !== this.#begun) return;
      const { lines, cells } = judged(found, model.words);
      fill(this.element, lines.map((line) => h("p", {}, line)), cells && model.match.can_undo
        && button("Take it back", () => model.change("undo"), { class: "button small", id: "take-back" }));
      say(lines.join(" "));
      this.#cells = cells ?? [];
      this.show();
    } catch (error) {
      if (begun === this.#begun) this.#clear();
      throw error;
    }
  }
}

/**
 * Return sentences about a move, and the cells of a better one; null if there is none.
 *
 * @param {import("../types.js").Coached} found
 * @param {import("../words.js").Words} words which learn the notation of the moves
 * @returns {{lines: string[], cells: string[] | null}}
 */
function judged({ action, cost, best, reply, written }, words) {
  if (cost === null) return { lines: ["This move was not measured."], cells: null };
  words.learn(written);
  const told = (/** @type {import("../types.js").ToldAction} */ one) => {
    const row = one.row ? `: ${NUMBERS[one.row] ?? one.row} in a row` : "";
    return `${words.short(one.action)}${one.wins ? " wins" : ""}${row}`;
  };
  const better = best && best.action !== action && cost >= LEAST_COST ? best : null;
  const price = `${words.short(action)} cost ${better ? plural(Math.round(cost), "point") : "nothing"}`;
  const lines = [best?.wins && !better ? told(best) : price, better && `Better: ${told(better)}`,
    reply && `Best reply: ${told(reply)}`];
  const cells = better && [...better.cells, ...(words.amounts(better.action)?.amounts.keys() ?? [])];
  return { lines: lines.flatMap((line) => (line ? [`${line}.`] : [])), cells };
}
