// What pages of one file share: their data, lists of facts, times.

import { h } from "../dom.js";
import { startTheme } from "../theme.js";

/** Return the data of the page, and begin to use the styles of pictures. */
export function readData() {
  startTheme();
  return JSON.parse(document.getElementById("data")?.textContent ?? "null");
}

/**
 * @param {Record<string, string>} facts
 */
export function factList(facts) {
  return h("dl", { class: "facts" },
    Object.entries(facts).map(([name, value]) =>
      h("div", { class: value.length > 24 ? "long" : "" }, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * Return a time in s, ms or µs.
 *
 * @param {number | null | undefined} seconds
 */
export function saidSeconds(seconds) {
  if (!seconds) return "unknown";
  const [unit, size] = /** @type {[string, number][]} */ ([["s", 1], ["ms", 1e-3], ["µs", 1e-6]])
    .find(([, least]) => seconds >= least) ?? ["ns", 1e-9];
  return `${+(seconds / size).toPrecision(3)} ${unit}`;
}
