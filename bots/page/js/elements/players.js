// <po-players>: a card for each player: mark, who plays it, what it has, whether it thinks, its result.

import { fill, h } from "../dom.js";
import { markOf } from "../picture.js";
import { saidBot, saidPlayer } from "../words.js";

export class Players extends HTMLElement {
  /**
   * @param {{match: Pick<import("../types.js").Match, "players" | "seats" | "is_over" | "returns" | "waits_for" |
   *   "thinking" | "chosen" | "persons_here"> & {limit?: {seconds: number | null}}, shown: {waits_for: string[]} |
   *   null}} model
   * @param {import("../picture.js").Picture} picture
   */
  show(model, picture) {
    const { match, shown } = model;
    const isEnd = match.is_over && shown === null;
    const best = isEnd && match.returns ? Math.max(...match.returns) : null;
    const lowest = isEnd && match.returns ? Math.min(...match.returns) : null;
    this.classList.toggle("three", match.players.length === 3);
    this.classList.toggle("many", match.players.length > 3);
    fill(this, match.players.map((player, number) => {
      const seat = picture.seats.get(player);
      const info = match.seats.find((one) => one.player === player);
      const isActing = !isEnd && (shown ?? match).waits_for.includes(player);
      const isThinking = shown === null && match.thinking.includes(player);
      const result = isEnd && match.returns ? match.returns[number] : null;
      const isHere = match.persons_here.includes(player);
      const isWinner = result !== null && result === best && best !== lowest;
      const seconds = info?.bot && match.limit?.seconds ? `, at most ${match.limit.seconds} s` : "";
      const who = isHere && match.persons_here.length === 1 ? "you" : saidBot(info?.bot ?? null) + seconds;
      const hasSealed = shown === null && match.chosen.includes(player);
      return h("div", { class: `player${isActing || isThinking ? " acting" : ""}${isWinner ? " winner" : ""}`,
        "data-color": seat?.color, "data-player": player }, [
        markOf(seat),
        h("div", { class: "player-name" }, h("strong", {}, saidPlayer(player)),
          h("span", { class: "who", title: info?.bot }, who)),
        h("div", { class: "player-state" }, [
          isThinking && h("span", { class: "thinking", "aria-label": "thinking" }, h("i"), h("i"), h("i")),
          hasSealed && h("span", { class: "badge sealed" }, "sealed"),
          seat?.badge && h("span", { class: "badge" }, seat.badge),
          result !== null && h("span", { class: "result" }, String(+result.toFixed(1))),
        ]),
        (seat?.detail || seat?.note) && h("div", { class: "player-detail" }, [
          coins(seat.coins),
          h("span", {}, seat.detail),
          seat.note && h("span", { class: "note" }, seat.note),
        ]),
      ]);
    }));
  }
}

/**
 * @param {number} count
 */
function coins(count) {
  return count > 0 && h("span", { class: "coins", "aria-hidden": "true" }, Array.from({ length: count }, () => h("i")));
}

customElements.define("po-players", Players);
