// One game of a tournament, to step through.

import { api } from "../api.js";
import { button, fill, h, icon, toast } from "../dom.js";
import { Board } from "../elements/board.js";
import { Moves } from "../elements/moves.js";
import { Players } from "../elements/players.js";
import { titleOf } from "../games.js";
import { ICONS } from "../icons.js";
import { enter } from "../memory.js";
import { readPicture } from "../picture.js";
import { plural } from "../words.js";
import { crumbs, saidDate } from "./arena.js";

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
  const match = {
    players: seats.map((seat) => seat.player),
    seats: seats.map(({ player, bot }) => ({ player, bot, name: bot })),
    ply: history.length,
    history,
    is_over: true,
    returns: seats.every((seat) => seat.return !== null) ? seats.map((seat) => seat.return ?? 0) : null,
    waits_for: [],
    thinking: [],
    chosen: [],
    persons_here: [],
  };
  const [board, players, moves] = [new Board(), new Players(), new Moves()];
  const heading = h("h1", { class: "status" }, name);
  const detail = h("p", { class: "status-detail muted" });
  let showing = 0;
  const show = async (/** @type {number} */ ply) => {
    const now = ++showing;
    const position = await api.tournamentPly(id, number, ply);
    if (now !== showing) return;
    const picture = readPicture(position.svg);
    const shown = ply === match.ply ? null : position;
    players.show({ match, shown }, picture);
    board.show(picture, {});
    moves.show({ match, ply }, picture);
    fill(heading, ply === match.ply ? `${name}: the end` : `${name}, after move ${ply}`);
    fill(detail, picture.heading);
  };
  moves.addEventListener("show", (event) => {
    show(/** @type {CustomEvent} */ (event).detail).catch((error) => toast(error.message, { isError: true }));
  });
  const open = button([icon(ICONS.graph), "Analyse"], async () => {
    try {
      enter(await api.create({ game: record.game, seats: {}, record }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { isError: true });
    }
  }, { class: "button wide" });
  const step = (/** @type {number} */ other, /** @type {string} */ label) => h("a", { class: "button", href: `#/tournament/${encodeURIComponent(id)}/${other}` }, label);
  await show(match.ply);
  fill(place, [
    crumbs(name, [["#/tournaments", "Tournaments"], [`#/tournament/${encodeURIComponent(id)}`, title]]),
    h("div", { class: "match", "data-game": record.game.split("(")[0] }, [
      h("section", { class: "table", "aria-label": "Board and players" }, players, h("div", { class: "board-box" }, board)),
      h("div", { class: "side" }, [
        h("section", { class: "panel turn", "aria-label": "Game" }, heading, detail, found.failures.map((one) => h("p", { class: "problem" }, [one.player, one.kind, one.message].filter(Boolean).join(": "))), h("p", { class: "muted status-detail" }, `${plural(history.length, "move")}, ${saidDate(found.begun)}`)),
        h("section", { class: "panel moves-panel", "aria-label": "Moves" }, h("div", { class: "panel-head" }, h("h2", {}, "Moves")), moves),
        h("section", { class: "panel replay-tools", "aria-label": "More" }, open, h("div", { class: "row" }, number > 0 && step(number - 1, "Game before"), step(number + 1, "Next game"))),
      ]),
    ]),
  ]);
}
