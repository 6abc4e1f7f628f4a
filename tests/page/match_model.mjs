// Tests of the model of a match under node, against a server in this file: node match_model.mjs FOLDER_OF_MODULES
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const NEWEST = 6;
const REFUSED = { status: 409, data: { error: { code: "stale", message: "too late" } } };
const GONE = "The server does not answer. It may have been stopped.";
const polls = new Set();
const unhandled = [];
let socket;
let answer;

process.on("unhandledRejection", (error) => unhandled.push(error.message));
globalThis.document = { querySelector: () => null };
globalThis.location = { protocol: "http:", host: "playout.test" };
globalThis.setInterval = (poll) => {
  polls.add(poll);
  return poll;
};
globalThis.clearInterval = (poll) => polls.delete(poll);
globalThis.setTimeout = () => 0;
globalThis.fetch = async (path, { method }) => {
  const { status, data } = await answer(method, path.replace(/^\/api\/v1\/matches\/m|\?.*$/g, ""));
  return { status, json: async () => data };
};
globalThis.WebSocket = class extends EventTarget {
  static OPEN = 1;
  readyState = 1;

  constructor() {
    super();
    socket = this;
  }

  send() {}

  close() {}
};

const [{ matchApi }, { MatchModel }] = await Promise.all(
  ["api.js", "match_model.js"].map((name) => import(pathToFileURL(resolve(process.argv[2], name)))),
);

/** A match after some plies, in which x has to decide. */
function matchAt(version, more = {}) {
  return {
    id: "m",
    game: "mnk",
    name: "mnk",
    title: "m,n,k",
    players: ["x", "o"],
    player: "x",
    persons_here: ["x"],
    seats: [],
    version,
    ply: version,
    waits_for: ["x"],
    thinking: [],
    is_over: false,
    history: Array(version).fill({ x: "pass" }),
    legal: { x: ["mark(1,1)", "mark(1,2)"] },
    clicks: { x: {} },
    can_undo: true,
    can_redo: true,
    ...more,
  };
}

/** Let what has an answer go on until it waits again. */
function settle() {
  return new Promise((done) => setImmediate(done));
}

/** Return a model at the newest position, and the list of its events. */
function begun(more = {}) {
  unhandled.length = 0;
  polls.clear();
  answer = async (method, path) => ({
    status: 200,
    data: path.startsWith("/plies/") ? { ply: Number(path.slice(7)), waits_for: [] } : matchAt(NEWEST, more),
  });
  const model = new MatchModel(matchAt(NEWEST, more), matchApi("m", null));
  const events = [];
  for (const name of ["match", "settled", "shown", "problem"]) {
    model.addEventListener(name, ({ detail }) => events.push(detail ? `${name}: ${detail}` : name));
  }
  return { model, events };
}

function arrive(match) {
  socket.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify({ type: "match", match }) }));
}

/** Let a play be refused, and the server end before the next request. */
function endAfterRefusal() {
  answer = async (method) => {
    if (method === "POST") return REFUSED;
    throw new TypeError("fetch failed");
  };
}

async function poll() {
  assert.equal(polls.size, 1);
  for (const ask of polls) ask();
  await settle();
}

test("a reader of an earlier ply stays there while the connection is down", async () => {
  const { model, events } = begun();
  await model.show(2);
  socket.dispatchEvent(new Event("close"));
  events.length = 0;
  await poll();
  assert.equal(model.ply, 2);
  assert.deepEqual(events, []); // nothing has changed
  answer = async () => ({ status: 200, data: matchAt(NEWEST + 1) });
  await poll();
  assert.equal(model.ply, NEWEST + 1);
  assert.deepEqual(events, ["match"]);
});

test("bots that begin to think are shown, and a reader of an earlier ply stays there", async () => {
  const { model, events } = begun();
  await model.show(2);
  events.length = 0;
  arrive(matchAt(NEWEST, { thinking: ["o"] }));
  assert.deepEqual([model.ply, model.match.thinking, events], [2, ["o"], ["match"]]);
  arrive(matchAt(NEWEST - 1));
  assert.deepEqual([model.match.version, events], [NEWEST, ["match"]]);
});

test("the last ply that was asked for is shown, whatever arrives last", async () => {
  const { model } = begun();
  const answers = new Map();
  const wait = (ply) => new Promise(
    (done) => answers.set(ply, () => done({ status: 200, data: { ply, waits_for: [] } })));
  answer = (method, path) => wait(Number(path.slice(7)));
  const first = model.show(3);
  const second = model.show(NEWEST);
  answers.get(3)();
  await Promise.all([first, second]);
  assert.equal(model.ply, NEWEST);
  const third = model.show(4);
  arrive(matchAt(1)); // of an older version: nothing
  arrive(matchAt(NEWEST + 1, { ply: 1, history: [{ x: "pass" }] })); // taken back
  answers.get(4)();
  await third;
  assert.equal(model.ply, 1);
});

test("a refused change ends although the server is gone", async () => {
  const { model, events } = begun();
  endAfterRefusal();
  await model.change("undo");
  await settle();
  assert.deepEqual(events, ["problem: too late", `problem: ${GONE}`, "settled"]);
  assert.equal(model.isChanging, false);
  assert.deepEqual(unhandled, []);
});

test("a refused play brings the newest match", async () => {
  const { model, events } = begun();
  answer = async (method) => (method === "POST" ? REFUSED : { status: 200, data: matchAt(NEWEST + 2) });
  await model.play("mark(1,1)");
  assert.deepEqual([model.match.version, events], [NEWEST + 2, ["problem: too late", "match"]]);
});

test("a forced action that is refused can be chosen although the server is gone", async () => {
  const { model, events } = begun({ legal: { x: ["pass"] } });
  assert.deepEqual([model.forced, model.canPlay], ["pass", false]);
  endAfterRefusal();
  model.playForced();
  await settle();
  await settle();
  assert.deepEqual([model.forced, model.canPlay, model.isChanging], [null, true, false]);
  assert.deepEqual(events, ["shown", `problem: ${GONE}`]);
  assert.deepEqual(unhandled, []);
});
