// The first view: games as cards, matches to go on with, and records to open.

import { api } from "../api.js";
import { button, fill, h, icon, toast } from "../dom.js";
import { still } from "../elements/board.js";
import { inOrder, lookOf, summaryOf, traitsOf } from "../games.js";
import { ICONS } from "../icons.js";
import { forgetMatch, keepMatch, knownMatches } from "../memory.js";
import { readPicture } from "../picture.js";

const MOST_RECENT = 6;

/**
 * @param {HTMLElement} place
 */
export async function showHome(place) {
  const games = await api.games();
  document.title = "Playout";
  fill(place, [
    h("div", { class: "intro" }, [
      h("h1", {}, "Choose a game"),
      h("p", {}, "Play against bots of ten levels, or against a friend. Then see what the search thinks."),
    ]),
    h("ul", { class: "games", "aria-label": "Games" }, inOrder(games).map(card)),
    h("section", { class: "below" }, recent(games), records()),
  ]);
}

/**
 * @param {import("../types.js").GameInfo} game
 */
function card(game) {
  const picture = h("div", { class: "card-picture" });
  examplePicture(game).then((drawn) => fill(picture, drawn), () => {});
  return h("li", {}, h("a", { class: "card", href: `#/new/${encodeURIComponent(game.name)}` }, [
    picture,
    h("div", { class: "card-text" }, [
      h("h2", {}, game.title),
      h("p", {}, summaryOf(game)),
      h("p", { class: "traits" }, traitsOf(game).map((trait) => h("span", {}, trait))),
    ]),
  ]));
}

/**
 * Return the picture of a position with something to see.
 *
 * @param {import("../types.js").GameInfo} game
 * @param {number | null} [size]
 */
export async function examplePicture(game, size = 200) {
  const ask = (/** @type {string | null} */ state) => api.position({ game: game.spec, state, size });
  const position = await ask(lookOf(game.name).example ?? null).catch(() => ask(null));
  return still(readPicture(position.svg));
}

/**
 * @param {import("../types.js").GameInfo[]} games
 */
function recent(games) {
  const section = h("div", { class: "recent" });
  const draw = () => {
    const matches = knownMatches().slice(0, MOST_RECENT);
    if (!matches.length) {
      fill(section);
      return;
    }
    fill(section, [
      h("h2", {}, "Your matches"),
      h("ul", {}, matches.map((match) => h("li", {}, [
        h("a", { href: `#/match/${encodeURIComponent(match.id)}` }, [
          h("strong", {}, games.find((game) => game.name === match.name)?.title ?? match.game ?? match.id),
          h("span", { class: "muted" }, match.with ?? ""),
        ]),
        h("span", { class: "muted when" }, match.isOver ? "over" : ago(match.at)),
        button(icon("M6 6l12 12M18 6L6 18"), () => {
          forgetMatch(match.id);
          draw();
        }, { class: "quiet", "aria-label": "Remove from this list" }),
      ]))),
    ]);
  };
  draw();
  return section;
}

/**
 * @param {number} at
 */
function ago(at) {
  const minutes = Math.round((Date.now() - at) / 60000);
  if (minutes < 60) return minutes < 1 ? "now" : `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

function records() {
  const input = h("input", { type: "file", accept: ".json,.jsonl,application/json", id: "record", class: "unseen", onchange: () => {
    const file = input.files?.[0];
    input.value = "";
    if (file) openRecord(file);
  } });
  return h("div", { class: "import" }, [
    h("h2", {}, "Open a record"),
    h("p", { class: "muted" }, "A game that was saved here, by the library or by the command line."),
    h("label", { class: "button", for: "record" }, icon(ICONS.up), "Choose a file"),
    input,
  ]);
}

/**
 * Open the record of a file as a match of persons.
 *
 * @param {File} file
 */
async function openRecord(file) {
  try {
    const text = await file.text();
    const record = JSON.parse(text.trim().split("\n").length > 1 && !text.trim().startsWith("{\n") ? text.trim().split("\n")[0] : text);
    const created = await api.create({ game: record.game, seats: {}, record });
    keepMatch({ id: created.id, tokens: { owner: created.owner, seats: created.seats, spectator: created.spectator } });
    location.hash = `#/match/${encodeURIComponent(created.id)}`;
  } catch (error) {
    const message = error instanceof SyntaxError ? `${file.name} is not JSON.` : /** @type {Error} */ (error).message;
    toast(message, { isError: true });
  }
}
