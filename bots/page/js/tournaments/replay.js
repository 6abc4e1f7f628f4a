// A finished game to step through: its boards, players and moves.

import { fill, h, toast } from "../dom.js";
import { readPicture } from "../picture.js";
import { Board } from "../elements/board.js";
import { Moves } from "../elements/moves.js";
import { Players } from "../elements/players.js";
import { Words } from "../words.js";

/** @typedef {{svg: string | null, waits_for: string[], written?: Record<string, string>}} Position */

/**
 * Return the parts of the view of a game, and the function that shows the position after some plies.
 *
 * @param {string} name
 * @param {{player: string, bot: string, return: number | null}[]} seats
 * @param {import("../types.js").Ply[]} history
 * @param {Record<string, string>} phrases kind of action -> its phrase
 * @param {(ply: number) => Position | Promise<Position>} positionOf
 */
export function replay(name, seats, history, phrases, positionOf) {
  const words = new Words(phrases);
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
    const position = await positionOf(ply);
    if (now !== showing) return;
    words.learn(position.written);
    const picture = readPicture(position.svg);
    const shown = ply === match.ply ? null : position;
    players.show({ match, shown }, picture);
    board.show(picture, {});
    moves.show({ match, ply, words }, picture);
    fill(heading, ply === match.ply ? `${name}: the end` : `${name}, after move ${ply}`);
    fill(detail, picture.heading);
  };
  moves.addEventListener("show", (event) => {
    show(/** @type {CustomEvent} */ (event).detail).catch((error) => toast(error.message, { isError: true }));
  });
  return {
    table: h("section", { class: "table", "aria-label": "Board and players" }, players,
      h("div", { class: "board-box" }, board)),
    moves: h("section", { class: "panel moves-panel", "aria-label": "Moves" },
      h("div", { class: "panel-head" }, h("h2", {}, "Moves")), moves),
    heading,
    detail,
    show,
  };
}
