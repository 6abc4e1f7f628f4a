// Tables of tournaments: ratings with intervals as bars, and the results of each bot against each other.

import { h } from "../dom.js";
import { plural } from "../words.js";

/** @typedef {import("../types.js").RatedBot} RatedBot */
/** @typedef {import("../types.js").ArenaReport} ArenaReport */

/**
 * Return the rating table of a report.
 *
 * @param {ArenaReport} report
 */
export function ratingTable(report) {
  const { bots } = report;
  const ends = bots.flatMap((bot) => [bot.elo_lower, bot.elo, bot.elo_upper]).filter((one) => one !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const at = (/** @type {number | null} */ elo, /** @type {number} */ open) => (elo === null ? open : high > low ? (elo - low) / (high - low) : 0.5);
  return h("div", { class: "table-box" }, h("table", { class: "ratings" }, [
    h("caption", { class: "unseen" }, "Ratings"),
    h("thead", {}, h("tr", {}, [
      h("th", { scope: "col", class: "rank" }, "#"),
      h("th", { scope: "col", class: "bot" }, "Bot"),
      h("th", { scope: "col", class: "elo" }, "Elo"),
      h("th", { scope: "col", class: "interval" }, "95 % interval"),
      h("th", { scope: "col" }, "Points"),
      h("th", { scope: "col", class: "wide-only" }, "Wins"),
      h("th", { scope: "col", class: "wide-only" }, "Draws"),
      h("th", { scope: "col", class: "wide-only" }, "Losses"),
    ])),
    h("tbody", {}, bots.map((bot, number) => h("tr", {}, [
      h("td", { class: "rank" }, number + 1),
      h("th", { scope: "row", class: "bot", title: bot.spec }, breakable(bot.bot), failuresOf(bot)),
      h("td", { class: "elo" }, bot.elo === null ? "–" : rounded(bot.elo)),
      h("td", { class: "interval" }, bot.elo === null ? h("span", { class: "muted" }, "not rated") : [
        h("span", { class: `span${bot.elo_lower === null ? " open-low" : ""}${bot.elo_upper === null ? " open-high" : ""}`, "aria-hidden": "true", "--low": at(bot.elo_lower, 0), "--high": at(bot.elo_upper, 1), "--at": at(bot.elo, 0.5) }, h("i"), h("b")),
        h("span", { class: "span-words" }, saidInterval(bot)),
      ]),
      h("td", { class: "points" }, pointsOf(bot.points), h("span", { class: "muted wide-only" }, ` / ${bot.games}`)),
      h("td", { class: "wide-only" }, bot.wins),
      h("td", { class: "wide-only" }, bot.draws),
      h("td", { class: "wide-only" }, bot.losses),
    ]))),
  ]));
}

/**
 * @param {RatedBot} bot
 */
function saidInterval({ elo_error: error, elo_lower: lower, elo_upper: upper }) {
  if (error !== null) return `± ${Math.round(error)}`;
  if (lower !== null && upper !== null) return `${rounded(lower)} to ${rounded(upper)}`;
  if (lower !== null) return `above ${rounded(lower)}`;
  return upper === null ? "open" : `below ${rounded(upper)}`;
}

/**
 * @param {number} elo
 */
function rounded(elo) {
  return String(Math.round(elo)).replace("-", "−");
}

/**
 * Return the label of a bot such that lines can break where its parameters begin.
 *
 * @param {string} label
 */
export function breakable(label) {
  return label.split(/(?<=[(,=])/).flatMap((part, number) => (number ? [h("wbr"), part] : [part]));
}

/**
 * @param {RatedBot} bot
 */
function failuresOf(bot) {
  const count = Object.values(bot.failures).reduce((sum, one) => sum + one, 0);
  return count > 0 && h("span", { class: "fault" }, plural(count, "failure"));
}

/**
 * @param {number} points
 */
function pointsOf(points) {
  return Number.isInteger(points) ? String(points) : `${Math.floor(points) || ""}½`;
}

/**
 * Return the cross table of a report: the points of each bot against each other.
 *
 * @param {ArenaReport} report
 */
export function crossTable(report) {
  const names = report.bots.map((bot) => bot.bot);
  /** @type {Map<string, {points: number, games: number}>} */
  const cells = new Map();
  for (const { first, second, wins, draws, losses } of report.pairings) {
    const games = wins + draws + losses;
    cells.set(JSON.stringify([first, second]), { points: wins + draws / 2, games });
    cells.set(JSON.stringify([second, first]), { points: losses + draws / 2, games });
  }
  return h("div", { class: "table-box", tabindex: "0", role: "group", "aria-label": "Cross table" }, h("table", { class: "cross" }, [
    h("caption", { class: "unseen" }, "Share of the points of each row against each column"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Bot")), names.map((name, number) => h("th", { scope: "col", title: name }, h("span", { "aria-hidden": "true" }, number + 1), h("span", { class: "unseen" }, name))))),
    h("tbody", {}, names.map((name, number) => h("tr", {}, [
      h("th", { scope: "row", title: name }, h("span", { class: "rank" }, number + 1), h("span", {}, breakable(name))),
      names.map((other) => {
        const cell = cells.get(JSON.stringify([name, other]));
        if (!cell?.games) return h("td", { class: "none" }, name === other ? "" : "–");
        const share = cell.points / cell.games;
        return h("td", { "--share": share, title: `${name} against ${other}: ${pointsOf(cell.points)} of ${plural(cell.games, "game")}` }, h("span", {}, `${Math.round(100 * share)} %`));
      }),
    ]))),
  ]));
}
