// The buttons of a match: undo, redo, hint, resign, branch, rules, share, new game.

import { cellsOf } from "../controls/clicks.js";
import { askBefore, attempt, button, h, icon, say, toast } from "../dom.js";
import { ICONS } from "../icons.js";
import { enter } from "../memory.js";
import { plural, saidPlayer } from "../words.js";
import { showRules } from "./rules.js";

const HINT_SECONDS = 1;

export class Tools {
  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {import("../types.js").GameInfo | undefined} game
   * @param {import("../elements/board.js").Board} board shows hints
   */
  constructor(model, game, board) {
    this.model = model;
    this.board = board;
    const tool = (/** @type {string} */ id, /** @type {string} */ path, /** @type {string} */ label,
      /** @type {() => any} */ act) =>
      button([icon(path), h("span", {}, label)], () => attempt(act), { class: "tool", id });
    this.undo = tool("undo", ICONS.undo, "Undo", () => model.change("undo"));
    this.redo = tool("redo", ICONS.redo, "Redo", () => model.change("redo"));
    this.hint = tool("hint", ICONS.hint, "Hint", () => this.#hint());
    this.resign = tool("resign", ICONS.flag, "Resign", () => this.#resign());
    this.branch = tool("branch", ICONS.branch, "Branch", () => this.#branch());
    this.branch.title = "Play on from the position that is shown, as a new match";
    this.element = h("div", { class: "tools", role: "toolbar", "aria-label": "Game" }, [
      this.undo,
      this.redo,
      this.hint,
      this.resign,
      this.branch,
      tool("rules", ICONS.rules, "Rules", () => game && showRules(game)),
      tool("share", ICONS.share, "Share", async () => (await import("./share.js")).showShare(model)),
      tool("again", ICONS.again, "New game", () => {
        location.hash = `#/new/${encodeURIComponent(game?.key ?? model.match.game)}`;
      }),
    ]);
  }

  show() {
    const { model } = this;
    const { match } = model;
    this.undo.disabled = !match.can_undo;
    this.redo.disabled = !match.can_redo;
    this.hint.disabled = !match.assist || !model.canPlay;
    this.resign.disabled = match.is_over || match.persons_here.length === 0;
    this.branch.disabled = model.hides || (match.is_over && model.ply === match.ply);
  }

  async #hint() {
    const { model, hint } = this;
    const { version } = model.match;
    hint.disabled = true;
    hint.classList.add("busy");
    try {
      // While an analysis runs, the board shows its values, and the hint comes from it too.
      const { action, value, probability } = model.hint ?? (await model.api.hint(model.player, HINT_SECONDS));
      if (version !== model.match.version) return;
      this.board.setMarked(cellsOf(model.match.clicks,
        [action, ...(model.words.amounts(action)?.amounts.keys() ?? [])]));
      const share = probability < 0.995 ? `, ${Math.round(100 * probability)} % of a mixed strategy` : "";
      const text = `Hint: ${model.words.short(action)}${value === null ? "" : `, value ${value.toFixed(0)}`}${share}`;
      toast(text);
      say(text);
    } finally {
      hint.classList.remove("busy");
      this.show();
    }
  }

  #resign() {
    const player = this.model.player ?? this.model.match.persons_here[0];
    const resign = () => void this.model.change("resign");
    askBefore("Resign?", `${saidPlayer(player)} gives the game up.`, "Play on", "Resign", "confirm-resign", resign);
  }

  async #branch() {
    const { model } = this;
    const { ply } = model;
    const created = await model.api.branch(ply);
    enter(created);
    toast(`A new match, from after ${plural(ply, "move")}`, { isForNext: true });
  }
}
