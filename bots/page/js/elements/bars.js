// Values as bars, and as lines over the simulations of an analysis.

import { h, s } from "../dom.js";
import { compact, saidPlayer } from "../words.js";

const [WIDE, HIGH] = [340, 76];
const [LEFT, RIGHT, TOP, BOTTOM] = [28, 4, 8, 16];
/** Smallest range of values that the lines are drawn in. */
const LEAST_RANGE = 20;

/**
 * Return the value of a player as a bar, with proven bounds as a line below it.
 *
 * @param {string} player
 * @param {number | null} value null: not known yet
 * @param {import("../picture.js").SeatPicture | undefined} seat
 * @param {[number, number]} [bounds]
 */
export function bar(player, value, seat, bounds) {
  const isNarrow = bounds !== undefined && bounds[1] - bounds[0] < 100;
  const shown = isNarrow && bounds[0] === bounds[1] ? bounds[0] : value;
  return h("div", { class: "bar", "data-color": seat?.color, "--share": shareOf(shown ?? 0),
    title: isNarrow ? `proven: ${saidBounds(bounds)}` : null }, [
    h("span", { class: "bar-name" }, saidPlayer(player)),
    h("span", { class: "bar-track" }, h("i"),
      isNarrow && bounds[0] < bounds[1] && h("b", { "--low": shareOf(bounds[0]), "--high": shareOf(bounds[1]) })),
    h("span", { class: "bar-value" }, shown === null ? "–" : shown.toFixed(1)),
    isNarrow && h("span", { class: "unseen" }, `, proven: ${saidBounds(bounds)}`),
  ]);
}

/**
 * @param {number} value
 */
function shareOf(value) {
  return Math.max(0, Math.min(1, value / 100));
}

/**
 * @param {[number, number]} bounds
 */
function saidBounds([low, high]) {
  return low === high ? String(+low.toFixed(2)) : `${+low.toFixed(2)} to ${+high.toFixed(2)}`;
}

/**
 * Return the values of an analysis over its simulations as lines.
 *
 * @param {{simulations: number, values: number[]}[]} course
 * @param {string[]} players
 * @param {Map<string, import("../picture.js").SeatPicture>} seats
 */
export function courseOf(course, players, seats) {
  if (course.length === 1)
    course = [{ ...course[0], simulations: 0 }, { ...course[0], simulations: Math.max(1, course[0].simulations) }];
  const all = course.flatMap(({ values }) => values);
  const [lowest, highest] = [Math.min(...all), Math.max(...all)];
  const spare = Math.max(0, LEAST_RANGE - (highest - lowest)) / 2;
  const low = Math.max(0, Math.floor((lowest - spare) / 5) * 5);
  const high = Math.min(100, Math.ceil((highest + spare) / 5) * 5);
  const last = Math.max(1, course.at(-1)?.simulations ?? 1);
  const x = (/** @type {number} */ simulations) => LEFT + ((WIDE - LEFT - RIGHT) * simulations) / last;
  const y = (/** @type {number} */ value) => TOP + ((HIGH - TOP - BOTTOM) * (high - value)) / Math.max(1, high - low);
  const now = course.at(-1)?.values ?? [];
  const changes = players.map((player, number) =>
    `${saidPlayer(player)} from ${course[0]?.values[number].toFixed(1)} to ${now[number]?.toFixed(1)}`);
  const label = `Values over ${compact(last)} simulations. ${changes.join(", ")}`;
  return s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "graph course po po-auto", role: "img",
    "aria-label": label }, [
    [low, high].map((value) => [
      s("line", { class: "po-axis", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value), "stroke-width": 1 }),
      s("text", { class: "po-muted", x: LEFT - 5, y: y(value) + 4, "font-size": 11, "text-anchor": "end" }, value),
    ]),
    s("text", { class: "po-muted", x: WIDE - RIGHT, y: HIGH - 3, "font-size": 11, "text-anchor": "end" },
      `${compact(last)} simulation${last === 1 ? "" : "s"}`),
    players.map((player, number) => s("path", {
      class: `po-s-${seats.get(player)?.color ?? "gray"}`,
      d: `M${course.map((at) => `${x(at.simulations).toFixed(1)} ${y(at.values[number]).toFixed(1)}`).join("L")}`,
      fill: "none", "stroke-width": 2, "stroke-linejoin": "round", "stroke-linecap": "round",
    })),
  ]);
}
