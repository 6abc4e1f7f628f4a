// Actions, players and bots in words.

const BID = /^bid\((.*)\)$/;
const AMOUNT = /^(?:(\w+):)?(\d+)$/;
export const HIDDEN = "?";

/** @type {Record<string, string>} action -> its notation on the board of the match */
let notation = {};

/**
 * Let all words about actions use the notation of a board.
 *
 * @param {Record<string, string>} found action -> its notation
 * @param {boolean} [isNew] true for another match
 */
export function useNotation(found, isNew = false) {
  notation = { ...(isNew ? {} : notation), ...found };
}

/**
 * Return the amounts of a bid such as `bid(A1:3,E5:2)` or `bid(2,tiebreaker)` by place, and the words after them; null for other actions.
 *
 * @param {string} action
 */
export function bidOf(action) {
  const inner = BID.exec(action)?.[1];
  if (inner === undefined) return null;
  const amounts = new Map();
  const words = [];
  for (const part of inner ? inner.split(",") : []) {
    const found = AMOUNT.exec(part);
    if (found) amounts.set(found[1] ?? "", Number(found[2]));
    else words.push(part);
  }
  return words.length && !amounts.size ? null : { amounts, words, total: sum(amounts.values()) };
}

/**
 * Return an action in few letters, for lists.
 *
 * @param {string} action
 * @returns {string}
 */
export function shortAction(action) {
  if (action === HIDDEN) return "hidden";
  if (action in notation) return notation[action];
  const bid = bidOf(action);
  if (!bid) return action;
  if (!bid.amounts.size) return "no bid";
  return bid.amounts.has("") ? ["bid", bid.total, ...bid.words.map((word) => `+ ${word}`)].join(" ") : [...bid.amounts].map((one) => one.join(":")).join(" ");
}

/**
 * Return an action as the end of a sentence that begins with a player.
 *
 * @param {string} action
 * @returns {string}
 */
export function saidAction(action) {
  if (action === HIDDEN) return "acts in secret";
  const bid = bidOf(action);
  if (bid) return `bids ${bid.total}${bid.amounts.has("") ? bid.words.map((word) => ` with the ${word}`).join("") : ` on ${plural(bid.amounts.size, "place")}`}`;
  return action === "pass" ? "passes" : `plays ${notation[action] ?? action}`;
}

/**
 * Return the name of a player for people, without `player` at its end: `x` for `xplayer`.
 *
 * @param {string} player
 */
export function saidPlayer(player) {
  return player.replace(/(?<=.)[_-]?player$/i, "").replaceAll("_", " ");
}

/**
 * @param {import("./types.js").Ply} ply
 * @returns {string}
 */
export function saidPly(ply) {
  return Object.entries(ply)
    .filter(([, action]) => action !== "noop")
    .map(([player, action]) => (player === "chance" ? `Chance: ${shortAction(action)}` : `${saidPlayer(player)} ${saidAction(action)}`))
    .join("; ");
}

/**
 * @param {Iterable<number>} numbers
 */
export function sum(numbers) {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}

/**
 * @param {number} count
 * @param {string} word
 */
export function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/**
 * @param {string[]} words
 * @param {string} [last]
 */
export function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/**
 * Return who plays a seat.
 *
 * @param {string | null} bot spec, or null for a person
 */
export function saidBot(bot) {
  if (bot === null) return "person";
  const level = /^level\((?:level=|strength=)?(\d+)\)$/.exec(bot);
  // Of a net, the name of its file says enough.
  return level ? `level ${level[1]}` : bot.replace(/\bnet="?(?:[^",)]*[/\\])?([^",)#/\\]+)(?:#[0-9a-f]{16})?"?/, "net=$1");
}

/**
 * Return a number of simulations in few letters, such as `3.4 M`.
 *
 * @param {number} count
 */
export function compact(count) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(count);
}

/**
 * Return the result of a finished match.
 *
 * @param {import("./types.js").Match} match
 */
export function saidResult(match) {
  if (!match.returns) return "The game is over";
  const best = Math.max(...match.returns);
  const winners = match.players.filter((_, player) => match.returns?.[player] === best).map(saidPlayer);
  if (winners.length === match.players.length) return "Draw";
  return winners.length === 1 ? `${winners[0]} wins` : `${listed(winners)} share first place`;
}
