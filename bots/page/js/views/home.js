// The first view: games as cards, matches to go on with, and records to open.

import { ApiError, api, matchApi } from "../api.js";
import { askBefore, attempt, button, fileChooser, fill, h, icon, whenSeen } from "../dom.js";
import { still } from "../elements/board.js";
import { gameOf, summaryOf, traitsOf } from "../games.js";
import { forgetMatch, knownMatches } from "../memory.js";
import { readPicture } from "../picture.js";
import { transport } from "../transport.js";

const MOST_RECENT = 6;
/** Groups of games and their titles. */
const GROUPS = [
  ["further", "Added on this server"],
  ["classics", "Classics"],
  ["chance", "Cards, dice and secrets"],
  ["at_once", "Choices at once"],
  ["more", "More than two players"],
];

/**
 * @param {HTMLElement} place
 */
export async function showHome(place) {
  const [games, { own_rules: hasOwnRules }] = await Promise.all([api.games(), api.info()]);
  document.title = "Playout";
  fill(place, [
    h("div", { class: "intro" }, [
      h("h1", {}, "Choose a game"),
      h("p", {}, "Play against bots of ten levels, or against a friend. Then see what the search thinks."),
    ]),
    recent(games),
    searchField(place),
    GROUPS.map(([group, title]) => family(title, games.filter((game) => game.group === group))),
    h("section", { class: "below" }, records(), hasOwnRules && ownRules()),
  ]);
}

/**
 * Return the field that hides the games without a text in their titles and summaries.
 *
 * @param {HTMLElement} place
 */
function searchField(place) {
  const field = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", class: "find" });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const section of place.querySelectorAll("section.group")) {
      const cards = [...section.querySelectorAll("li")];
      for (const one of cards) one.hidden = !words.every((word) => one.textContent?.toLowerCase().includes(word));
      section.toggleAttribute("hidden", cards.every((one) => one.hidden));
    }
  });
  return field;
}

/**
 * @param {string} title
 * @param {import("../types.js").GameInfo[]} games
 */
function family(title, games) {
  return games.length > 0 && h("section", { class: "group" }, [
    h("h2", {}, title),
    h("ul", { class: "games", "aria-label": title }, games.map(card)),
  ]);
}

/**
 * @param {import("../types.js").GameInfo} game
 */
function card(game) {
  const picture = h("div", { class: "card-picture" });
  whenSeen(picture, () => examplePicture(game.key).then((drawn) => fill(picture, drawn), () => {}));
  return h("li", {}, h("a", { class: "card", href: `#/new/${encodeURIComponent(game.key)}` }, [
    picture,
    h("div", { class: "card-text" }, [
      h("h3", {}, game.title),
      h("p", {}, summaryOf(game)),
      h("p", { class: "traits" }, traitsOf(game).map((trait) => h("span", {}, trait))),
    ]),
  ]));
}

/**
 * Return the picture of a position with something to see.
 *
 * @param {string} key
 */
export async function examplePicture(key) {
  return still(readPicture((await api.picture(key)).svg));
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
          h("strong", {}, match.title ?? gameOf(games, match.game ?? "")?.title ?? match.game ?? match.id),
          h("span", { class: "muted" }, match.with ?? ""),
        ]),
        h("span", { class: "muted when" }, match.isOver ? "over" : ago(match.at)),
        button(icon("M6 6l12 12M18 6L6 18"), () => remove(match, draw), {
          class: "quiet",
          "aria-label": match.tokens.owner ? "Delete this match" : "Remove from this list",
        }),
      ]))),
    ]);
  };
  draw();
  return section;
}

/**
 * Remove a match from the list. Its owner is asked, and then deletes it on the server.
 *
 * @param {import("../memory.js").KnownMatch} match
 * @param {() => void} draw
 */
function remove(match, draw) {
  const forget = () => {
    forgetMatch(match.id);
    draw();
  };
  const { owner } = match.tokens;
  if (!owner) {
    forget();
    return;
  }
  const text = transport.hasServer ? "It is deleted for all its players. Nobody can open it again."
    : "It is deleted in this browser.";
  askBefore("Delete this match?", text, "Keep it", "Delete", "confirm-delete", () => attempt(async () => {
    await matchApi(match.id, owner).delete().catch((error) => {
      const isGone = error instanceof ApiError && error.status === 404;
      if (!isGone) throw error;
    });
    forget();
  }));
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

function ownRules() {
  return h("div", { class: "import" }, [
    h("h2", {}, "Play your own rules"),
    h("p", { class: "muted" }, "Drop a .kif file in the Game Description Language on this page, or write one."),
    h("a", { class: "button", href: "#/rules" }, "Write rules"),
  ]);
}

function records() {
  return h("div", { class: "import" }, [
    h("h2", {}, "Open a record"),
    h("p", { class: "muted" }, "A game that was saved here, by the library or by the command line."),
    fileChooser("record", ".json,.jsonl,application/json", openFile),
  ]);
}

/**
 * Open the record of a file, or the first one of a file with several.
 *
 * @param {File} file
 */
const openFile = (file) => attempt(async () => {
  const [{ openRecord }, { readRecord }] = await Promise.all([import("./share.js"), import("../files.js")]);
  await openRecord(await readRecord(file));
});
