// The report of a tournament, a page of its own: the results, and games to step through.

import { button, fill, h } from "../dom.js";
import { plot } from "./charts.js";
import { breakable, heading, table } from "./ratings.js";
import { replay } from "./replay.js";
import { part, resultParts } from "./results.js";
import { factList, readData, saidSeconds } from "./standalone.js";

/** @typedef {import("./types.js").ReportData} ReportData */
/** @typedef {ReportData["games"][number]} Game */

const data = /** @type {ReportData} */ (readData());
const { results, games, lines } = data;
const { bots, players } = results;
const place = h("div", {});
const rows = games.map(row);

/**
 * @param {Game} game
 */
function row(game) {
  const address = `#game-${game.number}`;
  return h("tr", { onclick: () => { location.hash = address; } }, [
    h("th", { scope: "row" }, h("a", { href: address }, game.number)),
    game.seats.map((bot) => h("td", {}, breakable(data.labels[bot]))),
    h("td", {}, game.returns?.map((value) => String(+value.toFixed(1))).join(" : ") ?? "void",
      game.failures.length > 0 && h("span", { class: "fault" }, "failed")),
    h("td", {}, game.plies),
    h("td", { class: "wide-only game-moves" }, game.steps.join(" ")),
  ]);
}

function gamesPart() {
  const count = h("span", { "aria-live": "polite" });
  const bot = h("select", { "aria-label": "Bot", onchange: filter }, h("option", { value: "" }, "all bots"),
    data.labels.map((label, at) => h("option", { value: at }, label)));
  const failed = h("input", { type: "checkbox", onchange: filter });
  function filter() {
    let shown = 0;
    games.forEach((game, at) => {
      rows[at].hidden = (bot.value !== "" && !game.seats.includes(Number(bot.value)))
        || (failed.checked && !game.failures.length);
      shown += +!rows[at].hidden;
    });
    fill(count, `${shown} shown`);
  }
  const words = games.length < results.games
    ? `${games.length} of ${results.games.toLocaleString("en")} games: a random sample, and failed games.`
    : `All ${games.length} games.`;
  return part("games", "Games", games.length ? words : "No game has been played yet.", games.length > 0 && [
    place,
    h("div", { class: "row game-filter" }, bot,
      games.some((game) => game.failures.length) && h("label", {}, failed, " only failed games"), count),
    table("last-games", ["Game", ...players, "Result", "Steps", heading("Moves", { class: "wide-only" })], rows,
      { label: "List of games", box: "table-box game-list" }),
  ]);
}

/**
 * Return the steps of a game as actions by player.
 *
 * @param {Game} game
 * @returns {import("../types.js").Ply[]}
 */
function historyOf({ steps, deciders }) {
  return steps.map((step, at) => {
    const names = deciders[at].map((player) => players[player] ?? "chance");
    const parts = names.length > 1 ? step.split("|").filter((one) => one !== "noop") : [step];
    return parts.length === names.length ? Object.fromEntries(names.map((name, number) => [name, parts[number]]))
      : { [names.join(", ")]: step };
  });
}

/**
 * @param {Game} game
 */
function endOf({ failures, error, returns }) {
  return [
    ...failures.map(({ player, kind, message }) =>
      `${player === null ? "An unknown player" : players[player]} failed (${kind}): ${message}.`),
    error && `The rest cannot be shown: ${error}.`,
    returns === null && "The game counts for nobody.",
  ].filter(Boolean);
}

/**
 * Show the game that the address names, such as `#game-12-3`: game 12 after three steps.
 *
 * @param {boolean} isAsked true if the reader has chosen it
 */
function open(isAsked) {
  const [, number, step] = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash) ?? [];
  const at = games.findIndex((game) => game.number === Number(number));
  if (at < 0 && isAsked) return;
  const game = games[Math.max(at, 0)];
  const last = game.frames.length - 1;
  rows.forEach((one, index) => one.setAttribute("aria-selected", String(games[index] === game)));
  if (last < 0) {
    fill(place, h("p", { class: "problem" }, endOf(game).join(" ")));
    return;
  }
  const seats = game.seats.map((bot, player) =>
    ({ player: players[player], bot: data.labels[bot], return: game.returns?.[player] ?? null }));
  const view = replay(`Game ${game.number}`, seats, historyOf(game).slice(0, last), data.phrases, (ply) => ({
    svg: game.frames[ply].map((line) => lines[line]).join("\n"),
    waits_for: (game.deciders[ply] ?? []).map((player) => players[player]),
  }));
  fill(place, h("div", { class: "match" }, [
    view.table,
    h("div", { class: "side" }, [
      h("section", { class: "panel turn", "aria-label": "Game" }, view.heading, view.detail,
        game.opening.length > 0 && h("p", { class: "muted" }, `Opening: ${game.opening.join(" ")}`),
        endOf(game).map((words) => h("p", { class: "problem" }, words))),
      view.moves,
    ]),
  ]));
  view.show(step === undefined ? last : Math.min(Number(step), last));
  if (at >= 0) place.scrollIntoView({ block: "nearest" });
}

/** Return the mean times of the decisions of each bot, on a logarithmic scale. */
function timePart() {
  const known = bots.flatMap((bot) => (bot.seconds_a_move ? [Math.log(bot.seconds_a_move)] : []));
  if (!known.length) return null;
  const [low, high] = [Math.min(...known) - 0.5, Math.max(...known) + 0.5];
  return part(
    "time", "Time",
    `Mean wall-clock time per move, from a sample of ${data.sampled.toLocaleString("en")} games, and per game. `
      + "The scale is logarithmic.",
    table("ratings", [heading("Bot", { class: "bot" }), "Per move", heading("", { class: "interval" }), "Per game"],
      bots.map((bot) => {
    const at = bot.seconds_a_move ? (Math.log(bot.seconds_a_move) - low) / (high - low) : null;
    return h("tr", {}, [
      h("th", { scope: "row", class: "bot" }, breakable(bot.bot)),
      h("td", {}, saidSeconds(bot.seconds_a_move)),
      h("td", { class: "interval" },
        at !== null && h("span", { class: "span", "--low": 0, "--high": at, "--at": at }, h("i"), h("b"))),
      h("td", {}, saidSeconds(bot.seconds_a_game)),
    ]);
  })));
}

/** Return ratings over simulations, of bots that differ in nothing else. */
function simulationsPart() {
  if (!data.families.length) return null;
  const isElo = results.score === "wins";
  const series = data.families.map(({ name, members }) => ({
    name,
    points: members.map(([x, label]) => {
      const bot = bots.find((one) => one.bot === label);
      const y = (isElo ? bot?.elo : bot?.difference) ?? 0;
      return { x, y, error: (isElo ? bot?.elo_error : bot?.difference_error) ?? null,
        title: `${x.toLocaleString("en")} simulations: ${+y.toFixed(isElo ? 0 : 2)}` };
    }),
  }));
  return part("simulations", "Ratings and simulations",
    "Bots that differ only in their number of simulations, on a logarithmic axis.",
    plot(series, "simulations for a decision", isElo ? "Elo" : "points", { isLog: true }));
}

const shown = new Set(games.map((game) => game.number));
const parts = [...resultParts(results, (number) => (shown.has(number) ? `#game-${number}` : null)), simulationsPart(),
  timePart(), gamesPart()].flatMap((one) => one ?? []);
fill(/** @type {HTMLElement} */ (document.getElementById("content")), [
  h("div", { class: "intro" }, h("h1", {}, breakable(results.game)), h("p", {}, data.headline)),
  factList(data.facts),
  h("nav", { class: "row report-links", "aria-label": "Sections" },
    parts.map((one) => button(one.querySelector("h2")?.textContent, () => one.scrollIntoView(), { class: "link" }))),
  parts,
  h("p", { class: "muted report-end" },
    "Errors and likelihoods come from whole blocks: one opening or seed in every seat assignment. The games of a block "
      + "share the luck of its opening and are not independent; counting them one by one would make the error bars too "
      + "narrow."),
]);
if (games.length) open(false);
addEventListener("hashchange", () => open(true));
