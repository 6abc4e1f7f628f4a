// Tables of tournaments: ratings with intervals as bars, and the results of each bot against each other.

import { h } from "../dom.js";
import { plural } from "../words.js";

/** @typedef {import("../types.js").RatedBot} RatedBot */
/** @typedef {import("../types.js").ArenaReport} ArenaReport */

/**
 * Return a table in a box that can scroll.
 *
 * @param {string} kind class of the table
 * @param {import("../dom.js").Child[]} headings texts, or cells
 * @param {import("../dom.js").Child[]} rows
 * @param {{label?: string, caption?: string, box?: string}} [more] `label` for a box that keys can reach; `caption` for
 *   screen
 *   readers; `box`, the classes of the box
 */
export function table(kind, headings, rows, { label, caption, box = "table-box" } = {}) {
  const reached = label && { tabindex: "0", role: "group", "aria-label": label };
  return h("div", { class: box, ...reached }, h("table", { class: kind }, [
    caption && h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, headings.map((one) => (typeof one === "string" ? heading(one) : one)))),
    h("tbody", {}, rows),
  ]));
}

/**
 * Return the heading of a column.
 *
 * @param {import("../dom.js").Child} text
 * @param {Record<string, any>} [props]
 */
export function heading(text, props = {}) {
  return h("th", { scope: "col", ...props }, text);
}

/**
 * Return the rating table of a report.
 *
 * @param {ArenaReport} report
 */
export function ratingTable(report) {
  const bots = report.bots.map((bot) => ({ ...bot, rating: ratingOf(report, bot) }));
  const rounded = saidNumbers(report);
  const ends = bots.flatMap(({ rating }) => [rating.lower, rating.value, rating.upper]).filter((one) => one !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const lists = report.ratings.lists.length;
  const hasRanks = report.players.length > 2 && bots.some((bot) => bot.mean_rank);
  const at = (/** @type {number | null} */ value, /** @type {number} */ open) =>
    (value === null ? open : high > low ? (value - low) / (high - low) : 0.5);
  const wide = [report.score === "wins" && "Mean return", hasRanks && "Mean rank", "Wins", "Draws", "Losses"];
  const headings = [
    heading("#", { class: "rank" }),
    heading("Bot", { class: "bot" }),
    heading(report.score === "returns" ? "Difference" : "Elo", { class: "elo" }),
    heading("95 % interval", { class: "interval" }),
    report.score === "returns" ? "Mean return" : "Points",
    wide.filter(Boolean).map((name) => heading(name, { class: "wide-only" })),
  ];
  return table("ratings", headings,
    bots.map((bot, number) => [lists > 1 && bot.list !== bots[number - 1]?.list
      && h("tr", {}, h("th", { scope: "rowgroup", colspan: 10, class: "list-title muted" },
        `List ${bot.list + 1} of ${lists}`)), h("tr", {}, [
    h("td", { class: "rank" }, number + 1),
    h("th", { scope: "row", class: "bot", title: bot.spec }, breakable(bot.bot), failuresOf(bot)),
    h("td", { class: "elo" }, bot.rating.value === null ? "–" : rounded(bot.rating.value)),
    h("td", { class: "interval" }, bot.rating.value === null ? h("span", { class: "muted" }, "not rated") : [
      h("span",
        { class: `span${bot.rating.lower === null ? " open-low" : ""}${bot.rating.upper === null ? " open-high" : ""}`,
          "aria-hidden": "true", "--low": at(bot.rating.lower, 0), "--high": at(bot.rating.upper, 1),
          "--at": at(bot.rating.value, 0.5) }, h("i"), h("b")),
      h("span", { class: "span-words" }, saidInterval(bot.rating, rounded)),
    ]),
    report.score === "returns"
      ? h("td", { class: "points" }, meanReturnOf(report, bot))
      : h("td", { class: "points" }, pointsOf(bot.points), h("span", { class: "muted wide-only" }, ` / ${bot.games}`)),
    report.score === "wins" && h("td", { class: "wide-only" }, meanReturnOf(report, bot)),
    hasRanks && h("td", { class: "wide-only" }, bot.mean_rank?.toFixed(2) ?? "–"),
    [bot.wins, bot.draws, bot.losses].map((count) => h("td", { class: "wide-only" }, count)),
  ])]), { caption: "Ratings" });
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
 * @param {boolean} [isReturn] true for mean returns, which have a decimal also beside Elo
 * @returns {(value: number) => string}
 */
export function saidNumbers(report, isReturn = false) {
  const errors = report.bots.map((bot) => ratingOf(report, bot).error ?? 0).filter((error) => error > 0);
  const digits = report.score !== "returns" ? +isReturn : errors.length
    ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(Math.min(...errors))))) : 1;
  return (value) => value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
}

/**
 * Return the mean return of a bot with its error.
 *
 * @param {ArenaReport} report
 * @param {RatedBot} bot
 */
function meanReturnOf(report, bot) {
  const said = saidNumbers(report, true);
  if (bot.mean_return === null) return "–";
  return [said(bot.mean_return),
    bot.mean_return_error && h("span", { class: "muted wide-only" }, ` ± ${said(bot.mean_return_error)}`)];
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
  const rounded = saidNumbers(report);
  const most = Math.max(...report.pairings.map((pair) => Math.abs(pair.difference ?? 0))) || 1;
  /** @type {Map<string, {points: number, games: number, difference: number, results: string}>} */
  const cells = new Map();
  for (const { first, second, wins, draws, losses, difference = 0 } of report.pairings) {
    const games = wins + draws + losses;
    cells.set(JSON.stringify([first, second]),
      { points: wins + draws / 2, games, difference, results: `${wins}/${draws}/${losses}` });
    cells.set(JSON.stringify([second, first]),
      { points: losses + draws / 2, games, difference: -difference, results: `${losses}/${draws}/${wins}` });
  }
  return matrix(names, isByReturns ? "Mean return of each row minus that of each column"
    : "Share of the points of each row against each column", (one, other) => {
    const [name, against] = [names[one], names[other]];
    const cell = cells.get(JSON.stringify([name, against]));
    if (!cell?.games) return null;
    if (isByReturns) {
      const said = rounded(cell.difference);
      return { share: 0.5 + cell.difference / most / 2,
        title: `${name} against ${against}: ${said} points more in ${plural(cell.games, "game")}`, words: said };
    }
    const share = cell.points / cell.games;
    return { share, title: `${name} against ${against}: ${pointsOf(cell.points)} of ${plural(cell.games, "game")}`,
      words: saidShare(share), detail: cell.results };
  });
}

/**
 * Return the table of the likelihoods that each bot is stronger than each other.
 *
 * @param {ArenaReport} report
 */
export function likelihoodTable(report) {
  return matrix(report.bots.map((bot) => bot.bot), "Likelihood that the row is stronger than the column",
    (one, other) => {
    const share = report.ratings.los[one][other];
    return share === null ? null : { share, words: saidShare(Math.min(Math.max(share, 1e-9), 1 - 1e-9)) };
  });
}

/**
 * Return a table of every bot against every other.
 *
 * @param {string[]} names
 * @param {string} caption
 * @param {(row: number, column: number) => {share: number, words: string, detail?: string, title?: string} | null}
 *   cellOf
 */
function matrix(names, caption, cellOf) {
  const numbers = names.map((name, number) =>
    heading([h("span", { "aria-hidden": "true" }, number + 1), h("span", { class: "unseen" }, name)], { title: name }));
  return table("cross", [heading(h("span", { class: "unseen" }, "Bot")), numbers],
    names.map((name, row) => h("tr", {}, [
    h("th", { scope: "row", title: name }, h("span", { class: "rank" }, row + 1), h("span", {}, breakable(name))),
    names.map((_, column) => {
      const cell = row === column ? null : cellOf(row, column);
      if (!cell) return h("td", { class: "none" }, row === column ? "" : "–");
      return h("td", { "--share": cell.share, title: cell.title },
        h("span", {}, cell.words, cell.detail && h("small", {}, cell.detail)));
    }),
  ])), { label: caption, caption });
}

/**
 * Return a share as percent; only 0 and 1 become `0 %` and `100 %`.
 *
 * @param {number} share
 */
export function saidShare(share) {
  const rounded = (100 * share).toFixed(1);
  if (share > 0 && share < 1 && (rounded === "0.0" || rounded === "100.0")) return share < 0.5 ? "< 0.1 %" : "> 99.9 %";
  return `${+rounded} %`;
}
