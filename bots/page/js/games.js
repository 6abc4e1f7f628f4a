// Games of the server in words, and their specs.

/**
 * Return what a game is about, as a sentence.
 *
 * @param {import("./types.js").GameInfo} game
 */
export function summaryOf(game) {
  const text = game.summary.trim();
  const first = /^\w\b/.test(text) ? text[0] : text[0]?.toUpperCase(); // a letter alone is the name of a parameter
  return text && `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/**
 * Return the game of the server that a spec means: one that is added under this spec, or a variant of a game by name.
 *
 * @param {import("./types.js").GameInfo[]} games
 * @param {string} spec
 */
export function gameOf(games, spec) {
  return games.find((one) => one.key === spec) ?? games.find((one) => one.key === spec.split("(")[0]);
}

/**
 * Return the title of the game with a spec, and the parameters in it.
 *
 * @param {import("./types.js").GameInfo[]} games
 * @param {string} spec
 */
export function titleOf(games, spec) {
  const inner = /\((.*)\)$/.exec(spec)?.[1] ?? "";
  const game = gameOf(games, spec);
  return { title: game?.title ?? spec, parameters: game ? inner.replaceAll(",", ", ") : "" };
}

/**
 * Return the spec of a game with parameters.
 *
 * @param {string} name
 * @param {Record<string, any>} parameters
 */
export function specOf(name, parameters) {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${name}(${parts.join(",")})` : name;
}

/**
 * Return what is special about a game, in two or three words each.
 *
 * @param {import("./types.js").GameInfo} game
 */
export function traitsOf(game) {
  return [
    `${game.players.length} players`,
    game.kind === "simultaneous" ? "moves at once" : "in turns",
    game.size,
    game.is_hidden && "hidden information",
    game.has_chance && "chance",
  ].filter((word) => typeof word === "string" && word !== "");
}
