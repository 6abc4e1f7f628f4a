// Charts of results: a histogram, and plots of numbers with their errors.

import { h, s } from "../dom.js";
import { plural } from "../words.js";

const MOST_BARS = 40;
const [WIDE, HIGH] = [760, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 16, 44];
const COLORS = ["blue", "orange", "green", "purple"];

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {{x: number, y: number, error: number | null, title: string}[]} points from left to right
 */

/**
 * Return the histogram of whole numbers. Of many numbers, each bar counts several.
 *
 * @param {[number, number][]} counts ascending numbers, each with its count
 * @param {string} unit of the numbers
 */
export function histogram(counts, unit) {
  const low = counts[0][0];
  const range = counts[counts.length - 1][0] - low + 1;
  const step = Math.ceil(range / MOST_BARS);
  const heights = Array(Math.ceil(range / step)).fill(0);
  for (const [number, count] of counts) heights[Math.floor((number - low) / step)] += count;
  const every = Math.ceil(heights.length / 10);
  const top = Math.max(...heights);
  return h("div", { class: "histogram", role: "img", "aria-label": `Histogram of ${unit}` },
    heights.map((height, at) => {
    const first = low + at * step;
    const name = step === 1 ? String(first) : `${first}–${first + step - 1}`;
    return h("div", { title: `${name} ${unit}: ${plural(height, "game")}` }, h("i", { "--share": height / top }),
      h("span", {}, at % every ? "" : name));
  }));
}

/**
 * Return round numbers within a range.
 *
 * @param {number} low
 * @param {number} high
 */
export function roundNumbers(low, high) {
  const rough = (high - low) / 6 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((size) => size * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
}

/**
 * Return a plot with error bars.
 *
 * @param {Series[]} series
 * @param {string} xName
 * @param {string} yName
 * @param {{isLog?: boolean}} [options] `isLog` for a logarithmic horizontal axis
 */
export function plot(series, xName, yName, { isLog = false } = {}) {
  const points = series.flatMap((one) => one.points);
  const across = (/** @type {number} */ value) => (isLog ? Math.log(value) : value);
  const x = scale(points.map((point) => across(point.x)), LEFT + 20, WIDE - RIGHT - 20);
  const y = scale(points.flatMap((point) => [point.y - (point.error ?? 0), point.y + (point.error ?? 0)]),
    HIGH - BOTTOM - 10, TOP + 10);
  const numbers = [...new Set(points.map((point) => point.x))].sort((one, other) => one - other);
  const marks = numbers.length <= 8 ? numbers : roundNumbers(numbers[0], numbers[numbers.length - 1]);
  const text = (/** @type {Record<string, any>} */ props, /** @type {string} */ words) =>
    s("text", { class: "po-muted", "font-size": 13, ...props }, words);
  return h("figure", { class: "plot" }, [
    series.length > 1 && h("figcaption", {},
      series.map((one, at) => h("span", { "data-color": COLORS[at % 4] }, one.name))),
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img",
      "aria-label": `${yName} over ${xName}. ${points.map((point) => point.title).join("; ")}` }, [
      roundNumbers(y.low, y.high).map((value) => [
        s("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y.at(value), y2: y.at(value) }),
        text({ x: LEFT - 8, y: y.at(value) + 4, "text-anchor": "end" },
          value.toLocaleString("en", { maximumFractionDigits: 6 })),
      ]),
      marks.map((value) => text({ x: x.at(across(value)), y: HIGH - BOTTOM + 16, "text-anchor": "middle" },
        value.toLocaleString("en"))),
      text({ x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 6, "text-anchor": "middle" }, xName),
      text({ x: 0, y: 11 }, yName),
      series.map((one, at) => s("g",
        { "data-color": COLORS[at % 4], transform: `translate(${8 * (at - (series.length - 1) / 2)} 0)` }, [
        s("path", { d: `M${one.points.map((point) => `${x.at(across(point.x))} ${y.at(point.y)}`).join("L")}` }),
        one.points.map((point) => [
          point.error !== null && s("path",
            { class: "error",
              d: `M${x.at(across(point.x))} ${y.at(point.y - point.error)}V${y.at(point.y + point.error)}` }),
          s("circle", { cx: x.at(across(point.x)), cy: y.at(point.y), r: 5 }, s("title", {}, point.title)),
        ]),
      ])),
    ]),
  ]);
}

/**
 * Return where numbers are on an axis.
 *
 * @param {number[]} values
 * @param {number} first position of the lowest
 * @param {number} last position of the highest
 */
function scale(values, first, last) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { low, high, at: (/** @type {number} */ value) =>
    Math.round(10 * (high > low ? first + ((value - low) / (high - low)) * (last - first) : (first + last) / 2)) / 10 };
}
