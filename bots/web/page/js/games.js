// What the page adds to the games of the server: positions for pictures, and variants that people like.

/**
 * @typedef {object} GameLook
 * @property {string} [example] a position with something to see
 * @property {{label: string, parameters: Record<string, any>}[]} [variants]
 * @property {string} [hint] how to play it on this page
 */

/** @type {Record<string, GameLook>} */
const LOOKS = {
  mnk: {
    example: "xxo/.x./o.o_x",
    variants: [
      { label: "Tic-tac-toe", parameters: { m: 3, n: 3, k: 3 } },
      { label: "5 × 5, four in a row", parameters: { m: 5, n: 5, k: 4 } },
      { label: "7 × 7, five in a row", parameters: { m: 7, n: 7, k: 5 } },
      { label: "8 × 8, five in a row", parameters: { m: 8, n: 8, k: 5 } },
    ],
  },
  points_ttt: { example: "x.o/o.x/.o._2,-1_x_0" },
  dice_ttt: { example: '{"board":"x..xo.o..","row":3,"to_move":"x"}' },
  bidding_ttt: {
    example: "x.o/.x./..._4,2_o_-",
    variants: [
      { label: "3 coins each", parameters: { coins: 3 } },
      { label: "8 coins each", parameters: { coins: 8 } },
      { label: "20 coins each", parameters: { coins: 20 } },
    ],
    hint: "Choose a bid and seal it. Bids are shown when both are sealed; the higher one marks a cell.",
  },
  tic_block: { example: "xxx/oo./..._50,0_x.../ox../.o../...._-" },
  three_player_ttt: {
    example: "x.o../.xz../o.xz./..o.z/....._xplayer",
    variants: [
      { label: "Flat board", parameters: { torus: false } },
      { label: "Torus: lines go on over the edges", parameters: { torus: true } },
    ],
  },
  bidding_3d_ttt: {
    example:
      "2_64,65_rr......./........./..b..b.../........./........./........./.r......./........./........._...r.b..._A1:4,A2:4,G1:4,G2:4_A2:1,C3:5,C6:5,G1:4_rr......./........./..b..b.../........./........./........./.r......./........./.........",
    variants: [
      { label: "80 chips", parameters: { chips: 80, recapture: false } },
      { label: "80 chips, tiles can be recaptured", parameters: { chips: 80, recapture: true } },
      { label: "20 chips", parameters: { chips: 20, recapture: false } },
    ],
    hint: "Click a tile to put chips on it, then seal the bid.",
  },
};

/**
 * Return games from the best known to the hardest to learn; those that this page does not know come last.
 *
 * @param {import("./types.js").GameInfo[]} games
 */
export function inOrder(games) {
  const names = Object.keys(LOOKS);
  const place = (/** @type {import("./types.js").GameInfo} */ game) => (names.includes(game.name) ? names.indexOf(game.name) : names.length);
  return [...games].sort((a, b) => place(a) - place(b));
}

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
 * Return the title of the game with a spec, and the parameters in it.
 *
 * @param {import("./types.js").GameInfo[]} games
 * @param {string} spec
 */
export function titleOf(games, spec) {
  const [, name, inner] = /^([^(]*)(?:\((.*)\))?$/.exec(spec) ?? ["", spec, ""];
  const game = games.find((one) => one.spec.split("(")[0] === name);
  return { title: game?.title ?? spec, parameters: game && inner ? inner.replaceAll(",", ", ") : "" };
}

/** @type {GameLook} */
const NONE = {};

/**
 * @param {string} name
 * @returns {GameLook}
 */
export function lookOf(name) {
  return LOOKS[name] ?? LOOKS[name.split(".").at(-2) ?? ""] ?? NONE;
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
  const kind = game.kind === "simultaneous" ? (game.name.startsWith("bidding") ? "sealed bids" : "moves at once") : "in turns";
  return [
    `${game.players.length} players`,
    kind,
    game.is_hidden && "hidden chips",
    game.has_chance && "a die",
  ].filter((word) => typeof word === "string");
}
