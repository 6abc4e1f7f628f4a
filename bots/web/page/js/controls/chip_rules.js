// The rules of a bid on tiles, checked while it is built. The server checks them again.

import { listed, sum } from "../words.js";

const LINES = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]];
const LETTERS = "ABCDEFGHI";
const TILES = 9;
const MOST_BOARDS_OF_ROUND_2 = 2;

/**
 * @typedef {object} Facts
 * @property {number} round
 * @property {(number | null)[]} chips
 * @property {string} tiles
 * @property {string[]} boards
 * @property {{bids: (number[] | null)[], tiles: string}[]} history
 */

/**
 * Return true if a tile can be bid on.
 *
 * @param {Facts} facts
 * @param {boolean} canRecapture
 * @param {string} tile
 */
export function isOpen(facts, canRecapture, tile) {
  const place = placeOf(tile);
  if (facts.boards[Math.floor(place / TILES)]) return false;
  return facts.tiles[place] === "." || canRecapture;
}

/**
 * Return what is wrong with a bid, "" if nothing is.
 *
 * @param {Map<string, number>} bid
 * @param {Facts} facts
 * @param {number} chips chips that the player has
 */
export function whyWrong(bid, facts, chips) {
  const total = sum(bid.values());
  if (total > chips) return `The bid has ${total} chips, and you have ${chips}.`;
  const tiles = [...bid.keys()];
  if (facts.round === 1) {
    for (const letter of LETTERS) {
      const line = LINES.find((places) => places.every((place) => bid.has(letter + place)));
      if (line) return `Round 1: a bid must not contain a line of a board, as ${listed(line.map((place) => letter + place))} are.`;
    }
  }
  const boards = [...new Set(tiles.map((tile) => tile[0]))].sort();
  if (facts.round === 2 && boards.length > MOST_BOARDS_OF_ROUND_2) {
    return `Round 2: a bid lies on at most two boards, and this one on ${listed(boards)}.`;
  }
  return "";
}

/**
 * Return what may be bid in a round.
 *
 * @param {number} round
 */
export function ruleOf(round) {
  if (round === 1) return "Round 1: no line of three tiles within one board.";
  return round === 2 ? "Round 2: tiles of at most two boards." : "Round 3: any open tiles. It is the last round.";
}

/**
 * Return the last bid of a player that is known.
 *
 * @param {Facts} facts
 * @param {number} player
 * @returns {Map<string, number> | null}
 */
export function lastBid(facts, player) {
  const counts = facts.history.at(-1)?.bids[player];
  return counts ? bidOf(counts) : null;
}

/**
 * @param {number[]} counts
 * @returns {Map<string, number>}
 */
function bidOf(counts) {
  return new Map(counts.map((count, place) => /** @type {[string, number]} */ ([tileOf(place), count])).filter(([, count]) => count > 0));
}

/**
 * Return the text of the action of a bid.
 *
 * @param {Map<string, number>} bid
 */
export function actionOf(bid) {
  const parts = [...bid].sort(([a], [b]) => placeOf(a) - placeOf(b)).map(([tile, count]) => `${tile}:${count}`);
  return `bid(${parts.join(",")})`;
}

/**
 * @param {number} place
 */
export function tileOf(place) {
  return LETTERS[Math.floor(place / TILES)] + ((place % TILES) + 1);
}

/**
 * @param {string} tile
 */
function placeOf(tile) {
  return LETTERS.indexOf(tile[0]) * TILES + Number(tile.slice(1)) - 1;
}
