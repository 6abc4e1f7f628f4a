// <po-analysis>: what a search of the shown position has found so far.

import { button, fill, h, icon, segments } from "../dom.js";
import { bar, courseOf } from "./bars.js";
import { Line } from "./line.js";
import { ICONS } from "../icons.js";
import { compact, plural, saidBot, saidPlayer } from "../words.js";

const MOST_ARMS = 8;
/** Actions of each player where several decide. */
const MOST_MIXED = 5;

/**
 * Events: `toggle`; `source`: another choice of what the board shows; `line` with the cells or actions of the line as
 * `detail`, [] when the pointer leaves.
 */
export class AnalysisPanel extends HTMLElement {
  #toggle = button("", () => this.dispatchEvent(new Event("toggle")), { class: "button small", id: "analyse" });
  #body = h("div", { class: "analysis-body" });
  #head = h("div", { class: "panel-head" });
  #line = new Line();
  /** @type {"search" | "net"} */
  #chosen = "search";
  #source = segments("Squares on the board", "heat", [["search", "Search"], ["net", "Net"]], this.#chosen, (chosen) => {
    this.#chosen = chosen;
    this.dispatchEvent(new Event("source"));
  });
  /**
   * @type {import("../types.js").Analysis["net"]} that of the last results, so that nothing moves until the next ones
   */
  #net = null;

  constructor() {
    super();
    this.#head.append(h("h2", {}, "Analysis"), this.#toggle);
    fill(this, this.#head, this.#source, this.#body, this.#line);
    this.#source.hidden = this.#line.hidden = true;
    this.#line.addEventListener("line", (event) => this.#point(/** @type {CustomEvent} */ (event).detail));
  }

  /** True if the board shows the policy of the net, and not that of the search. */
  get isOfNet() {
    return this.#net !== null && this.#chosen === "net";
  }

  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {{exact: import("../types.js").Exact | null, seats: Map<string, import("../picture.js").SeatPicture>}} more
   */
  show(model, { exact, seats }) {
    const { analysis, course, isAnalysing } = model;
    this.#line.show(analysis?.line ?? [], { game: model.match.game, state: model.position.notation }, model.words);
    this.#toggle.setAttribute("aria-pressed", String(isAnalysing));
    fill(this.#toggle, icon(isAnalysing ? ICONS.stop : ICONS.play), isAnalysing ? "Stop" : "Start");
    this.#toggle.disabled = !model.match.assist;
    if (analysis) this.#net = analysis.net;
    this.#source.hidden = !isAnalysing || !this.#net;
    this.#source.title = this.#net?.bot ? `Net of ${saidBot(this.#net.bot)}` : "Net of the search";
    const verdict = exact?.values ? h(
      "p", { class: "verdict" }, `Solved: ${saidValues(exact.values)} with perfect play`) : null;
    if (!isAnalysing) {
      fill(this.#body, verdict, !model.match.assist
        && h("p", { class: "muted" }, "Analysis opens when the game is over."));
      return;
    }
    if (!analysis) {
      fill(this.#body, verdict, h("p", { class: "muted" },
        model.position.waits_for.length ? "Searching…" : "Nobody decides here."));
      return;
    }
    fill(this.#body, [
      verdict,
      h("p", { class: "speed" }, [
        h("span", {}, plural(analysis.simulations, "simulation")),
        analysis.proven && h("span", { class: "proven" }, "proven"),
        h("span", {}, `${compact(analysis.per_second)} a second`),
      ]),
      h("div", { class: "bars", role: "group", "aria-label": "Expected returns" },
        analysis.players.map(({ player, value }) => bar(player, value, seats.get(player), analysis.bounds[player]))),
      courseOf(course, analysis.players.map(({ player }) => player), seats),
      Object.entries(analysis.arms).map(([player, arms]) => this.#arms(player, arms, analysis, model.words)),
    ]);
  }

  /**
   * @param {string} player
   * @param {import("../types.js").Arm[]} arms
   * @param {import("../types.js").Analysis} analysis
   * @param {import("../words.js").Words} words
   */
  #arms(player, arms, analysis, words) {
    const mixed = new Map(analysis.strategies[player] ?? []);
    const isMixed = [...mixed.values()].filter((share) => share > 0.005).length > 1;
    // As on the board and in a hint.
    const shareOf = (/** @type {import("../types.js").Arm} */ arm) =>
      (isMixed ? mixed.get(arm.action) ?? 0 : arm.probability);
    const priorOf = (/** @type {import("../types.js").Arm} */ arm) => arm.prior ?? 0;
    const rankOf = this.isOfNet ? priorOf : shareOf;
    const part = (/** @type {number} */ share) =>
      h("td", { class: "part", "--share": share }, h("span", {}, `${(100 * share).toFixed(1)} %`));
    const shown = [...arms].sort((a, b) => rankOf(b) - rankOf(a) || (b.value ?? -1) - (a.value ?? -1))
      .slice(0, Object.keys(analysis.arms).length > 1 ? MOST_MIXED : MOST_ARMS);
    return h("table", { class: "arms" }, [
      h("caption", {}, Object.keys(analysis.arms).length > 1 ? saidPlayer(player) : "Candidates",
        isMixed && h("span", { class: "muted" }, " mixed strategy")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Action"),
        h("th", { scope: "col" }, isMixed || analysis.proven ? "Probability" : "Visits"),
        this.#net && h("th", { scope: "col" }, "Net"), h("th", { scope: "col" }, "Value"))),
      h("tbody", {}, shown.map((arm) =>
        h("tr", { onpointerenter: () => this.#point([arm.action]), onpointerleave: () => this.#point([]) }, [
        h("th", { scope: "row", title: arm.action }, words.short(arm.action)),
        part(shareOf(arm)),
        this.#net && part(priorOf(arm)),
        h("td", {}, arm.value === null ? "–" : arm.value.toFixed(1)),
      ]))),
    ]);
  }

  /**
   * @param {string[]} actions
   */
  #point(actions) {
    this.dispatchEvent(new CustomEvent("line", { detail: actions }));
  }
}

/**
 * Return exact values in words.
 *
 * @param {Record<string, number>} values
 */
function saidValues(values) {
  const pairs = Object.entries(values);
  if (pairs.length === 2 && pairs.every(([, value]) => value === 50)) return "a draw";
  const winner = pairs.find(([, value]) => value === 100);
  if (winner && pairs.length === 2) return `${saidPlayer(winner[0])} wins`;
  return pairs.map(([player, value]) => `${saidPlayer(player)} ${+value.toFixed(2)}`).join(", ");
}

customElements.define("po-analysis", AnalysisPanel);
