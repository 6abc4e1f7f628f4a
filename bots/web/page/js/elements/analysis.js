// <po-analysis>: what a search of the shown position has found so far.

import { button, fill, h, icon } from "../dom.js";
import { ICONS } from "../icons.js";
import { compact, plural, shortAction } from "../words.js";

const MOST_ARMS = 8;

/** Events: `toggle`; `line` with the cells or actions of the line as `detail`, [] when the pointer leaves. */
export class AnalysisPanel extends HTMLElement {
  #toggle = button("", () => this.dispatchEvent(new Event("toggle")), { class: "button small", id: "analyse" });
  #body = h("div", { class: "analysis-body" });
  #head = h("div", { class: "panel-head" });

  constructor() {
    super();
    this.#head.append(h("h2", {}, "Analysis"), this.#toggle);
    fill(this, this.#head, this.#body);
  }

  /**
   * @param {import("../match_model.js").MatchModel} model
   * @param {{exact: import("../types.js").Exact | null, seats: Map<string, import("../picture.js").SeatPicture>}} more
   */
  show(model, { exact, seats }) {
    const { analysis, isAnalysing } = model;
    this.#toggle.setAttribute("aria-pressed", String(isAnalysing));
    fill(this.#toggle, icon(isAnalysing ? ICONS.stop : ICONS.play), isAnalysing ? "Stop" : "Start");
    this.#toggle.disabled = !model.match.assist;
    const verdict = exact?.values ? h("p", { class: "verdict" }, `Solved: ${saidValues(exact.values)} with perfect play`) : null;
    if (!isAnalysing) {
      fill(this.#body, verdict, !model.match.assist && h("p", { class: "muted" }, "Analysis opens when the game is over."));
      return;
    }
    if (!analysis) {
      fill(this.#body, verdict, h("p", { class: "muted" }, model.position.waits_for.length ? "Searching…" : "Nobody decides here."));
      return;
    }
    fill(this.#body, [
      verdict,
      h("p", { class: "speed" }, [
        h("span", {}, plural(analysis.simulations, "simulation")),
        analysis.proven && h("span", { class: "proven" }, "proven"),
        h("span", {}, `${compact(analysis.per_second)} a second`),
      ]),
      h("div", { class: "bars", role: "group", "aria-label": "Expected returns" }, analysis.players.map(({ player, value }) => bar(player, value, seats.get(player)))),
      Object.entries(analysis.arms).map(([player, arms]) => this.#arms(player, arms, analysis)),
      analysis.line.length > 0 && this.#line(analysis.line),
    ]);
  }

  /**
   * @param {string} player
   * @param {import("../types.js").Arm[]} arms
   * @param {import("../types.js").Analysis} analysis
   */
  #arms(player, arms, analysis) {
    const mixed = new Map(analysis.strategies[player] ?? []);
    const isMixed = [...mixed.values()].filter((share) => share > 0.005).length > 1;
    const shareOf = (/** @type {import("../types.js").Arm} */ arm) => (isMixed ? mixed.get(arm.action) ?? 0 : arm.share);
    const shown = [...arms].sort((a, b) => shareOf(b) - shareOf(a)).slice(0, MOST_ARMS);
    return h("table", { class: "arms" }, [
      h("caption", {}, Object.keys(analysis.arms).length > 1 ? player : "Candidates", isMixed && h("span", { class: "muted" }, " mixed strategy")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Action"), h("th", { scope: "col" }, isMixed ? "Probability" : "Visits"), h("th", { scope: "col" }, "Value"))),
      h("tbody", {}, shown.map((arm) => h("tr", { onpointerenter: () => this.#point([arm.action]), onpointerleave: () => this.#point([]) }, [
        h("th", { scope: "row", title: arm.action }, shortAction(arm.action)),
        h("td", { class: "part", "--share": shareOf(arm) }, h("span", {}, `${(100 * shareOf(arm)).toFixed(1)} %`)),
        h("td", {}, arm.value === null ? "–" : arm.value.toFixed(1)),
      ]))),
    ]);
  }

  /**
   * @param {import("../types.js").Analysis["line"]} line
   */
  #line(line) {
    const cells = line.flatMap((ply) => Object.values(ply));
    return h("p", { class: "line", onpointerenter: () => this.#point(cells), onpointerleave: () => this.#point([]) }, [
      h("span", { class: "muted" }, "Line "),
      line.slice(0, 8).map((ply) => h("span", { class: "line-step" }, Object.values(ply).filter((action) => action !== "noop").map(shortAction).join(" | "))),
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
 * @param {string} player
 * @param {number} value
 * @param {import("../picture.js").SeatPicture | undefined} seat
 */
function bar(player, value, seat) {
  return h("div", { class: "bar", "data-color": seat?.color, "--share": Math.max(0, Math.min(1, value / 100)) }, [
    h("span", { class: "bar-name" }, player),
    h("span", { class: "bar-track" }, h("i")),
    h("span", { class: "bar-value" }, value.toFixed(1)),
  ]);
}

/**
 * Return exact values in words.
 *
 * @param {Record<string, number>} values
 */
export function saidValues(values) {
  const pairs = Object.entries(values);
  if (pairs.length === 2 && pairs.every(([, value]) => value === 50)) return "a draw";
  const winner = pairs.find(([, value]) => value === 100);
  if (winner && pairs.length === 2) return `${winner[0]} wins`;
  return pairs.map(([player, value]) => `${player} ${+value.toFixed(2)}`).join(", ");
}

customElements.define("po-analysis", AnalysisPanel);
