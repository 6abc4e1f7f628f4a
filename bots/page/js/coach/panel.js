// The panel of the coach: its switch, and what it says about the last move of the person.

import { attempt, button, fill, h, say } from "../dom.js";
import { remember, remembered } from "../memory.js";

const KEY = "playout.coach";

export class CoachPanel {
  #isOn = remembered(KEY) === "on";
  /** @type {string[]} cells of the better move */
  #cells = [];
  /** Number of judgements that were begun or given up. */
  #begun = 0;

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

  /** Mark the better move, also on a board that is drawn again. */
  show() {
    const { match, shown } = this.model;
    this.element.hidden = !match.assist || !match.persons_here.length;
    if (this.#cells.length && !shown) this.board.setMarked(this.#cells);
  }

  /** Judge the move that the person has just made, unless it was the only one. */
  follow() {
    const { match, before, player } = this.model;
    if (!before || player === null) return;
    const [now, then] = [match, before].map(({ history }) => history.filter((ply) => player in ply).length);
    if (now === then || (now > then && before.legal[player]?.length === 1)) return;
    this.#clear();
    if (now > then && this.#isOn && match.assist) attempt(() => this.#judge(player, match.history.findLastIndex((ply) => player in ply)));
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
    this.#begun += 1;
    if (this.#cells.length) this.board.setMarked([]);
    this.#cells = [];
    fill(this.body);
  }

  /**
   * @param {string} player
   * @param {number} ply number of plies before the move
   */
  async #judge(player, ply) {
    const { model } = this;
    const begun = this.#begun;
    fill(this.body, h("p", { class: "muted" }, "Searching…"));
    try {
      const [{ judged }, found] = await Promise.all([import("./judgement.js"), model.api.coach(player, ply)]);
      if (begun !== this.#begun) return;
      const { lines, cells } = judged(found, model.words);
      fill(this.body, lines.map((line) => h("p", {}, line)), cells && model.match.can_undo && button("Take it back", () => model.change("undo"), { class: "button small", id: "take-back" }));
      say(lines.join(" "));
      this.#cells = cells ?? [];
      this.show();
    } catch (error) {
      if (begun === this.#begun) this.#clear();
      throw error;
    }
  }
}
