// Shares of visits, by cell.

import { chipsOf, sum } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */

/**
 * Return the share of each action, or of each tile in bids on tiles: of the mixed strategy where there is one, else of the
 * visits.
 *
 * @param {Analysis | null} analysis
 * @param {string | null} player the player who looks; null: the first who decides
 * @returns {Record<string, number> | null} action or tile -> share, from 0 to 1
 */
export function heatOf(analysis, player) {
  if (!analysis) return null;
  const decider = player !== null && player in analysis.arms ? player : Object.keys(analysis.arms)[0];
  if (decider === undefined) return null;
  const strategy = analysis.strategies[decider];
  /** @type {[string, number][]} */
  const shares = strategy?.length ? strategy : analysis.arms[decider].map((arm) => [arm.action, arm.share]);
  /** @type {Record<string, number>} */
  const heat = {};
  for (const [action, share] of shares) {
    const chips = chipsOf(action);
    if (!chips) {
      heat[action] = (heat[action] ?? 0) + share;
      continue;
    }
    const total = sum(chips.values());
    for (const [tile, count] of chips) heat[tile] = (heat[tile] ?? 0) + (share * count) / total;
  }
  return heat;
}
