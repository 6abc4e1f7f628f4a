// The training of a net, a page of its own: curves of losses and strength, and a table of generations.

import { fill, h } from "../dom.js";
import { plot } from "./charts.js";
import { table } from "./ratings.js";
import { part } from "./results.js";
import { factList, readData } from "./standalone.js";

const data = /** @type {import("./types.js").TrainingData} */ (readData());

fill(/** @type {HTMLElement} */ (document.getElementById("content")), [
  h("div", { class: "intro" }, h("h1", {}, data.game)),
  factList(data.facts),
  data.charts.map(({ title, text, unit, series }) =>
    part(title.toLowerCase(), title, text, plot(series, "generation", unit))),
  part("generations", "Generations", "Points and Elo are those of the games against the best net before.",
    table("last-games", data.headings, data.rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell)))))),
]);
