// Actions, players and bots in words.

const MARK = /^mark\((\d+),(\d+)\)$/;
const BID = /^bid\((\d+)(,tiebreaker)?\)$/;
const CHIPS = /^bid\((.*)\)$/;
const THROW = /^throw\((\d+)\)$/;
export const HIDDEN = "?";

/**
 * Return the amounts of a bid on tiles, such as `bid(A1:3,E5:2)`; null for other actions.
 *
 * @param {string} action
 * @returns {Map<string, number> | null}
 */
export function chipsOf(action) {
  const inner = CHIPS.exec(action)?.[1];
  if (inner === undefined || (inner && !inner.includes(":"))) return null;
  const parts = inner.split(",").filter(Boolean).map((part) => part.split(":"));
  return new Map(parts.map(([tile, count]) => [tile, Number(count)]));
}

/**
 * Return the coins of a bid such as `bid(2,tiebreaker)`; null for other actions.
 *
 * @param {string} action
 */
export function coinsOf(action) {
  const found = BID.exec(action);
  return found ? { coins: Number(found[1]), hasTiebreaker: Boolean(found[2]) } : null;
}

/**
 * Return an action in few letters, for lists.
 *
 * @param {string} action
 * @returns {string}
 */
export function shortAction(action) {
  if (action === HIDDEN) return "hidden";
  const mark = MARK.exec(action);
  if (mark) return `${mark[1]},${mark[2]}`;
  const coins = coinsOf(action);
  if (coins) return `bid ${coins.coins}${coins.hasTiebreaker ? " + tb" : ""}`;
  const thrown = THROW.exec(action);
  if (thrown) return `die: row ${thrown[1]}`;
  const chips = chipsOf(action);
  if (chips) return chips.size ? [...chips].map(([tile, count]) => `${tile}:${count}`).join(" ") : "no bid";
  return action;
}

/**
 * Return an action as the end of a sentence that begins with a player.
 *
 * @param {string} action
 * @returns {string}
 */
export function saidAction(action) {
  if (action === HIDDEN) return "acts in secret";
  const mark = MARK.exec(action);
  if (mark) return `marks row ${mark[1]}, column ${mark[2]}`;
  const coins = coinsOf(action);
  if (coins) return `bids ${plural(coins.coins, "coin")}${coins.hasTiebreaker ? " with the tiebreaker" : ""}`;
  const thrown = THROW.exec(action);
  if (thrown) return `names row ${thrown[1]}`;
  const chips = chipsOf(action);
  if (chips) return `bids ${plural(sum(chips.values()), "chip")} on ${plural(chips.size, "tile")}`;
  return action === "pass" ? "passes" : `plays ${action}`;
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
    .map(([player, action]) => `${player === "chance" ? (THROW.test(action) ? "The die" : "Chance") : saidPlayer(player)} ${saidAction(action)}`)
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
