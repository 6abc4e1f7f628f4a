// A position that a link names, to look at and to play from.

import { api } from "../api.js";
import { crumbs, fill, h } from "../dom.js";
import { still } from "../elements/board.js";
import { readPicture } from "../picture.js";

/**
 * @param {HTMLElement} place
 * @param {string} game spec
 * @param {URLSearchParams} options `state`: its text
 */
export async function showPosition(place, game, options) {
  const state = options.get("state");
  const [position, info] = await Promise.all(
    [api.position({ game, state, size: null }), api.game(game).catch(() => undefined)]);
  const picture = readPicture(position.svg);
  const title = info?.title ?? game;
  document.title = `A position of ${title} – Playout`;
  const play = new URLSearchParams({ game, ...(position.state ? { state: position.state } : {}) });
  fill(place, [
    crumbs(title),
    h("div", { class: "setup" }, [
      h("div", { class: "setup-picture" }, still(picture)),
      h("div", { class: "setup-form" }, [
        h("h1", {}, title),
        h("p", { class: "lead" }, picture.heading),
        h("p", { class: "muted" }, position.spec),
        info && !position.returns && h("a",
          { class: "button primary wide", href: `#/new/${encodeURIComponent(info.key)}?${play}` }, "Play from here"),
      ]),
    ]),
  ]);
}
