// Sealed choices that are opened: shown beside each other for a moment.

import { h, isCalm } from "../dom.js";
import { markOf } from "../picture.js";
import { HIDDEN, saidPlayer } from "../words.js";

const SHOWN_MS = 2600;

/**
 * Show the bids of a ply over the board, if it has bids.
 *
 * @param {HTMLElement} place
 * @param {import("../types.js").Ply} ply
 * @param {Map<string, import("../picture.js").SeatPicture>} seats
 * @param {import("../words.js").Words} words
 * @returns {boolean} true if something is shown
 */
export function reveal(place, ply, seats, words) {
  const bids = Object.entries(ply).map(([player, action]) => ({ player, amounts: wordsOf(action, words) }));
  if (bids.length < 2 || bids.some((bid) => bid.amounts === null)) return false;
  place.querySelector(".reveal")?.remove();
  const shown = h("div", { class: "reveal", "aria-hidden": "true" },
    bids.map(({ player, amounts }, number) => h("div", { class: "envelope", "--turn": number }, [
    h("span", { class: "envelope-who" }, markOf(seats.get(player)), saidPlayer(player)),
    h("strong", {}, amounts),
  ])));
  shown.addEventListener("click", () => shown.remove());
  place.append(shown);
  setTimeout(() => shown.remove(), isCalm() ? SHOWN_MS / 2 : SHOWN_MS);
  return true;
}

/**
 * @param {string} action
 * @param {import("../words.js").Words} words
 * @returns {string | null}
 */
function wordsOf(action, words) {
  if (action === HIDDEN) return "sealed";
  const found = words.amounts(action);
  return found && [found.total, ...found.words].join(" + ");
}
