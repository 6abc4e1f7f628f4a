// The parts of the results of a tournament: ratings, tables, charts, failures.

import { h } from "../dom.js";
import { plural } from "../words.js";
import { histogram } from "./charts.js";
import { breakable, crossTable, likelihoodTable, ratingTable, saidNumbers, saidShare, table } from "./ratings.js";

/** @typedef {import("../types.js").ArenaReport} ArenaReport */

/**
 * Return a part of a page with its heading.
 *
 * @param {string} id
 * @param {string} title
 * @param {string} words below the title
 * @param {import("../dom.js").Child[]} content
 */
export function part(id, title, words, ...content) {
  return h("section", { class: "panel arena-part", id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title), words && h("p", { class: "muted" }, words), content);
}

/**
 * Return the parts of the results, without those that have nothing to show.
 *
 * @param {ArenaReport} report
 * @param {(number: number) => string | null} addressOf returns the address of a game, counted from 1
 * @returns {HTMLElement[]}
 */
export function resultParts(report, addressOf = () => null) {
  const parts = [
    part("ratings", "Ratings", ratingWords(report), ratingTable(report),
      h("div", { class: "arena-notes muted" }, report.notes.map((note) => h("p", {}, note)))),
    part("cross", "Each against each",
      report.score === "returns" ? "Mean return of the row minus that of the column."
      : "Share of the points of the row against the column, and the games won/drawn/lost, in whole blocks.",
      crossTable(report)),
  ];
  if (report.ratings.los.flat().some((one) => one !== null))
    parts.push(part("likelihood", "Who is better", "Likelihood that the row is stronger than the column.",
      likelihoodTable(report)));
  if (report.games)
    parts.push(part("seats", "Seats",
      "Results by seat of all bots with the effect of the seat in the rating model, and of each bot.",
      seatTable(report)));
  if (report.lengths.length) {
    const games = report.lengths.reduce((sum, [, count]) => sum + count, 0);
    const mean = report.lengths.reduce((sum, [length, count]) => sum + length * count, 0) / games;
    parts.push(part("lengths", "Length of games",
      `${mean.toFixed(1)} steps on average, ${report.lengths[0][0]} to ${report.lengths.at(-1)?.[0]}, `
        + `in ${plural(games, "game")}.`,
      histogram(report.lengths, "steps")));
  }
  if (report.failures.length)
    parts.push(part("failures", "Failures",
      "A bot that fails forfeits the game: it gets the lowest return, the other bots get the highest.",
      failureTable(report, addressOf)));
  return parts;
}

/**
 * @param {ArenaReport} report
 */
function ratingWords({ bots, ratings, score }) {
  if (!ratings.lists.length) return "There are no ratings; the order is that of mean returns.";
  const isOneSided = bots.some((bot) => bot.elo !== null && bot.elo !== undefined
    && (bot.elo_lower === null || bot.elo_upper === null));
  const zero = Object.keys(ratings.anchors).length ? "The anchored bots fix the scale."
    : `Zero is the mean of the bots${isOneSided ? " whose results are not one-sided" : ""}.`;
  const apart = ratings.lists.length > 1 ? " Ratings of different lists cannot be compared." : "";
  const scale = score === "returns" ? ": differences of mean returns in points, adjusted for the opponents"
    : " on the Elo scale";
  return `${ratings.model}${scale}; bars are 95 % intervals. ${zero}${apart}`;
}

/**
 * Return the results in each seat, of all bots and of each.
 *
 * @param {ArenaReport} report
 */
function seatTable(report) {
  const { bots, players } = report;
  const all = players.map((player, seat) => {
    const found = bots.map((bot) => bot.seats[seat]);
    const total = (/** @type {"wins" | "draws" | "losses"} */ key) => found.reduce((sum, one) => sum + one[key], 0);
    const games = (/** @type {typeof found[number]} */ one) => one.wins + one.draws + one.losses;
    const count = found.reduce((sum, one) => sum + games(one), 0);
    const mean = count ? found.reduce((sum, one) => sum + games(one) * (one.mean_return ?? 0), 0) / count : null;
    return { player, wins: total("wins"), draws: total("draws"), losses: total("losses"), mean_return: mean };
  });
  const isShare = players.length === 2 && report.score === "wins";
  const means = bots.flatMap((bot) => bot.seats.map((seat) => seat.mean_return)).filter((one) => one !== null);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const cell = (/** @type {typeof all[number]} */ { wins, draws, losses, mean_return: mean }) => {
    const games = wins + draws + losses;
    if (!games || mean === null) return h("td", { class: "none" }, "–");
    const share = (wins + draws / 2) / games;
    return h("td", { "--share": isShare ? share : high > low ? (mean - low) / (high - low) : 0.5 },
      h("span", {}, isShare ? saidShare(share) : saidNumbers(report, true)(mean),
        h("small", {}, `${wins}/${draws}/${losses}`)));
  };
  return table("cross seats", ["Bot", ...players], [
    h("tr", {}, h("th", { scope: "row" }, "All"), all.map(cell)),
    report.ratings.seats && h("tr", {},
        h("th", { scope: "row" }, report.score === "returns" ? "Effect in points" : "Effect in Elo"),
        report.ratings.seats.map((seat) => {
      const said = saidNumbers(report);
      return h(
        "td", {}, `${said(seat.elo ?? seat.difference ?? 0)} ± ${said(seat.elo_error ?? seat.difference_error ?? 0)}`);
    })),
    bots.map((bot) => h("tr", {}, h("th", { scope: "row" }, breakable(bot.bot)), bot.seats.map(cell))),
  ], { label: "Seats", caption: "Results by seat: won/drawn/lost" });
}

/**
 * @param {ArenaReport} report
 * @param {(number: number) => string | null} addressOf
 */
function failureTable(report, addressOf) {
  return table("failures", ["Bot", "Kind", "Message", "Times", "Games"],
    report.failures.map(({ bot, kind, message, log, count, games }) => h("tr", {}, [
    h("th", { scope: "row" }, breakable(bot)),
    h("td", { class: "fault" }, kind),
    h("td", {}, message, log && h("details", {}, h("summary", {}, "Log of the first failure"), h("pre", {}, log))),
    h("td", {}, count.toLocaleString("en")),
    h("td", {}, games.map((number) => {
      const address = addressOf(number);
      return [address === null ? String(number) : h("a", { href: address }, number), " "];
    }), count > games.length && "…"),
  ])), { label: "Failures" });
}
