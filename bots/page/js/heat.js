// Shares of visits or of the policy of a net, by cell.

import { ClickPath } from "./controls/clicks.js";

/** @typedef {import("./types.js").Analysis} Analysis */

/**
 * Return the share of each cell in the strategy that the search has found: of the actions that it chooses, or of bids
 * on
 * it. Until the value is proven, that is the share of the visits where one player decides.
 *
 * @param {Analysis | null} analysis
 * @param {string | null} player the player who looks; null: the first who decides
 * @param {Record<string, import("./types.js").Clicks>} clicks player -> clicks in the position
 * @param {import("./words.js").Words} words
 * @param {string[]} picked cells that are clicked already
 * @param {boolean} [isOfNet] true for the shares of the actions in the policy of the net instead
 * @returns {Record<string, number> | null} name of a cell -> share, from 0 to 1
 */
export function heatOf(analysis, player, clicks, words, picked, isOfNet = false) {
  if (!analysis) return null;
  const decider = player !== null && player in analysis.arms ? player : Object.keys(analysis.arms)[0];
  if (decider === undefined) return null;
  const strategy = isOfNet ? null : analysis.strategies[decider];
  /** @type {[string, number][]} */
  const shares = strategy?.length ? strategy
    : analysis.arms[decider].map((arm) => [arm.action, (isOfNet ? arm.prior : arm.probability) ?? 0]);
  const path = new ClickPath(clicks[decider] ?? {});
  path.picked = picked;
  const heat = path.heat(Object.fromEntries(shares));
  for (const [action, share] of shares) {
    const found = words.amounts(action);
    for (const [place, amount] of found?.amounts ?? [])
      heat[place] = (heat[place] ?? 0) + (share * amount) / (found?.total || 1);
  }
  return heat;
}
