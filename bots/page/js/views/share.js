// Links to a match and to a position, and the record as a file.

import { api } from "../api.js";
import { attempt, button, fill, h, icon, showDialog, toast } from "../dom.js";
import { ICONS } from "../icons.js";
import { enter, knownMatches } from "../memory.js";
import { transport } from "../transport.js";
import { saidPlayer } from "../words.js";

const NO_SERVER = "Matches of this page stay in this browser. To play with others over a network, use playout serve.";
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
  const invitation = (/** @type {string} */ token) =>
    `${base}#/match/${encodeURIComponent(match.id)}?${new URLSearchParams({ token })}`;
  const persons = Object.entries(tokens.seats ?? {});
  const { notation } = model.position;
  const query = new URLSearchParams({ state: notation ?? "" });
  const position = `${base}#/position/${encodeURIComponent(match.game)}?${query}`;
  const { hasServer } = transport;
  const recordLink = h("div");
  if (!model.hides)
    recordOf(model).then(packed).then(
    (text) => fill(recordLink, link("The record", `${base}#/record/${text}`)), () => {});
  showDialog("Share", [
    !hasServer && h("p", { class: "note" }, NO_SERVER),
    hasServer && LOOPBACK.test(location.hostname)
      && h("p", { class: "note" },
        "These links open on this machine alone. For others, start the server with --host, and open this page under "
          + "its address."),
    hasServer && persons.map(([player, token]) =>
      link(`Invite someone to play ${saidPlayer(player)}`, invitation(token))),
    hasServer && tokens.spectator && link("Let someone watch", invitation(tokens.spectator)),
    !model.hides && notation !== null && link("This position", position),
    recordLink,
    h("div", { class: "row" }, button(
      [icon(ICONS.down), "Save the record"], () => saveRecord(model), { class: "button", id: "save-record" })),
  ]);
}

/**
 * @param {string} label
 * @param {string} address
 */
function link(label, address) {
  const input = h("input", { type: "text", readonly: true, value: address, "aria-label": label,
    onfocus: () => input.select() });
  return h("div", { class: "share-link" }, h("span", {}, label),
    h("div", { class: "row" }, input, button([icon(ICONS.copy), "Copy"], async () => {
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
const saveRecord = (model) => attempt(async () => {
  const record = await recordOf(model);
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" }));
  const anchor = h("a", { href: address, download: `${model.match.name}-${model.match.id.slice(0, 8)}.json` });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

/** @param {import("../match_model.js").MatchModel} model */
const recordOf = (model) => model.api.record(model.player ?? model.match.persons_here[0] ?? null);

/**
 * Open a record as a match of persons.
 *
 * @param {any} record
 */
export async function openRecord(record) {
  enter(await api.create({ game: record.game, seats: {}, record }));
}

/**
 * Open the record of a link.
 *
 * @param {string} text
 */
export async function showRecord(text) {
  let record;
  try {
    record = await unpacked(text);
  } catch {
    throw new Error("The link has no record, or a part of it is missing.");
  }
  history.replaceState(null, "", "#/"); // going back does not open it again
  await openRecord(record);
}

/**
 * Return data as few letters for a link.
 *
 * @param {any} data
 */
async function packed(data) {
  const bytes = await through(new Blob([JSON.stringify(data)]), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @param {string} letters
 */
async function unpacked(letters) {
  const bytes = Uint8Array.from(
    atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw"))));
}

/**
 * @param {Blob} blob
 * @param {ReadableWritablePair<any, any>} stream
 */
const through = (blob, stream) => new Response(blob.stream().pipeThrough(stream)).arrayBuffer();
