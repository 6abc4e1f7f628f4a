// Rules of games, as the server writes them.

import { api } from "../api.js";
import { h, showDialog } from "../dom.js";
import { still } from "../elements/board.js";
import { readPicture } from "../picture.js";
import { saidPlayer } from "../words.js";

/**
 * Return the rules of a game. The server has made the markup of the project's own pages; scripts in it could not run.
 *
 * @param {string} key of the game
 * @returns {Promise<HTMLElement>}
 */
export async function rulesText(key) {
  const { html } = await api.rules(key);
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const part of parsed.querySelectorAll("script, style, img, link, h1")) part.remove();
  for (const part of parsed.querySelectorAll("[style]")) part.removeAttribute("style");
  for (const part of parsed.querySelectorAll("pre")) {
    part.tabIndex = 0; // it can scroll, and keys must reach it
    part.setAttribute("role", "group");
    part.setAttribute("aria-label", "Example");
  }
  for (const table of parsed.querySelectorAll("table")) {
    const box = parsed.createElement("div");
    box.className = "table-box";
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Table");
    table.replaceWith(box);
    box.append(table);
  }
  return h("div", { class: "prose" }, [...parsed.body.childNodes].map((node) => document.importNode(node, true)));
}

/**
 * Show the rules of a game in a dialog.
 *
 * @param {import("../types.js").GameInfo} game
 */
export async function showRules(game) {
  const [text, pictures] = await Promise.all([rulesText(game.key), rulesPictures(game)]);
  showDialog(`Rules of ${game.title}`, [pictures, text], { class: "wide" });
}

/**
 * Return pictures of the start and of a typical position, with what they show in words.
 *
 * @param {import("../types.js").GameInfo} game
 */
export async function rulesPictures(game) {
  const { example } = game;
  const states = [null, ...(example ? [example] : [])];
  const positions = await Promise.all(states.map((state) => api.position({ game: game.spec, state, size: null })));
  return h("div", { class: "rules-pictures" }, positions.map((position, number) => {
    const picture = readPicture(position.svg);
    const details = [...picture.seats].flatMap(
      ([player, seat]) => (seat.detail ? [`${saidPlayer(player)}: ${seat.detail}`] : []));
    return h("figure", {}, still(picture),
      h("figcaption", {}, h("strong", {}, number ? "A position" : "The start"),
        [picture.heading, ...details].join(". ")));
  }));
}
