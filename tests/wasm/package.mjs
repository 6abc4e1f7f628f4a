// Tests of the npm package under node: node --test tests/wasm/package.mjs, with the package in
// build/wasm/playout-games,
// or with that of the environment variable PLAYOUT_GAMES.
import assert from "node:assert/strict";
import { after, test } from "node:test";

const { bestMove, CancelledError, engine, games, match, PlayoutError } = await import(
  process.env.PLAYOUT_GAMES ?? "../../build/wasm/playout-games/index.js"
);

after(() => engine().close());

test("a match as in the README", async () => {
  const names = (await games()).map((game) => game.name);
  assert.ok(names.includes("othello") && names.includes("mnk"));
  const m = await match("points_ttt", { o: "level(4)" }, { seed: 7 });
  assert.deepEqual(m.waitsFor, ["x"]);
  await m.play("mark(2,2)");
  assert.equal(m.history.length, 2);
  assert.match(m.svg(), /^<svg/);
  assert.equal(m.returns, null);
  for (const [action, clicks] of Object.entries(m.clicks.x)) assert.equal(action, `mark(${clicks[0][0]})`);
  assert.ok(m.legalActions.x.includes(await m.hint({ seconds: 0.05 })));
  await m.undo();
  assert.equal(m.history.length, 0);
  await m.close();
});

test("a move in a position of another program", async () => {
  const plies = ["drop(4)", "drop(1)", "drop(4)", "drop(1)", "drop(4)", "drop(2)"];
  const found = await bestMove("connect_four", { plies, simulations: 300 });
  assert.deepEqual([found.action, found.value], ["drop(4)", 100]);
  assert.equal((await bestMove("mnk", { plies: [{ x: "mark(1,1)" }], bot: "level(3)" })).player, "o");
  await assert.rejects(bestMove("connect_four", { plies: ["drop(8)"] }), /ply 1/);
});

test("an analysis reports its progress", async () => {
  const m = await match("mnk(m=7,n=7,k=5)");
  const seen = [];
  const found = await m.analyse({ seconds: 0.5, onProgress: (one) => seen.push(one.simulations) });
  assert.ok(seen.length > 0 && found.simulations >= seen.at(-1));
  await m.close();
});

test("a position is searched as the caller says", async () => {
  const m = await match("mnk", {}, { position: "xo./.x./..o_x" });
  const given = { search: "mcts(selection=ucb1)", seed: 1, simulations: 2000, depth: 1 };
  const found = await m.analyse(given);
  assert.deepEqual(found.values, { x: 100, o: 0 });
  assert.ok(found.proven && found.tree.arms.length > 0);
  assert.deepEqual((await m.analyse(given)).arms, found.arms);
  await assert.rejects(m.analyse({ search: "mtcs" }), /unknown searcher/);
  await assert.rejects(m.analyse({ simulations: 0 }), PlayoutError);
  const cards = await match("kuhn_poker", { second: "random" }, { position: "JK_pb" });
  const { arms } = await cards.analyse({ search: "cfr", simulations: 100 });
  assert.ok(arms.find((arm) => arm.action === "bet").probability < 0.01, "the lowest card does not call");
  await assert.rejects(match("mnk", {}, { position: "x" }), PlayoutError);
  await Promise.all([m.close(), cards.close()]);
});

test("the same seed gives the same game", async () => {
  const histories = [];
  for (let time = 0; time < 2; time += 1) {
    const m = await match("connect_four", { yellow: "mcts(simulations=200)" }, { seed: 3 });
    while (!m.isOver) await m.play(m.legalActions[m.waitsFor[0]][0]);
    histories.push(JSON.stringify(m.history));
    await m.close();
  }
  assert.equal(histories[0], histories[1]);
});

test("errors have words, and the match continues", async () => {
  const m = await match("mnk", { o: "level(2)" });
  await assert.rejects(m.play("mark(9,9)"), (error) => error instanceof PlayoutError && /valid/.test(error.message));
  await assert.rejects(match("shogi"), /unknown game/);
  await assert.rejects(match("mnk", { o: "gredy" }), /unknown bot/);
  await assert.rejects(match("mine", {}, { rules: "(role x" }), PlayoutError);
  await m.play("mark(2,2)");
  assert.equal(m.history.length, 2);
  await m.close();
});

test("a rulesheet given as text", async () => {
  const rules = `(role p) (init (left 3)) (next (left ?m)) (<= (legal p (take 1)) (true (left ?n)))
    (<= (next (left 2)) (true (left 3))) (<= (next (left 1)) (true (left 2)))
    (<= terminal (true (left 1))) (goal p 100)`
    .replace("(next (left ?m)) ", "");
  const m = await match("mine", {}, { rules });
  while (!m.isOver) await m.play(m.legalActions.p[0]);
  assert.deepEqual(m.returns, [100]);
  await m.close();
});

test("cancel ends a search, and the match continues", async () => {
  const m = await match("mnk(m=7,n=7,k=5)", { o: "level(3)" }, { seed: 1 });
  await m.play("mark(4,4)");
  const plies = m.history.length;
  const search = m.analyse({ seconds: 600 });
  setTimeout(() => m.cancel(), 300);
  await assert.rejects(search, CancelledError);
  assert.ok(m.legalActions.x.length > 40);
  await m.play(m.legalActions.x[0]);
  assert.equal(m.history.length, plies + 2);
  await m.close();
});
