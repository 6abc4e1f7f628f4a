// <po-graph>: values over the plies of a finished game, with the costliest moves.

import { fill, h, s } from "../dom.js";
import { saidPlayer } from "../words.js";

const [WIDE, HIGH] = [340, 130];
const [LEFT, RIGHT, TOP, BOTTOM] = [28, 8, 6, 18];
const MOST_COSTS = 4;
const LEAST_COST = 1;

/** Events: `show` with the number of plies as `detail`. */
export class Graph extends HTMLElement {
  /**
   * @param {import("../types.js").Evaluation} evaluation
   * @param {import("../match_model.js").MatchModel} model
   * @param {Map<string, import("../picture.js").SeatPicture>} seats
   */
  show(evaluation, model, seats) {
    const { players, history } = model.match;
    const costs = costliest(evaluation, history);
    const isPair = players.length === 2;
    const title = isPair ? `Value for ${saidPlayer(players[0])} after each move` : "Values after each move";
    fill(this, [
      h("p", { class: "graph-title" }, title, evaluation.exact && h("span", { class: "proven" }, "exact")),
      this.#chart(evaluation, model, isPair ? [players[0]] : players, seats, costs),
      costs.length > 0 && h("ul", { class: "costs", "aria-label": "Costliest moves" },
          costs.map((one) => h("li", {}, h("button", {
        type: "button",
        class: "cost",
        onclick: () => this.#show(one.ply),
      }, [
        h("span", {}, `Move ${one.ply + 1}, ${saidPlayer(one.player)}: ${model.words.short(one.action)}`),
        h("span", { class: "cost-value" }, `−${one.cost.toFixed(0)}`),
        one.best && one.best !== one.action && h("span", { class: "muted" }, `better ${model.words.short(one.best)}`),
      ])))),
      costs.length === 0 && h("p", { class: "muted" }, withoutCosts(evaluation)),
    ]);
  }

  /**
   * @param {import("../types.js").Evaluation} evaluation
   * @param {import("../match_model.js").MatchModel} model
   * @param {string[]} shown players whose values are drawn
   * @param {Map<string, import("../picture.js").SeatPicture>} seats
   * @param {Cost[]} costs
   */
  #chart(evaluation, model, shown, seats, costs) {
    const last = Math.max(1, evaluation.plies.length - 1);
    const x = (/** @type {number} */ ply) => LEFT + ((WIDE - LEFT - RIGHT) * ply) / last;
    const y = (/** @type {number} */ value) => TOP + ((HIGH - BOTTOM - TOP) * (100 - value)) / 100;
    const valued = evaluation.plies.flatMap(({ values }, ply) => (values ? [{ ply, values }] : []));
    const words = valued.map(({ ply, values }) =>
      `${ply}: ${shown.map((player) => `${saidPlayer(player)} ${Math.round(values[player])}`).join(", ")}`);
    const chart = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "graph po po-auto", role: "img",
      "aria-label": `Values after each move. ${words.join("; ")}` }, [
      [0, 50, 100].map((value) => [
        s("line", { class: "po-axis", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value), "stroke-width": 1,
          "stroke-dasharray": value === 50 ? "3 3" : null }),
        s("text", { class: "po-muted", x: LEFT - 5, y: y(value) + 4, "font-size": 11, "text-anchor": "end" }, value),
      ]),
      shown.map((player) => s("path", {
        class: `po-s-${seats.get(player)?.color ?? "gray"}`,
        d: `M${valued.map(({ ply, values }) => `${x(ply).toFixed(1)} ${y(values[player]).toFixed(1)}`).join("L")}`,
        fill: "none", "stroke-width": 2, "stroke-linejoin": "round",
      })),
      shown.map((player) => {
        const value = evaluation.plies[model.ply]?.values?.[player];
        return value !== undefined && s("circle", { class: "graph-now", cx: x(model.ply), cy: y(value), r: 3.5 });
      }),
      costs.map((one) => {
        const player = shown.includes(one.player) ? one.player : shown[0];
        const value = evaluation.plies[one.ply + 1]?.values?.[player];
        return value !== undefined && s("circle",
          { class: "po-chosen", cx: x(one.ply + 1), cy: y(value), r: 4.5, fill: "var(--surface)", "stroke-width": 2 });
      }),
      s("text", { class: "po-muted", x: LEFT, y: HIGH - 4, "font-size": 11 }, "start"),
      s("text", { class: "po-muted", x: x(last), y: HIGH - 4, "font-size": 11, "text-anchor": "end" }, `move ${last}`),
    ]);
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const at = ((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * WIDE;
      this.#show(Math.max(0, Math.min(last, Math.round(((at - LEFT) / (WIDE - LEFT - RIGHT)) * last))));
    });
    return chart;
  }

  /**
   * @param {number} ply
   */
  #show(ply) {
    this.dispatchEvent(new CustomEvent("show", { detail: ply }));
  }
}

/** @typedef {{ply: number, player: string, action: string, cost: number, best: string | undefined}} Cost */

/**
 * Say why no move is listed, which a value that changes needs.
 *
 * @param {import("../types.js").Evaluation} evaluation
 */
function withoutCosts({ exact, plies }) {
  const all = plies.flatMap(({ values }) => (values ? [Object.values(values)] : []));
  const isSteady = all.every((values) =>
    values.every((value, player) => Math.abs(value - all[0][player]) < LEAST_COST));
  if (isSteady) return "No move cost a whole point.";
  if (exact) return "No move was a mistake. The value changed where players chose at once, or by chance.";
  return "No single move explains the change: players chose at once, chance decided, or the short searches saw it "
    + "late.";
}

/**
 * Return the actions that cost most, the costliest first.
 *
 * @param {import("../types.js").Evaluation} evaluation
 * @param {import("../types.js").Ply[]} history
 * @returns {Cost[]} `ply` is the number of plies before the action
 */
function costliest(evaluation, history) {
  return evaluation.plies
    .flatMap(({ costs, best }, ply) => Object.entries(costs)
      .map(([player, cost]) => ({ ply, player, cost, action: history[ply]?.[player] ?? "", best: best[player] })))
    .filter((one) => one.cost >= LEAST_COST)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, MOST_COSTS);
}

customElements.define("po-graph", Graph);
