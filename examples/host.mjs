// A match between bots of Playout, hosted by a program in JavaScript (Node.js). Works for every game in which nothing
// is hidden.
//
//   node examples/host.mjs                                          tic-tac-toe
//   node examples/host.mjs bidding_ttt "mcts(simulations=500)" greedy
//
// Each player is a process `playout ugi GAME BOT`, to which this program talks in the lines of the Universal Game
// Interface (docs/ugi.md). It needs no rules: the engines say who decides, and how the game has ended.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const MOVE_MS = 200;

class Engine {
  constructor(game, bot, seed) {
    this.name = bot;
    this.process = spawn("playout", ["ugi", game, bot, "--seed", String(seed)], { stdio: ["pipe", "pipe", "inherit"] });
    this.failure = null;
    this.process.on("error", (error) => (this.failure = `cannot start playout: ${error.message}`));
    this.process.stdin.on("error", () => {}); // an engine that has ended: `ask` reports it
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  send(line) {
    this.process.stdin.write(`${line}\n`);
  }

  // Send a line, and return the rest of the first answer that begins with a word. Other lines are messages.
  async ask(line, word) {
    this.send(line);
    for (;;) {
      const { value: answer, done } = await this.lines.next();
      if (done) throw new Error(this.failure ?? `${this.name} has ended before it answered ${line}`);
      if (answer.startsWith("info string error")) throw new Error(`${this.name}: ${answer.slice(18)}`);
      if (answer === word) return "";
      if (answer.startsWith(`${word} `)) return answer.slice(word.length + 1);
    }
  }

  close() {
    this.send("quit");
    this.process.stdin.end();
  }
}

// Return the text of a step: the action of the one who decides, or one action for each player.
function joined(actions, acting, players) {
  if (acting.length === 1) return actions[0];
  const step = Array(players).fill("noop");
  acting.forEach((player, index) => (step[player - 1] = actions[index]));
  return step.join("|");
}

async function play(game, bots) {
  const engines = [new Engine(game, bots[0], 1)];
  try {
    const players = Number(await engines[0].ask("query players", "response"));
    for (let seat = 1; seat < players; seat++) {
      engines.push(new Engine(game, bots[Math.min(seat, bots.length - 1)], seat + 1));
    }
    for (const engine of engines) {
      engine.send("uginewgame");
      await engine.ask("isready", "readyok");
    }
    const steps = [];
    for (;;) {
      const position = steps.length ? `position startpos moves ${steps.join(" ")}` : "position startpos";
      engines.forEach((engine) => engine.send(position));
      const acting = await engines[0].ask("query acting", "response");
      if (acting === "none") break;
      if (acting === "chance") throw new Error("chance decides here; this host throws no dice");
      const seats = acting.split(" ").map(Number);
      const ask = (seat) => engines[seat - 1].ask(`go movetime ${MOVE_MS} seat ${seat}`, "bestmove");
      steps.push(joined(await Promise.all(seats.map(ask)), seats, players)); // nobody sees the others' actions
      console.log(steps.at(-1));
    }
    console.log(`returns: ${await engines[0].ask("query returns", "response")}`);
  } finally {
    engines.forEach((engine) => engine.close());
  }
}

const [game = "mnk", ...bots] = process.argv.slice(2);
try {
  await play(game, bots.length ? bots : ["mcts(simulations=500)", "random"]);
} catch (error) {
  console.error(`host: ${error.message}`);
  process.exitCode = 1;
}
