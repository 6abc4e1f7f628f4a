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
  const bots = report.bots.map((bot) => ({ ...bot, rating: ratingOf(report, bot) }));
  const rounded = roundedFor(report);
  const ends = bots.flatMap(({ rating }) => [rating.lower, rating.value, rating.upper]).filter((one) => one !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const at = (/** @type {number | null} */ value, /** @type {number} */ open) => (value === null ? open : high > low ? (value - low) / (high - low) : 0.5);
  return h("div", { class: "table-box" }, h("table", { class: "ratings" }, [
    h("caption", { class: "unseen" }, "Ratings"),
    h("thead", {}, h("tr", {}, [
      h("th", { scope: "col", class: "rank" }, "#"),
      h("th", { scope: "col", class: "bot" }, "Bot"),
      h("th", { scope: "col", class: "elo" }, report.score === "returns" ? "Difference" : "Elo"),
      h("th", { scope: "col", class: "interval" }, "95 % interval"),
      h("th", { scope: "col" }, report.score === "returns" ? "Mean return" : "Points"),
      h("th", { scope: "col", class: "wide-only" }, "Wins"),
      h("th", { scope: "col", class: "wide-only" }, "Draws"),
      h("th", { scope: "col", class: "wide-only" }, "Losses"),
    ])),
    h("tbody", {}, bots.map((bot, number) => h("tr", {}, [
      h("td", { class: "rank" }, number + 1),
      h("th", { scope: "row", class: "bot", title: bot.spec }, breakable(bot.bot), failuresOf(bot)),
      h("td", { class: "elo" }, bot.rating.value === null ? "–" : rounded(bot.rating.value)),
      h("td", { class: "interval" }, bot.rating.value === null ? h("span", { class: "muted" }, "not rated") : [
        h("span", { class: `span${bot.rating.lower === null ? " open-low" : ""}${bot.rating.upper === null ? " open-high" : ""}`, "aria-hidden": "true", "--low": at(bot.rating.lower, 0), "--high": at(bot.rating.upper, 1), "--at": at(bot.rating.value, 0.5) }, h("i"), h("b")),
        h("span", { class: "span-words" }, saidInterval(bot.rating, rounded)),
      ]),
      report.score === "returns"
        ? h("td", { class: "points" }, bot.mean_return === null ? "–" : rounded(bot.mean_return))
        : h("td", { class: "points" }, pointsOf(bot.points), h("span", { class: "muted wide-only" }, ` / ${bot.games}`)),
      h("td", { class: "wide-only" }, bot.wins),
      h("td", { class: "wide-only" }, bot.draws),
      h("td", { class: "wide-only" }, bot.losses),
    ]))),
  ]));
}

/**
 * Return the rating of a bot with its interval: Elo, or where returns count, the difference of mean returns.
 *
 * @param {ArenaReport} report
 * @param {RatedBot} bot
 */
function ratingOf(report, bot) {
  const [value, error, lower, upper] = report.score === "returns"
    ? [bot.difference, bot.difference_error, bot.difference_lower, bot.difference_upper]
    : [bot.elo, bot.elo_error, bot.elo_lower, bot.elo_upper];
  return { value: value ?? null, error: error ?? null, lower: lower ?? null, upper: upper ?? null };
}

/**
 * Return the function that rounds ratings: Elo to whole numbers, points to two digits of the least error.
 *
 * @param {ArenaReport} report
 * @returns {(value: number) => string}
 */
function roundedFor(report) {
  const errors = report.bots.map((bot) => ratingOf(report, bot).error ?? 0).filter((error) => error > 0);
  const digits = report.score !== "returns" ? 0 : errors.length ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(Math.min(...errors))))) : 1;
  return (value) => value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
}

/**
 * @param {ReturnType<typeof ratingOf>} rating
 * @param {(value: number) => string} rounded
 */
function saidInterval({ error, lower, upper }, rounded) {
  if (error !== null) return `± ${rounded(error)}`;
  if (lower !== null && upper !== null) return `${rounded(lower)} to ${rounded(upper)}`;
  if (lower !== null) return `above ${rounded(lower)}`;
  return upper === null ? "open" : `below ${rounded(upper)}`;
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
  const isByReturns = report.score === "returns";
  const rounded = roundedFor(report);
  const most = Math.max(...report.pairings.map((pair) => Math.abs(pair.difference ?? 0))) || 1;
  /** @type {Map<string, {points: number, games: number, difference: number}>} */
  const cells = new Map();
  for (const { first, second, wins, draws, losses, difference = 0 } of report.pairings) {
    const games = wins + draws + losses;
    cells.set(JSON.stringify([first, second]), { points: wins + draws / 2, games, difference });
    cells.set(JSON.stringify([second, first]), { points: losses + draws / 2, games, difference: -difference });
  }
  return h("div", { class: "table-box", tabindex: "0", role: "group", "aria-label": "Cross table" }, h("table", { class: "cross" }, [
    h("caption", { class: "unseen" }, isByReturns ? "Mean return of each row minus that of each column" : "Share of the points of each row against each column"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Bot")), names.map((name, number) => h("th", { scope: "col", title: name }, h("span", { "aria-hidden": "true" }, number + 1), h("span", { class: "unseen" }, name))))),
    h("tbody", {}, names.map((name, number) => h("tr", {}, [
      h("th", { scope: "row", title: name }, h("span", { class: "rank" }, number + 1), h("span", {}, breakable(name))),
      names.map((other) => {
        const cell = cells.get(JSON.stringify([name, other]));
        if (!cell?.games) return h("td", { class: "none" }, name === other ? "" : "–");
        if (isByReturns) {
          const said = rounded(cell.difference);
          return h("td", { "--share": 0.5 + cell.difference / most / 2, title: `${name} against ${other}: ${said} points more in ${plural(cell.games, "game")}` }, h("span", {}, said));
        }
        const share = cell.points / cell.games;
        return h("td", { "--share": share, title: `${name} against ${other}: ${pointsOf(cell.points)} of ${plural(cell.games, "game")}` }, h("span", {}, `${Math.round(100 * share)} %`));
      }),
    ]))),
  ]));
}
