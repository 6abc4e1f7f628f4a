// The panel of the coach: what the last move of the person cost, a better one, and the best reply.

import { attempt, button, fill, h, say } from "../dom.js";
import { remember, remembered } from "../memory.js";
import { plural } from "../words.js";

const KEY = "playout.coach";
const LEAST_COST = 1;
const NUMBERS = ["", "", "two", "three", "four", "five", "six"];

export class CoachPanel {
  #isOn = remembered(KEY) === "on";
  /** @type {string[]} cells of the better move */
  #cells = [];
  /** Number of judgements that were asked for or given up. */
  #asked = 0;

  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {import("../elements/board.js").Board} board shows the better move
   */
  constructor(model, board) {
    this.model = model;
    this.board = board;
    this.toggle = button("", () => this.#switch(!this.#isOn), { class: "button small", id: "coach" });
    this.body = h("div", { class: "analysis-body" });
    this.element = h("section", { class: "panel", "aria-label": "Coach" }, h("div", { class: "panel-head" }, h("h2", {}, "Coach"), this.toggle), this.body);
    this.#switch(this.#isOn);
  }

  /** Show the better move again, on a board that is drawn again. */
  show() {
    const { match, shown } = this.model;
    this.element.hidden = !match.assist || !match.persons_here.length;
    if (this.#cells.length && !shown) this.board.setMarked(this.#cells);
  }

  /** Judge the move that the person has just made. One that was forced is none. */
  follow() {
    const { match, before, player } = this.model;
    if (!before || player === null) return;
    const moved = (/** @type {import("../types.js").Match} */ { history }) => history.map((ply) => player in ply);
    const count = (/** @type {import("../types.js").Match} */ one) => moved(one).filter(Boolean).length;
    if (count(match) < count(before)) this.#clear();
    if (count(match) <= count(before) || before.legal[player]?.length === 1) return;
    this.#clear();
    if (this.#isOn && match.assist) attempt(() => this.#judge(player, moved(match).lastIndexOf(true)));
  }

  /** @param {boolean} isOn */
  #switch(isOn) {
    if (isOn !== this.#isOn) remember(KEY, isOn ? "on" : "off");
    this.#isOn = isOn;
    this.toggle.setAttribute("aria-pressed", String(isOn));
    fill(this.toggle, isOn ? "On" : "Off");
    this.#clear();
  }

  #clear() {
    this.#asked += 1;
    if (this.#cells.length) this.board.setMarked([]);
    this.#cells = [];
    fill(this.body, this.#isOn && h("p", { class: "muted" }, "Judges each of your moves."));
  }

  /**
   * @param {string} player
   * @param {number} ply number of plies before the move
   */
  async #judge(player, ply) {
    const { model } = this;
    const asked = this.#asked;
    fill(this.body, h("p", { class: "muted" }, "Searching…"));
    const { action, cost, best, reply, written } = await model.api.coach(player, ply).catch((error) => {
      if (asked === this.#asked) this.#clear();
      throw error;
    });
    if (asked !== this.#asked) return;
    model.words.learn(written);
    const told = (/** @type {import("../types.js").ToldAction} */ one) => `${model.words.short(one.action)}${one.wins ? " wins" : ""}${one.row ? `: ${NUMBERS[one.row] ?? one.row} in a row` : ""}`;
    const better = best && best.action !== action && (cost ?? 0) >= LEAST_COST ? best : null;
    const price = `${model.words.short(action)} cost ${better ? plural(Math.round(cost ?? 0), "point") : "nothing"}`;
    const lines = cost === null ? ["This move was not measured"] : [best?.wins && !better ? told(best) : price, better && `Better: ${told(better)}`, reply && `Best reply: ${told(reply)}`];
    const said = lines.flatMap((line) => (line ? [`${line}.`] : []));
    fill(this.body, said.map((line) => h("p", {}, line)), better && model.match.can_undo && button("Take it back", () => model.change("undo"), { class: "button small", id: "take-back" }));
    say(said.join(" "));
    this.#cells = better ? [...better.cells, ...(model.words.amounts(better.action)?.amounts.keys() ?? [])] : [];
    this.show();
  }
}
