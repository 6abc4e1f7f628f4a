// Setting up a match: variant, who plays, time of the bots.

import { api } from "../api.js";
import { crumbs, fill, h, toast } from "../dom.js";
import { still } from "../elements/board.js";
import { SeatChoice } from "../elements/seat_choice.js";
import { specOf, summaryOf, traitsOf } from "../games.js";
import { enter, remember, remembered } from "../memory.js";
import { readPicture } from "../picture.js";
import { examplePicture } from "./home.js";
import { rulesPictures, rulesText } from "./rules.js";

const SECONDS = [0.1, 0.5, 1, 3, 10];
const KEY = "playout.seconds";

/**
 * @param {HTMLElement} place
 * @param {string} key of the game
 * @param {URLSearchParams} options `state` and `game`: begin from a position
 */
export async function showSetup(place, key, options) {
  const game = await api.game(key);
  document.title = `${game.title} – Playout`;
  const state = options.get("state");
  const variant = new VariantChoice(game, options.get("game"), () => offer());
  const spec = () => variant.spec;
  const seats = game.players.map((player, number) => new SeatChoice(player, number, game, spec));
  const offer = async () => {
    const asked = spec();
    const bots = await api.bots(asked).catch(() => []);
    if (asked === spec()) for (const seat of seats) seat.setBots(bots);
  };
  offer();
  const picture = await (state ? api.position({ game: spec(), state, size: null })
    .then((found) => still(readPicture(found.svg))) : examplePicture(game.key));
  const seconds = secondsChoice();
  const start = h("button", { class: "button primary wide", id: "start" }, "Start");
  const form = h("form", { class: "setup-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    begin();
  } }, [
    variant.element,
    h("fieldset", { class: "seats" }, h("legend", {}, "Players"), seats.map((seat) => seat.element)),
    seconds.element,
    start,
  ]);
  const begin = async () => {
    start.disabled = true;
    try {
      const chosen = await Promise.all(
        seats.map(async (seat) => /** @type {[string, string | null]} */ ([seat.player, await seat.checked()])));
      const created = await api.create(
        { game: spec(), seats: Object.fromEntries(chosen), seconds: seconds.value(),
          ...(state ? { start: state } : {}) });
      enter(created);
    } catch (error) {
      start.disabled = false;
      if (!seats.some((seat) => seat.hasProblem)) toast(/** @type {Error} */ (error).message, { isError: true });
    }
  };
  const rules = h("div", { class: "rules" });
  Promise.all([rulesPictures(game), rulesText(game.key)]).then((parts) => fill(rules, parts), () => {});
  fill(place, [
    crumbs(game.title),
    h("div", { class: "setup" }, [
      h("div", { class: "setup-text" }, [
        h("h1", {}, game.title),
        h("p", { class: "lead" }, summaryOf(game)),
        h("p", { class: "traits" }, traitsOf(game).map((trait) => h("span", {}, trait))),
        h("div", { class: "setup-picture" }, picture),
        h("details", { class: "rules-box" }, h("summary", {}, "Rules"), rules),
      ]),
      form,
    ]),
  ]);
}

/** The variants of a game, and its parameters one by one. */
class VariantChoice {
  /**
   * @param {import("../types.js").GameInfo} game
   * @param {string | null} given spec that is given, such as that of a position
   * @param {() => void} changed called when another variant is chosen
   */
  constructor(game, given, changed) {
    this.game = game;
    this.changed = changed;
    this.given = given;
    /** @type {Record<string, any>} */
    this.values = Object.fromEntries(game.parameters.map((one) => [one.name, one.default]));
    this.element = this.#build();
  }

  /** Spec of the variant. */
  get spec() {
    const set = Object.entries(this.values)
      .filter(([name, value]) => value !== null && value !== ""
        && String(value) !== String(this.game.parameters.find((one) => one.name === name)?.default));
    return this.given ?? specOf(this.game.key, Object.fromEntries(set));
  }

  #build() {
    if (this.given) return h("p", { class: "muted" }, this.given);
    if (!this.game.parameters.length) return null;
    const { variants } = this.game;
    const inputs = new Map(this.game.parameters.map((one) => [one.name, this.#input(one)]));
    const set = (/** @type {Record<string, any>} */ parameters) => {
      for (const [name, value] of Object.entries(parameters)) {
        this.values[name] = value;
        const input = inputs.get(name);
        if (input) input.value = String(value);
      }
      this.changed();
    };
    return h("fieldset", { class: "variant" }, [
      h("legend", {}, "Variant"),
      variants.length > 0 && h("div", { class: "choices" },
        variants.map((variant, number) => h("label", { class: "choice" }, [
        h("input", { type: "radio", name: "variant", checked: number === 0, onchange: () => set(variant.parameters) }),
        h("span", {}, variant.label),
      ]))),
      h("details", { class: "more" }, h("summary", {}, "Parameters"),
        h("div", { class: "parameters" },
          this.game.parameters.map((one) => h("label", {}, h("span", {}, one.name), inputs.get(one.name))))),
    ]);
  }

  /**
   * @param {import("../types.js").Parameter} parameter
   */
  #input(parameter) {
    const choices = parameter.choices ?? (typeof parameter.default === "boolean" ? [false, true] : null);
    const keep = () => {
      const text = input.value;
      this.values[parameter.name] = choices ? choices.find((choice) => String(choice) === text) : text === "" ? null
        : Number(text);
      this.changed();
    };
    /** @type {HTMLSelectElement | HTMLInputElement} */
    const input = choices
      ? h("select", {}, choices.map(
        (choice) => h("option", { value: choice, selected: String(choice) === String(parameter.default) },
          String(choice))))
      : h("input", { type: "number", min: parameter.minimum, max: parameter.maximum, value: parameter.default,
        placeholder: "default" });
    input.addEventListener("change", keep);
    return input;
  }
}

function secondsChoice() {
  const last = Number(remembered(KEY)) || 1;
  let chosen = SECONDS.includes(last) ? last : 1;
  const element = h("fieldset", { class: "seconds" }, [
    h("legend", {}, "Time of a bot's move, at most"),
    h("div", { class: "choices" }, SECONDS.map((one) => h("label", { class: "choice" }, [
      h("input", { type: "radio", name: "seconds", checked: one === chosen, onchange: () => {
        chosen = one;
        remember(KEY, String(one));
      } }),
      h("span", {}, `${one} s`),
    ]))),
  ]);
  return { element, value: () => chosen };
}
