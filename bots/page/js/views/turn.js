// The panel that says whose turn it is, with the controls of the game.

import { button, fill, h } from "../dom.js";
import { ActionButtons } from "../controls/actions.js";
import { listed, saidPlayer, saidResult } from "../words.js";

/** @typedef {import("../match_model.js").MatchModel} MatchModel */

/** The panel of one match. */
export class TurnPanel {
  /**
   * @param {MatchModel} model
   * @param {import("../controls/amounts.js").AmountsControl | null} amounts in a game that has them
   * @param {string | null} hint how to play the game
   */
  constructor(model, amounts, hint) {
    this.model = model;
    this.hint = hint;
    this.status = h("h1", { class: "status" });
    this.detail = h("p", { class: "status-detail muted" });
    this.problem = h("div", { class: "problem-box" });
    this.actions = new ActionButtons();
    this.amounts = amounts;
    for (const control of [this.actions, amounts]) {
      control?.addEventListener("choose", (event) => model.play(/** @type {CustomEvent} */ (event).detail.action));
    }
    this.element = h("section", { class: "panel turn", "aria-label": "Turn" }, this.status, this.detail, this.problem,
      amounts, this.actions);
  }

  /**
   * @param {import("../picture.js").Picture} picture
   */
  show(picture) {
    const { model } = this;
    const { match } = model;
    const [status, detail] = this.#words(picture);
    fill(this.status, status);
    fill(this.detail, detail);
    fill(this.problem, match.error && h("div", { class: "problem", role: "alert" }, [
      h("p", {}, match.error.message),
      button("Ask the bot again", () => model.change("go_on"), { class: "button small" }),
    ]));
    this.amounts?.show();
    this.actions.show(model, (action) => action in model.clicks || (this.amounts?.has(action) ?? false));
  }

  /**
   * @param {import("../picture.js").Picture} picture
   * @returns {[string, import("../dom.js").Child]}
   */
  #words(picture) {
    const { model } = this;
    const { match } = model;
    if (model.shown)
      return [`After move ${model.ply}`,
        [picture.heading, " · ", button("Back to the newest", () => model.show(match.ply), { class: "link" })]];
    if (match.is_over) {
      const resigned = match.resigned.length ? `${said(match.resigned)} resigned` : match.returns
        ? `Returns ${match.returns.map((value) => +value.toFixed(1)).join(" – ")}` : "";
      return [saidResult(match), resigned];
    }
    const persons = match.persons_here;
    if (match.thinking.length)
      return [`${said(match.thinking)} ${match.thinking.length > 1 ? "are" : "is"} thinking`, picture.heading];
    if (model.player !== null && model.canPlay) {
      const who = persons.length > 1 ? `${saidPlayer(model.player)} decides` : "Your turn";
      const hint = match.ply < 2 ? this.hint : null;
      const facts = picture.heading === `${saidPlayer(model.player)} to move` && persons.length === 1
        ? `You play ${saidPlayer(model.player)}` : picture.heading;
      return [who, hint ? `${facts}. ${hint}` : facts];
    }
    const sealed = match.chosen.filter((player) => persons.includes(player));
    if (sealed.length) return ["Sealed", `Waiting for ${said(match.waits_for)}`];
    return [match.waits_for.length ? `Waiting for ${said(match.waits_for)}` : picture.heading, picture.heading];
  }
}

/**
 * @param {string[]} players
 */
function said(players) {
  return listed(players.map(saidPlayer));
}
