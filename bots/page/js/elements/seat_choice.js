// Who plays a seat: a person, a level, or any bot.

import { api } from "../api.js";
import { assign, h, segments } from "../dom.js";
import { transport } from "../transport.js";
import { saidPlayer } from "../words.js";

const FIRST_LEVEL = 3;

/** A choice with its element. */
export class SeatChoice {
  /** @type {"person" | "level" | "bot"} */
  #kind;
  /** Levels that are offered. Above them is the strongest search of the game. */
  #levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  /** Place of the chosen one among them; their number is that of the strongest search. */
  #place = this.#levels.indexOf(FIRST_LEVEL);
  #showLevel = () => {};
  /** Bot that the seat proposes. */
  #proposed = "mcts";
  #strongest = "mcts";

  /**
   * @param {string} player
   * @param {number} number
   * @param {import("../types.js").GameInfo} game
   * @param {() => string} spec returns the spec of the variant
   */
  constructor(player, number, game, spec) {
    this.player = player;
    this.game = game;
    this.spec = spec;
    this.#kind = number === 0 ? "person" : game.has_levels ? "level" : "bot";
    this.bot = h("input", { type: "text", value: this.#proposed, list: `bots-${number}`, autocomplete: "off",
      spellcheck: "false", "aria-label": `Bot of ${saidPlayer(player)}` });
    this.list = h("datalist", { id: `bots-${number}` });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.element = this.#build(number);
  }

  /**
   * @param {number} number
   */
  #build(number) {
    const output = h("output", {});
    const level = h("input", { type: "range", min: 0, "aria-label": `Level of ${saidPlayer(this.player)}`,
      oninput: () => {
      this.#place = Number(level.value);
      this.#showLevel();
    } });
    this.#showLevel = () => {
      const most = this.#levels.length;
      const text = String(this.#levels[this.#place] ?? "strongest");
      output.textContent = text;
      assign(level, { max: most, value: this.#place, "aria-valuetext": text, "--part": this.#place / most });
    };
    this.#showLevel();
    const details = {
      person: h("p", { class: "muted" },
        transport.hasServer ? "You, or a friend by an invitation" : "You, or a friend on this device"),
      level: h("div", { class: "level" }, level, output),
      bot: h("div", { class: "bot" }, this.bot, this.list, this.problem),
    };
    const kinds = /** @type {("person" | "level" | "bot")[]} */ (
      this.game.has_levels ? ["person", "level", "bot"] : ["person", "bot"]);
    const show = () => {
      for (const kind of kinds) details[kind].hidden = kind !== this.#kind;
    };
    const names = { person: "Person", level: "Level", bot: "Bot" };
    const choices = segments(`Who plays ${saidPlayer(this.player)}`, `seat-${number}`,
      kinds.map((kind) => [kind, names[kind]]), this.#kind, (kind) => {
      this.#kind = kind;
      show();
    });
    show();
    return h("div", { class: "seat", "data-player": this.player }, h("strong", {}, saidPlayer(this.player)), choices,
      h("div", { class: "seat-detail" }, kinds.map((kind) => details[kind])));
  }

  /**
   * Offer bots that play the game. What somebody has written stays.
   *
   * @param {import("../types.js").BotInfo[]} bots
   */
  setBots(bots) {
    const able = bots.filter((bot) => !bot.why_unsupported && bot.name !== "ugi");
    this.list.replaceChildren(...able.map((bot) => h("option", { value: bot.name }, bot.summary)));
    const levels = able.find((bot) => bot.levels)?.levels ?? this.#levels;
    const chosen = this.#levels[this.#place];
    const next = levels.findIndex((level) => level >= chosen);
    this.#place = chosen ? (next < 0 ? levels.length - 1 : next) : levels.length;
    this.#levels = levels;
    this.#showLevel();
    const strongest = able.find((bot) => bot.is_strongest);
    if (strongest) this.#strongest = strongest.name;
    const first = able.find((bot) => bot.is_further) ?? strongest ?? able[0];
    if (!first || this.bot.value !== this.#proposed) return;
    this.bot.value = this.#proposed = first.name;
  }

  /** True if the seat shows what is wrong with its bot. */
  get hasProblem() {
    return this.problem.textContent !== "";
  }

  /**
   * Return the spec of the bot, or null for a person. Throws what is wrong with it, which the seat shows.
   *
   * @returns {Promise<string | null>}
   */
  async checked() {
    this.problem.textContent = "";
    if (this.#kind === "person") return null;
    const level = this.#levels[this.#place];
    if (this.#kind === "level" && level) return `level(${level})`;
    const bot = this.#kind === "level" ? this.#strongest : this.bot.value.trim();
    try {
      const { spec } = await api.checkBot(this.spec(), bot);
      return spec;
    } catch (error) {
      this.problem.textContent = /** @type {Error} */ (error).message;
      this.bot.focus();
      throw error;
    }
  }
}
