// The panel that says whose turn it is, with the controls of the game.

import { button, fill, h } from "../dom.js";
import { ActionButtons } from "../controls/actions.js";
import { ChipBid } from "../controls/chips.js";
import { CoinBid } from "../controls/coins.js";
import { lookOf } from "../games.js";
import { listed, saidResult } from "../words.js";

/** @typedef {import("../match_model.js").MatchModel} MatchModel */

/** The panel of one match. */
export class TurnPanel {
  /**
   * @param {MatchModel} model
   * @param {import("../elements/board.js").Board} board
   */
  constructor(model, board) {
    this.model = model;
    this.status = h("h1", { class: "status" });
    this.detail = h("p", { class: "status-detail muted" });
    this.problem = h("div", { class: "problem-box" });
    this.actions = new ActionButtons();
    this.coins = model.match.name === "bidding_ttt" ? new CoinBid() : null;
    this.chips = model.match.name === "bidding_3d_ttt" ? new ChipBid() : null;
    this.chips?.attach(board, model);
    for (const control of [this.actions, this.coins, this.chips]) {
      control?.addEventListener("choose", (event) => model.play(/** @type {CustomEvent} */ (event).detail.action));
    }
    this.element = h("section", { class: "panel turn", "aria-label": "Turn" }, this.status, this.detail, this.problem, this.chips ?? this.coins, this.actions);
  }

  /**
   * @param {import("../picture.js").Picture} picture
   * @param {string[]} onBoard actions of cells
   */
  show(picture, onBoard) {
    const { model } = this;
    const { match } = model;
    const [status, detail] = this.#words(picture);
    fill(this.status, status);
    fill(this.detail, detail);
    fill(this.problem, match.error && h("div", { class: "problem", role: "alert" }, [
      h("p", {}, match.error.message),
      button("Ask the bot again", () => model.change("go_on"), { class: "button small" }),
    ]));
    this.chips?.show(model);
    this.coins?.show(model);
    if (this.chips) this.actions.hidden = true;
    else this.actions.show(model, this.coins && !this.coins.hidden ? [...onBoard, ...(match.legal[model.player ?? ""] ?? []).filter((action) => action.startsWith("bid("))] : onBoard);
  }

  /**
   * @param {import("../picture.js").Picture} picture
   * @returns {[string, import("../dom.js").Child]}
   */
  #words(picture) {
    const { model } = this;
    const { match } = model;
    if (model.shown) return [`After move ${model.ply}`, [picture.heading, " · ", button("Back to the newest", () => model.show(match.ply), { class: "link" })]];
    if (match.is_over) {
      const resigned = match.resigned.length ? `${listed(match.resigned)} resigned` : match.returns ? `Returns ${match.returns.map((value) => +value.toFixed(1)).join(" – ")}` : "";
      return [saidResult(match), resigned];
    }
    const persons = match.persons_here;
    if (match.thinking.length) return [`${listed(match.thinking)} ${match.thinking.length > 1 ? "are" : "is"} thinking`, picture.heading];
    if (model.player !== null && model.canPlay) {
      const who = persons.length > 1 ? `${model.player} decides` : "Your turn";
      const hint = match.ply < 2 ? lookOf(match.name).hint : undefined;
      const facts = picture.heading === `${model.player} to move` && persons.length === 1 ? `You play ${model.player}` : picture.heading;
      return [who, hint ? `${facts}. ${hint}` : facts];
    }
    const sealed = match.chosen.filter((player) => persons.includes(player));
    if (sealed.length) return ["Sealed", `Waiting for ${listed(match.waits_for)}`];
    return [match.waits_for.length ? `Waiting for ${listed(match.waits_for)}` : picture.heading, picture.heading];
  }
}
