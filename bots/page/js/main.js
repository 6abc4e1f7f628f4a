// Starts the page: the fragment of the address names the view.

import { clearNotices, fill, h } from "./dom.js";
import { api } from "./api.js";
import { startTheme, themeSwitch } from "./theme.js";
import { transport } from "./transport.js";
import { showHome } from "./views/home.js";
import { acceptInvitation, showMatch } from "./views/match.js";
import { showSetup } from "./views/setup.js";

/** @typedef {(() => void) | void} Leave what to do when the view is left */

const content = /** @type {HTMLElement} */ (document.getElementById("content"));
/** @type {Leave} */
let leave;
let turn = 0;

/**
 * Return the view that a fragment such as `#/match/ID?token=...` names.
 *
 * @param {string} fragment
 * @returns {(place: HTMLElement) => Promise<Leave>}
 */
function viewOf(fragment) {
  const [path, query] = fragment.replace(/^#\/?/, "").split("?", 2);
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  const options = new URLSearchParams(query ?? "");
  const argument = rest.join("/");
  if (name === "new" && argument) return (place) => showSetup(place, argument, options);
  if (name === "match" && argument) return (place) => showMatch(place, acceptInvitation(argument, options));
  if (name === "position" && argument)
    return async (place) => (await import("./views/position.js")).showPosition(place, argument, options);
  if (name === "record" && argument) return async () => (await import("./views/share.js")).showRecord(argument);
  if (name === "rules") return async (place) => (await import("./views/own.js")).showOwnRules(place);
  // Modules of tournaments are loaded when somebody looks at one.
  const arena = () => import("./views/arena.js");
  if (name === "ratings" && argument) return async (place) => (await arena()).showLeaderboard(place, argument);
  if (name === "tournament" && rest.length > 1)
    return async (place) => (await import("./views/replay.js")).showReplay(place, rest[0], Number(rest[1]));
  if (name === "tournament" && argument) return async (place) => (await arena()).showTournament(place, argument);
  if (name === "tournaments") return async (place) => (await arena()).showTournaments(place);
  return showHome;
}

async function route() {
  const now = ++turn;
  if (leave) leave();
  leave = undefined;
  clearNotices();
  content.setAttribute("aria-busy", "true");
  const place = h("div", { class: "view" });
  try {
    const left = await viewOf(location.hash)(place);
    if (now !== turn) {
      if (left) left();
      return;
    }
    leave = left;
  } catch (error) {
    fill(place, h("div", { class: "notice", role: "alert" }, [
      h("h1", {}, "This cannot be shown"),
      h("p", {}, /** @type {Error} */ (error).message),
      h("p", {}, h("a", { href: "#/" }, "All games")),
    ]));
  }
  if (now !== turn) return;
  fill(content, place);
  if (place.querySelector("po-board")) performance.mark("board");
  content.removeAttribute("aria-busy");
  scrollTo(0, 0);
  if (now > 1) content.focus({ preventScroll: true });
}

startTheme();
if (!transport.hasServer) fill(content, h("p", { class: "notice" }, "Loading the games…"));
const arenaLink = h("a", { href: "#/tournaments", class: "top-link", hidden: true }, "Tournaments");
api.info().then((info) => {
  arenaLink.hidden = !info.has_database;
}, () => {});
document.getElementById("links")?.append(h("a", { href: "#/", class: "top-link" }, "Games"), arenaLink, themeSwitch());
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // the fragment names the view
  content.focus();
});
addEventListener("hashchange", route);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault(); // the browser would leave the page
  if (/\.kif$/i.test(file.name)) (await import("./views/own.js")).openRules(file);
});
route();
