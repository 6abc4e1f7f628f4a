// What this browser remembers: tokens of matches, and settings. Without storage it lasts as long as the page.

const MATCHES = "playout.matches";
const MOST_MATCHES = 40;

/** @type {Map<string, string>} */
const fallback = new Map();

/**
 * @param {string} key
 * @returns {string | null}
 */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return fallback.get(key) ?? null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    fallback.set(key, value);
  }
}

/**
 * @typedef {object} KnownMatch
 * @property {string} id
 * @property {import("./types.js").Tokens} tokens
 * @property {string} [game]
 * @property {string} [name]
 * @property {string} [title] of the game
 * @property {string} [with] the opponents in words
 * @property {boolean} [isOver]
 * @property {number} at
 */

/**
 * Return the matches whose tokens this browser has, the newest first.
 *
 * @returns {KnownMatch[]}
 */
export function knownMatches() {
  try {
    const found = JSON.parse(remembered(MATCHES) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string" && one.tokens) : [];
  } catch {
    return [];
  }
}

/**
 * Add a match, or what is new about it.
 *
 * @param {Partial<KnownMatch> & {id: string}} match
 */
export function keepMatch(match) {
  const all = knownMatches();
  const old = all.find((one) => one.id === match.id);
  const tokens = { ...old?.tokens, ...match.tokens };
  const rest = all.filter((one) => one.id !== match.id);
  remember(MATCHES, JSON.stringify([{ at: Date.now(), ...old, ...match, tokens }, ...rest].slice(0, MOST_MATCHES)));
}

/**
 * Keep the tokens of a new match, and open it.
 *
 * @param {import("./types.js").Created} created
 */
export function enter({ id, owner, seats, spectator }) {
  keepMatch({ id, tokens: { owner, seats, spectator } });
  location.hash = `#/match/${encodeURIComponent(id)}`;
}

/**
 * @param {string} id
 */
export function forgetMatch(id) {
  remember(MATCHES, JSON.stringify(knownMatches().filter((one) => one.id !== id)));
}

/**
 * Return the token with most rights in a match: the owner's, that of an invitation, a seat's, a spectator's.
 *
 * @param {string} id
 * @returns {string | null}
 */
export function tokenOf(id) {
  const tokens = knownMatches().find((one) => one.id === id)?.tokens;
  return tokens?.owner ?? tokens?.invitation ?? Object.values(tokens?.seats ?? {})[0] ?? tokens?.spectator ?? null;
}
