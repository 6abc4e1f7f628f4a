// Links to a match and to a position, and the record as a file.

import { button, h, icon, showDialog, toast } from "../dom.js";
import { ICONS } from "../icons.js";
import { knownMatches } from "../memory.js";
import { saidPlayer } from "../words.js";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Show the links of a match.
 *
 * @param {import("../match_model.js").MatchModel} model
 */
export function showShare(model) {
  const { match } = model;
  const tokens = knownMatches().find((one) => one.id === match.id)?.tokens ?? {};
  const base = `${location.origin}${location.pathname}`;
  const invitation = (/** @type {string} */ token) => `${base}#/match/${encodeURIComponent(match.id)}?${new URLSearchParams({ token })}`;
  const persons = Object.entries(tokens.seats ?? {});
  const { notation } = model.position;
  const position = `${base}#/position/${encodeURIComponent(match.game)}?${new URLSearchParams({ state: notation ?? "" })}`;
  showDialog("Share", [
    LOOPBACK.test(location.hostname) && h("p", { class: "note" }, "These links open on this machine alone. For others, start the server with --host, and open this page under its address."),
    persons.map(([player, token]) => link(`Invite someone to play ${saidPlayer(player)}`, invitation(token))),
    tokens.spectator && link("Let someone watch", invitation(tokens.spectator)),
    !model.hides && notation !== null && link("This position", position),
    h("div", { class: "row" }, button([icon(ICONS.down), "Save the record"], () => saveRecord(model), { class: "button", id: "save-record" })),
  ]);
}

/**
 * @param {string} label
 * @param {string} address
 */
function link(label, address) {
  const input = h("input", { type: "text", readonly: true, value: address, "aria-label": label, onfocus: () => input.select() });
  return h("div", { class: "share-link" }, h("span", {}, label), h("div", { class: "row" }, input, button([icon(ICONS.copy), "Copy"], async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(address);
      toast("Copied");
    } catch {
      toast("Press Ctrl+C to copy the selected link.");
    }
  }, { class: "button small" })));
}

/**
 * @param {import("../match_model.js").MatchModel} model
 */
async function saveRecord(model) {
  try {
    const record = await model.api.record(model.player ?? model.match.persons_here[0] ?? null);
    const address = URL.createObjectURL(new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" }));
    const anchor = h("a", { href: address, download: `${model.match.name}-${model.match.id.slice(0, 8)}.json` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    toast(/** @type {Error} */ (error).message, { isError: true });
  }
}
