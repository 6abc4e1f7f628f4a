// One game of a tournament, to step through.

import { api } from "../api.js";
import { attempt, button, crumbs, fill, h, icon } from "../dom.js";
import { replay } from "../tournaments/replay.js";
import { titleOf } from "../games.js";
import { ICONS } from "../icons.js";
import { plural } from "../words.js";
import { saidDate } from "./arena.js";
import { openRecord } from "./share.js";

/**
 * @param {HTMLElement} place
 * @param {string} id
 * @param {number} number
 */
export async function showReplay(place, id, number) {
  const [games, found] = await Promise.all([api.games(), api.tournamentGame(id, number)]);
  const { record, seats } = found;
  const { title } = titleOf(games, record.game);
  const name = `Game ${number + 1}`;
  document.title = `${name} of ${title} – Playout`;
  const history = record.plies.map(({ actions }) => actions);
  const { table, moves, heading, detail, show } = replay(
    name, seats, history, found.phrases, (ply) => api.tournamentPly(id, number, ply));
  const open = button([icon(ICONS.graph), "Analyse"], () => attempt(() => openRecord(record)),
    { class: "button wide" });
  const step = (/** @type {number} */ other, /** @type {string} */ label) =>
    h("a", { class: "button", href: `#/tournament/${encodeURIComponent(id)}/${other}` }, label);
  await show(history.length);
  fill(place, [
    crumbs(name, [["#/tournaments", "Tournaments"], [`#/tournament/${encodeURIComponent(id)}`, title]]),
    h("div", { class: "match", "data-game": record.game.split("(")[0] }, [
      table,
      h("div", { class: "side" }, [
        h("section", { class: "panel turn", "aria-label": "Game" }, heading, detail,
          found.failures.map((one) => h(
            "p", { class: "problem" }, [one.player, one.kind, one.message].filter(Boolean).join(": "))),
            h("p", { class: "muted status-detail" }, `${plural(history.length, "move")}, ${saidDate(found.begun)}`)),
        moves,
        h("section", { class: "panel replay-tools", "aria-label": "More" }, open,
          h("div", { class: "row" }, number > 0 && step(number - 1, "Game before"), step(number + 1, "Next game"))),
      ]),
    ]),
  ]);
}
