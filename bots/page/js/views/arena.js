// Tournaments of the server's database: their list, one of them while it runs, and the leaderboard of a game.

import { api } from "../api.js";
import { crumbs, fill, h } from "../dom.js";
import { breakable, heading, table } from "../tournaments/ratings.js";
import { part, resultParts } from "../tournaments/results.js";
import { titleOf } from "../games.js";
import { watch } from "../polling.js";
import { listed, plural } from "../words.js";

/** @typedef {import("../types.js").Tournament} Tournament */
/** @typedef {import("../types.js").GameInfo} GameInfo */

const LIST_MS = 3000;
const RESULTS_MS = 1000;
const MOST_GAMES = 12;
/** @type {[string, string][]} */
const ABOVE = [["#/tournaments", "Tournaments"]];

/**
 * @param {string} spec
 */
export const ratingsLink = (spec) => `#/ratings/${encodeURIComponent(spec)}`;

/**
 * Return the title of a game, with its parameters.
 *
 * @param {GameInfo[]} games
 * @param {string} spec
 */
export function gameName(games, spec) {
  const { title, parameters } = titleOf(games, spec);
  return [h("span", {}, title), parameters && h("span", { class: "muted parameters-text" }, parameters)];
}

/**
 * @param {HTMLElement} place
 */
export async function showTournaments(place) {
  const games = await api.games();
  document.title = "Tournaments – Playout";
  const rows = h("ul", { class: "tournaments" });
  const boards = h("ul", { class: "boards" });
  fill(place, [
    h("div", { class: "intro" }, h("h1", {}, "Tournaments"),
      h("p", {},
        "Games of bots against each other, from the database of this server. What runs is shown while it runs.")),
    h("section", { class: "arena-part", "aria-labelledby": "boards-title" },
      h("h2", { id: "boards-title" }, "Leaderboards"), boards),
    h("section", { class: "arena-part", "aria-labelledby": "tournaments-title" },
      h("h2", { id: "tournaments-title" }, "All tournaments"), rows),
  ]);
  return watch(api.tournaments, ({ tournaments }) => {
    const specs = [...new Set(tournaments.filter((one) => one.refused === null && one.games > 0)
      .map((one) => one.game))];
    fill(boards, specs.map((spec) =>
      h("li", {}, h("a", { class: "chip", href: ratingsLink(spec) }, gameName(games, spec)))));
    if (!specs.length) fill(boards, h("li", { class: "muted" }, "No games yet"));
    fill(rows, [...tournaments].reverse().map((one) => h("li", {}, row(one, games))));
    if (!tournaments.length) fill(rows, h("li", { class: "empty" }, "The database has no tournaments yet."));
    return true;
  }, LIST_MS);
}

/**
 * @param {Tournament} one
 * @param {GameInfo[]} games
 */
function row(one, games) {
  const content = [
    h("strong", { class: "tournament-game" }, gameName(games, one.game)),
    h("span", { class: "muted tournament-bots" }, one.refused
      ?? listed(one.bots.length > 6 ? [...one.bots.slice(0, 5), plural(one.bots.length - 5, "more bot")] : one.bots)),
    h("span", { class: "tournament-state" }, progress(one),
      h("span", { class: "muted" }, saidDate(one.last_played || one.begun))),
  ];
  return one.refused === null ? h("a", { class: "tournament", href: `#/tournament/${encodeURIComponent(one.id)}` },
    content) : h("div", { class: "tournament refused" }, content);
}

/**
 * Return how many games have been played.
 *
 * @param {Tournament} one
 */
function progress(one) {
  const isOver = one.is_over ?? one.games >= one.games_scheduled;
  const words = isOver ? plural(one.games, "game")
    : `${one.games.toLocaleString("en")} of ${plural(one.games_scheduled, "game")}`;
  return h("span", { class: "progress" }, [
    !isOver && h("progress", { max: one.games_scheduled, value: one.games, "aria-label": "Games played" }),
    h("span", {}, words),
  ]);
}

/**
 * Return a time of the server, which is in UTC, in the reader's words.
 *
 * @param {string} text
 */
export function saidDate(text) {
  const at = new Date(`${text.replace(" ", "T")}Z`);
  return Number.isNaN(at.getTime()) ? text : at.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
export async function showTournament(place, id) {
  const games = await api.games();
  const head = h("div", { class: "intro tournament-head" });
  const crumb = h("div", {});
  const parts = h("div", {});
  fill(place, crumb, head, parts);
  return watch(() => api.tournament(id), (found) => {
    const { title } = titleOf(games, found.game);
    document.title = `${title}, tournament – Playout`;
    fill(crumb, crumbs(title, ABOVE));
    fill(head, h("h1", {}, gameName(games, found.game)),
      h("p", {}, [progress(found), h("span", { class: "muted" }, `${found.pairing}, begun ${saidDate(found.begun)}`),
        h("a", { href: ratingsLink(found.game) }, "Leaderboard")]));
    if (!found.games) {
      fill(parts, h("p", { class: "panel muted" }, "The first games are being played."));
      return true;
    }
    fill(parts, resultParts(found.report, (number) => `#/tournament/${encodeURIComponent(id)}/${number - 1}`),
      part("last", "Last games", "", gameTable(found)));
    return found.is_over !== true;
  }, RESULTS_MS);
}

/**
 * @param {import("../types.js").TournamentResults} found
 */
function gameTable(found) {
  const headings = ["Game", ...(found.last_games[0]?.seats.map((seat) => seat.player) ?? []),
    heading("Moves", { class: "wide-only" })];
  return table("last-games", headings, found.last_games.slice(0, MOST_GAMES).map((game) => {
    const best = Math.max(...game.seats.map((seat) => seat.return ?? -Infinity));
    const isDraw = game.seats.every((seat) => seat.return === best);
    return h("tr", {}, [
      h("th", { scope: "row" }, h("a", { href: `#/tournament/${encodeURIComponent(found.id)}/${game.number}` },
        `#${game.number + 1}`)),
      game.seats.map((seat) => h("td", { class: !isDraw && seat.return === best ? "won" : "" },
        h("span", { class: "bot-name" }, breakable(seat.bot)),
        h("span", { class: "return" }, seat.return === null ? "–" : String(+seat.return.toFixed(1))))),
      h("td", { class: "wide-only" }, game.plies),
    ]);
  }), { caption: "Last games" });
}

/**
 * @param {HTMLElement} place
 * @param {string} spec
 */
export async function showLeaderboard(place, spec) {
  const games = await api.games();
  const { title } = titleOf(games, spec);
  document.title = `Leaderboard of ${title} – Playout`;
  const source = h("p", { class: "muted" });
  const parts = h("div", {});
  const choice = h("select", { "aria-label": "Game", onchange: () => {
    location.hash = ratingsLink(choice.value);
  } });
  fill(place, [
    crumbs(title, ABOVE),
    h("div", { class: "intro tournament-head" }, h("h1", {}, "Leaderboard"),
      h("div", { class: "row" }, choice, source)),
    parts,
  ]);
  return watch(() => api.leaderboard(spec), (found) => {
    const shown = found.games.filter((one) => one.refused === null && one.games > 0);
    if (choice !== document.activeElement) {
      fill(choice, shown.map((one) => {
        const of = titleOf(games, one.game);
        return h("option", { value: one.game, selected: one.game === found.game },
          `${of.title} ${of.parameters}`.trim());
      }));
    }
    fill(source,
      `${plural(found.report.games, "game")} of ${plural(found.tournaments.length, "tournament")}, rated together`);
    fill(parts, resultParts(found.report));
    return true;
  }, LIST_MS);
}
