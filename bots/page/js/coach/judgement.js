// What the coach says about a move.

import { plural } from "../words.js";

const LEAST_COST = 1;
const NUMBERS = ["", "", "two", "three", "four", "five", "six"];

/**
 * Return sentences about a move, and the cells of a better one; null if there is none.
 *
 * @param {import("../types.js").Coached} found
 * @param {import("../words.js").Words} words which learn the notation of the moves
 * @returns {{lines: string[], cells: string[] | null}}
 */
export function judged({ action, cost, best, reply, written }, words) {
  if (cost === null) return { lines: ["This move was not measured."], cells: null };
  words.learn(written);
  const told = (/** @type {import("../types.js").ToldAction} */ one) => `${words.short(one.action)}${one.wins ? " wins" : ""}${one.row ? `: ${NUMBERS[one.row] ?? one.row} in a row` : ""}`;
  const better = best && best.action !== action && cost >= LEAST_COST ? best : null;
  const price = `${words.short(action)} cost ${better ? plural(Math.round(cost), "point") : "nothing"}`;
  const lines = [best?.wins && !better ? told(best) : price, better && `Better: ${told(better)}`, reply && `Best reply: ${told(reply)}`];
  const cells = better && [...better.cells, ...(words.amounts(better.action)?.amounts.keys() ?? [])];
  return { lines: lines.flatMap((line) => (line ? [`${line}.`] : [])), cells };
}
