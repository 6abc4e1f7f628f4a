// Calls of the JSON interface.

import { gameOf } from "./games.js";
import { transport } from "./transport.js";

/** @typedef {import("./types.js").Match} Match */

const MOST_KEPT = 400;

/** An answer that says why something cannot be done. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {any} valid
   */
  constructor(status, code, message, valid = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.valid = valid;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: any, token?: string | null, query?: Record<string, any>}} [options]
 * @returns {Promise<any>}
 */
async function call(method, path, { body, token, query } = {}) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const search = Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
  const { status, data } = await transport.request(method, path, { body, token, query: search }).catch((error) => {
    throw new ApiError(0, "offline", error.message);
  });
  if (status < 400) return data;
  const error = data?.error ?? {};
  throw new ApiError(status, error.code ?? "error", error.message ?? `The server answered ${status}.`, error.valid);
}

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/**
 * Return an answer that does not change, and ask for it once.
 *
 * @param {string} key
 * @param {() => Promise<any>} ask
 * @returns {Promise<any>}
 */
function once(key, ask) {
  const known = kept.get(key);
  if (known) return known;
  const asked = ask();
  kept.set(key, asked);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  asked.catch(() => kept.delete(key));
  return asked;
}

export const api = {
  info: () => once("info", () => call("GET", "/info")),

  /** @returns {Promise<import("./types.js").GameInfo[]>} */
  games: () => once("games", () => call("GET", "/games")),

  /**
   * Return a game, also one that is not in the list.
   *
   * @param {string} spec
   * @returns {Promise<import("./types.js").GameInfo>}
   */
  async game(spec) {
    const games = await api.games();
    return gameOf(games, spec) ?? (await once(`game ${spec}`, () => call("GET", `/games/${encodeURIComponent(spec)}`)));
  },

  /**
   * Bring a rulesheet.
   *
   * @param {string} text
   * @param {string} name of its file
   * @returns {Promise<import("./types.js").GameInfo>}
   */
  addRules: (text, name) => call("POST", "/games", { body: { text, name } }),

  /**
   * @param {string} key of the game
   * @returns {Promise<{svg: string}>}
   */
  picture: (key) => once(`picture ${key}`, () => call("GET", `/games/${encodeURIComponent(key)}/picture`)),

  /**
   * @param {string} key of the game
   * @returns {Promise<{title: string, html: string}>}
   */
  rules: (key) => once(`rules ${key}`, () => call("GET", `/games/${encodeURIComponent(key)}/rules`)),

  /**
   * @param {string} game
   * @returns {Promise<import("./types.js").BotInfo[]>}
   */
  bots: (game) => once(`bots ${game}`, () => call("GET", "/bots", { query: { game } })),

  /**
   * @param {string} game
   * @param {string} bot
   * @returns {Promise<{spec: string}>}
   */
  checkBot: (game, bot) => call("POST", "/bots/check", { body: { game, bot } }),

  /**
   * @param {{game: string, state?: string | null, plies?: import("./types.js").Ply[], size?: number | null}} position
   */
  position: (position) => once(`position ${JSON.stringify(position)}`,
    () => call("POST", "/positions", { body: position })),

  /**
   * @param {Record<string, any>} body
   * @returns {Promise<import("./types.js").Created>}
   */
  create: (body) => call("POST", "/matches", { body }),

  /** @returns {Promise<{tournaments: import("./types.js").Tournament[], last: string | null}>} */
  tournaments: () => call("GET", "/arena/tournaments"),

  /**
   * @param {string} id
   * @returns {Promise<import("./types.js").TournamentResults>}
   */
  tournament: (id) => call("GET", `/arena/tournaments/${encodeURIComponent(id)}`),

  /**
   * @param {string} id
   * @param {number} number
   * @returns {Promise<import("./types.js").TournamentGame & {phrases: Record<string, string>, record: {game: string,
   *   plies: {actions: import("./types.js").Ply}[]}}>}
   */
  tournamentGame: (id, number) => call("GET", `/arena/tournaments/${encodeURIComponent(id)}/games/${number}`),

  /**
   * @param {string} id
   * @param {number} number
   * @param {number} ply
   * @returns {Promise<import("./types.js").Position>}
   */
  tournamentPly: (id, number, ply) =>
    call("GET", `/arena/tournaments/${encodeURIComponent(id)}/games/${number}/plies/${ply}`),

  /**
   * @param {string} game
   * @returns {Promise<import("./types.js").Leaderboard>}
   */
  leaderboard: (game) => call("GET", "/arena/leaderboard", { query: { game } }),
};

/** @typedef {ReturnType<typeof matchApi>} MatchApi */

/**
 * Return the calls about one match.
 *
 * @param {string} id
 * @param {string | null} token of a seat
 */
export function matchApi(id, token) {
  /** @type {typeof call} */
  const ask = (method, path, options = {}) =>
    call(method, `/matches/${encodeURIComponent(id)}${path}`, { token, ...options });
  return {
    token,

    /**
     * @param {string | null} player
     * @returns {Promise<Match>}
     */
    get: (player) => ask("GET", "", { query: { player } }),

    /**
     * Delete the match for good, with the owner's token.
     *
     * @returns {Promise<void>}
     */
    delete: () => ask("DELETE", ""),

    /**
     * @param {number} ply
     * @param {string | null} player
     * @returns {Promise<import("./types.js").Position>}
     */
    position: (ply, player) => ask("GET", `/plies/${ply}`, { query: { player } }),

    /**
     * @param {string} player
     * @param {string} action
     * @param {number} version
     * @returns {Promise<Match>}
     */
    play: (player, action, version) => ask("POST", "/actions", { body: { player, action, version } }),

    /**
     * @param {"undo" | "redo" | "resign" | "go_on"} what
     * @param {string | null} player
     * @returns {Promise<Match>}
     */
    change: (what, player) => ask("POST", `/${what}`, { body: player === null ? {} : { player } }),

    /**
     * @param {string | null} player
     * @param {number} seconds
     * @returns {Promise<import("./types.js").Hint>}
     */
    hint: (player, seconds) => ask("POST", "/hint", { body: { player, seconds } }),

    /**
     * @param {string} player
     * @param {number} ply number of plies before its decision
     * @returns {Promise<import("./types.js").Coached>}
     */
    coach: (player, ply) => ask("POST", "/coach", { body: { player, ply } }),

    /**
     * @param {number} ply
     * @returns {Promise<import("./types.js").Created>}
     */
    branch: (ply) => ask("POST", "/branch", { body: { ply } }),

    /**
     * @param {string | null} player
     * @returns {Promise<any>}
     */
    record: (player) => ask("GET", "/record", { query: { player } }),

    /**
     * @param {number} ply
     * @returns {Promise<import("./types.js").Exact>}
     */
    exact: (ply) => ask("GET", "/exact", { query: { ply } }),

    /** @returns {Promise<import("./types.js").Evaluation>} */
    evaluation: () => ask("GET", "/evaluation"),
  };
}
