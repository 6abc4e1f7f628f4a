// The figures: name -> sliders (least, most and first value, step or "log") and a function that draws for their values.
// Their positions are those of the pictures.

import { bars, budgetsUpTo, element, level, lines, offer, settled } from "./living.js";

const UCB1 = "selection=ucb1,transpositions=false,leaves=0,net=none";

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const valuesOf = (found) =>
  Object.entries(found.values)
    .map(([player, value]) => `${player} ${value.toFixed(1)}`)
    .join(", ");

/** Return a chart of probabilities for each player who decides. */
function strategies(found) {
  return Object.entries(found.arms).map(([player, arms], color) => {
    const best = [...arms].sort((one, other) => other.probability - one.probability).slice(0, 8);
    return bars(
      player,
      best.map(({ action, probability }) => ({ label: action, share: probability, text: percent(probability), color })),
    );
  });
}

/** Search with more and more simulations, and call `show` with their numbers and the results so far. */
async function growing(stage, game, last, options, show) {
  const [budgets, results] = [budgetsUpTo(last), []];
  for (const simulations of budgets) {
    results.push(await stage.search(game, { ...options, simulations }));
    if (stage.isStale) return;
    show(budgets.slice(0, results.length), results);
  }
}

/** Half the width of an interval of 95 %, in standard errors: Student's for few results, by Cornish and Fisher. */
function halfWidth(count) {
  const [z, freedom] = [1.959964, count - 1];
  if (freedom >= 100) return z;
  const quantile =
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
  return quantile * Math.sqrt(count / freedom);
}

/** Elo of a mean score, with the ends of its interval; an end is infinite where the score leaves its range. */
function eloOf(losses, draws, wins) {
  const games = losses + draws + wins;
  const score = (wins + draws / 2) / games;
  const width =
    halfWidth(games) *
    Math.sqrt((wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score ** 2) / games ** 2);
  const elo = (mean) => 400 * Math.log10(Math.max(0, mean) / Math.max(0, 1 - mean));
  return { elo: elo(score), lower: elo(score - width), upper: elo(score + width) };
}

/** Return a function that draws results, 0, 1/2 or 1, of games between bots with a difference in strength. */
function results(score, draws, seed) {
  let state = seed;
  const share = Math.min(draws, 2 * score, 2 - 2 * score);
  return () => {
    state = (state + 0x6d2b79f5) | 0; // mulberry32
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    const drawn = ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    return drawn < score - share / 2 ? 1 : drawn < score + share / 2 ? 0.5 : 0;
  };
}

const FIGURES = {
  /** A match against a level, on the board that the package has for pages. */
  play: {
    sliders: { level: [1, 10, 4, 1] },
    async draw(stage, { level }) {
      await stage.load("board.js");
      stage.board ??= element("playout-board", { game: stage.options.game, level });
      stage.board.setAttribute("level", level);
      stage.show(stage.board, `The others play by level(${level}).`);
      await settled(stage.board);
    },
  },

  /** Visits and values of actions, by simulations and exploration. */
  search: {
    sliders: { simulations: [10, 100_000, 1000, "log"], exploration: [0, 2, 0.4, 0.05] },
    async draw(stage, { simulations, exploration }) {
      const { position } = stage.options;
      const given = { position, search: `mcts(${UCB1},solver=false,exploration=${exploration})` };
      await growing(stage, "mnk", simulations, given, (budgets, found) => {
        const { arms, simulations: all } = found.at(-1);
        const rows = arms.o.map(({ action, visits, value }, color) => {
          const text = `${visits} visits, value ${value?.toFixed(1) ?? "-"}`;
          return { label: action, share: visits / all, text, color };
        });
        const shares = arms.o.map((_, arm) => ({ ys: found.map((one) => one.arms.o[arm].visits / one.simulations) }));
        stage.show(bars(`${all} simulations`, rows), lines("Share of visits by simulations", budgets, shares));
      });
    },
  },

  /** Mixed strategies where both players decide. */
  mixed: {
    sliders: { simulations: [10, 10_000, 1000, "log"], seed: [1, 20, 1, 1] },
    async draw(stage, { simulations, seed }) {
      const found = await stage.search("tic_block", { position: stage.options.position, simulations, seed });
      stage.show(...strategies(found), `Values: ${valuesOf(found)}`);
    },
  },

  /** The strategy of a search approaches the equilibrium. Its probabilities are 5/31, 21/31, 5/31 and 0. */
  convergence: {
    sliders: { simulations: [10, 100_000, 10_000, "log"], seed: [1, 20, 1, 1] },
    async draw(stage, { simulations, seed }) {
      const given = { position: stage.options.position, seed, search: "mcts(solver=false)" };
      await growing(stage, "goofspiel", simulations, given, (budgets, found) => {
        const { first } = found.at(-1).arms;
        const series = first.map(({ action }, arm) => ({
          name: action,
          ys: found.map((one) => one.arms.first[arm].probability),
        }));
        const known = [level(budgets, 21 / 31, 1), level(budgets, 5 / 31, 0)];
        stage.show(
          lines("Probability of each bid by simulations; dashed: equilibrium", budgets, [...series, ...known]),
          ...strategies(found.at(-1)),
        );
      });
    },
  },

  /** Mean value and proven bounds of tic-tac-toe. */
  bounds: {
    sliders: { simulations: [10, 30_000, 10_000, "log"], exploration: [0, 2, 0.4, 0.05] },
    async draw(stage, { simulations, exploration }) {
      const given = { search: `mcts(${UCB1},solver=true,exploration=${exploration})` };
      await growing(stage, "mnk", simulations, given, (budgets, found) => {
        const series = [
          { name: "mean value", ys: found.map((one) => one.values.x) },
          { name: "lower bound", ys: found.map((one) => one.bounds.x[0]), color: 2 },
          { name: "upper bound", ys: found.map((one) => one.bounds.x[1]), color: 1 },
        ];
        const last = found.at(-1);
        const verdict = last.proven ? `proven after ${last.simulations} simulations` : "not proven";
        stage.show(
          lines("Return of x by simulations", budgets, series, { high: 100 }),
          `${valuesOf(last)}: ${verdict}`,
        );
      });
    },
  },

  /** What the solver has proven about each action. */
  proof: {
    sliders: { simulations: [1, 1000, 100, "log"], seed: [1, 20, 1, 1] },
    async draw(stage, { simulations, seed }) {
      const { position } = stage.options;
      const found = await stage.search("mnk", {
        position,
        search: `mcts(${UCB1},solver=true)`,
        simulations,
        seed,
        depth: 1,
      });
      const match = await stage.match("mnk", {}, { position });
      const board = element("div", { className: "board" });
      board.append(match.picture());
      const words = {
        "0,0": "lost",
        "50,50": "drawn",
        "100,100": "won",
        "0,50": "at most a draw",
        "50,100": "at least a draw",
      };
      const fills = { lost: "#e5766b", drawn: "#d9b44a", won: "#5cb578" };
      const rows = found.tree.arms.map(({ joint, visits, child }) => {
        const text = words[child?.bounds?.o] ?? "open";
        const [[cell]] = match.clicks.o[joint.o];
        const shape = board.querySelector(`[data-cell="${cell}"] > rect`);
        if (shape && fills[text]) shape.style.fill = fills[text];
        return {
          label: joint.o,
          share: visits / found.simulations,
          text,
          color: { lost: 1, drawn: 4, won: 2 }[text] ?? 5,
        };
      });
      const [low, high] = found.bounds.o;
      stage.show(
        board,
        bars("Visits and proofs", rows),
        `The value to o is ${low === high ? low : `between ${low} and ${high}`}.`,
      );
    },
  },

  /** First bids by coins. */
  bids: {
    sliders: { coins: [0, 10, 3, 1], simulations: [10, 100_000, 30_000, "log"] },
    async draw(stage, { coins, simulations }) {
      const found = await stage.search(`bidding_ttt(coins=${coins})`, { simulations });
      stage.show(...strategies(found), `Value to x: ${found.values.x.toFixed(1)}${found.proven ? ", proven" : ""}`);
    },
  },

  /** Bets of the second player, whose equilibrium is unique. */
  kuhn: {
    sliders: { passes: [1, 10_000, 10, "log"] },
    async draw(stage, { passes }) {
      const groups = [];
      for (const [said, text, known] of [
        ["p", "pass", { J: 1 / 3, Q: 0, K: 1 }],
        ["b", "bet", { J: 0, Q: 1 / 3, K: 1 }],
      ]) {
        const rows = [];
        for (const [card, other] of ["JK", "QJ", "KJ"]) {
          const given = {
            position: `${other}${card}_${said}`,
            bots: { first: "random" },
            search: "cfr",
            simulations: passes,
          };
          const { arms } = await stage.search("kuhn_poker", given);
          const share = arms.find(({ action }) => action === "bet")?.probability ?? 0;
          rows.push({ label: card, share, text: percent(share), mark: known[card] });
        }
        groups.push(bars(`second bets after a ${text}; the line is the equilibrium`, rows));
      }
      stage.show(...groups);
    },
  },

  /** Returns of three players after each action. */
  three: {
    sliders: { simulations: [100, 100_000, 3000, "log"], exploration: [0.05, 2, 0.4, 0.05] },
    async draw(stage, { simulations, exploration }) {
      const given = { position: stage.options.position, simulations, depth: 1 };
      const found = await stage.search("three_player_ttt", {
        ...given,
        search: `mcts(${UCB1},exploration=${exploration})`,
      });
      const best = found.tree.arms.filter(({ child }) => child).slice(0, 4);
      stage.show(
        ...best.map(({ joint, visits, child }) =>
          bars(
            `${joint.oplayer}, ${visits} visits`,
            Object.entries(child.values).map(([label, value], color) => ({
              label,
              share: (value ?? 0) / 100,
              text: value?.toFixed(1) ?? "-",
              color,
            })),
          ),
        ),
      );
    },
  },

  /** Rules that the reader may change, as a match. */
  rulesheet: {
    sliders: { level: [1, 10, 4, 1] },
    async draw(stage, { level }) {
      await stage.load("board.js");
      if (!stage.board) {
        const sheet = [...document.querySelectorAll("pre")].find((one) => one.textContent.includes("(role "));
        stage.board = element("playout-board", { game: "rules" });
        stage.text = element("textarea", {
          rows: 12,
          spellcheck: false,
          value: sheet.textContent,
          ariaLabel: "Rulesheet",
        });
        stage.text.addEventListener("change", () => stage.onMove());
      }
      stage.board.setAttribute("level", level);
      if (stage.board.rules !== stage.text.value) stage.board.rules = stage.text.value;
      stage.show(stage.text, stage.board, `The others play by level(${level}).`);
      await settled(stage.board);
    },
  },

  /** Intervals of simulated tournaments. */
  intervals: {
    sliders: {
      elo: [-200, 200, 40, 10],
      games: [20, 2000, 200, "log"],
      draws: [0, 0.9, 0.3, 0.1],
      seed: [1, 20, 1, 1],
    },
    async draw(stage, { elo, games, draws, seed }) {
      const next = results(1 / (1 + 10 ** (-elo / 400)), draws, seed);
      const found = Array.from({ length: 40 }, () => {
        const counts = [0, 0, 0];
        for (let game = 0; game < games; game += 1) counts[2 * next()] += 1;
        return eloOf(...counts);
      });
      const misses = ({ lower, upper }) => elo < lower || elo > upper;
      const numbers = found.map((_, number) => number + 1);
      const series = ["contains the true difference", "misses it"].map((name, color) => {
        const ends = (end) => found.map((one) => (misses(one) === Boolean(color) ? one[end] : elo)); // none: a point
        return { name, color, ys: ends("lower"), tops: ends("upper") };
      });
      const range = 3 * Math.min(200, Math.ceil(eloOf(games / 3, games / 3, games / 3).upper));
      const chart = lines("Intervals of the Elo of 40 tournaments", numbers, [...series, level(numbers, elo)], {
        low: elo - range,
        high: elo + range,
        isLog: false,
      });
      stage.show(chart, `${found.filter(misses).length} of 40 intervals miss the true difference.`);
    },
  },

  /** Elo with its interval, and how the interval shrinks. */
  elo: {
    sliders: { wins: [10, 500, 60, 1], draws: [0, 500, 30, 1], losses: [10, 500, 40, 1] },
    async draw(stage, { wins, draws, losses }) {
      const games = [1, 2, 4, 8, 16, 32, 64].map((times) => times * (wins + draws + losses));
      const half = [1, 2, 4, 8, 16, 32, 64].map((times) => {
        const { lower, upper } = eloOf(times * losses, times * draws, times * wins);
        return (upper - lower) / 2;
      });
      const { elo, lower, upper } = eloOf(losses, draws, wins);
      stage.show(
        `Elo ${elo.toFixed(1)}, from ${lower.toFixed(1)} to ${upper.toFixed(1)}`,
        lines("± Elo with as many games of the same shares", games, [{ ys: half }], {
          high: Math.ceil(Math.min(half[0], 400)),
        }),
      );
    },
  },

  /** Sequential tests. Their ratio is Van den Bergh's approximation. */
  sprt: {
    sliders: { elo: [-20, 40, 20, 1], elo1: [5, 40, 20, 1], draws: [0, 0.9, 0.3, 0.1], seed: [1, 20, 1, 1] },
    async draw(stage, { elo, elo1, draws, seed }) {
      const [bound, most, unit] = [Math.log(19), 6000, 800 / Math.LN10];
      const walks = Array.from({ length: 8 }, (_, walk) => {
        const next = results(0.5 + (elo / unit) * Math.sqrt((1 - draws) / 4), draws, 100 * seed + walk);
        let [games, sum, squares, ratio] = [0, 0, 0, 0];
        const ratios = [0];
        while (Math.abs(ratio) < bound && games < most) {
          for (let game = 0; game < 10; game += 1) {
            const result = next();
            [games, sum, squares] = [games + 1, sum + result, squares + result ** 2];
          }
          const mean = sum / games;
          const shift = (mean - 0.5) / Math.sqrt(squares / games - mean ** 2 || 1);
          ratio = (games / 2) * Math.log((1 + shift ** 2) / (1 + (shift - elo1 / unit) ** 2));
          ratios.push(ratio);
        }
        return ratios;
      });
      const steps = Math.max(...walks.map((walk) => walk.length));
      const games = Array.from({ length: steps }, (_, step) => 10 * step);
      const limits = [bound, -bound].map((one) => level(games, one));
      const chart = lines("Log likelihood ratio by games", games, [...walks.map((ys) => ({ ys })), ...limits], {
        low: -4,
        high: 4,
        isLog: false,
      });
      const accepted = walks.filter((walk) => walk.at(-1) >= bound).length;
      const mean = walks.reduce((sum, walk) => sum + 10 * (walk.length - 1), 0) / 8;
      stage.show(chart, `${accepted} of 8 tests accept H1 (${elo1} Elo), after ${Math.round(mean)} games on average.`);
    },
  },
};

offer(FIGURES);
