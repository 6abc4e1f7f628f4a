"""`playout solve`, `playout regret` and the bot `exact`: exact values on a terminal, as JSON, and in play."""

import csv
import json
import math
import random
from statistics import fmean

import pytest
from sampling import sweep
from support import by_key

import bots
import mcts
from bots.studies.analysis.regret import count_below, measure, sample_positions
from cext.exact.counterfactual_regret import CounterfactualRegret
from mcts.exact.sequence_solution import explored
from mcts.seeds import seed_for

BIDDING = mcts.load_game("bidding_ttt(coins=1)")
HIDDEN = "dark_mnk(m=4,n=1,k=2)"
LATE = json.dumps({"board": "xxoo.....", "coins": [0, 2], "tiebreaker": "x", "stage": "bidding", "control": None})


def test_solve_shows_value_moves_and_size(playout):
    ran = playout("solve", "mnk")
    assert ran.status == 0
    assert "x 50  o 50" in ran.out
    assert "5,478" in ran.out
    assert ran.out.count("mark(") == 9
    assert "loss" in ran.out


def test_solve_of_one_state_names_the_winning_move(playout):
    state = json.dumps({"board": "xx.oo....", "to_move": "x"})
    ran = playout("solve", "mnk", "--state", state, "--json")
    found = json.loads(ran.out)
    assert found["values"] == {"x": 100.0, "o": 0.0}
    moves = {move["action"]: move for move in found["moves"]["x"]}
    assert moves["mark(1,3)"] == {"action": "mark(1,3)", "probability": 1.0, "loss": 0.0}
    assert all(move["loss"] >= 50 for action, move in moves.items() if action != "mark(1,3)")


def test_solve_of_a_state_in_which_both_bid(playout):
    found = json.loads(playout("solve", "bidding_ttt(coins=1)", "--state", LATE, "--json").out)
    assert set(found["moves"]) == {"x", "o"}
    for moves in found["moves"].values():
        assert math.isclose(sum(move["probability"] for move in moves), 1)
        assert all(move["loss"] < 1e-6 for move in moves if move["probability"] == 1)


def test_solve_of_hidden_information(playout):
    found = json.loads(playout("solve", HIDDEN, "--json").out)
    assert math.isclose(sum(found["values"].values()), 100)
    assert math.isclose(sum(move["probability"] for move in found["moves"]["x"]), 1)
    state = mcts.load_game(HIDDEN).new_initial_state()
    state.apply_action(0)
    ran = playout("solve", HIDDEN, "--state", json.dumps(state.to_dict()))
    assert "it depends on beliefs about what is hidden" in ran.out


def test_solve_keeps_the_solution_in_the_given_folder(playout, tmp_path):
    folder = tmp_path / "solutions"
    assert playout("solve", "bidding_ttt(coins=2)", "--cache", str(folder)).status == 0
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mnk(m=5,n=5,k=4)"], "too large to solve: it has more than"),
        (["three_player_ttt"], "it has 3 players, not two"),
        (["bidding_3d_ttt"], "its actions are too many to list"),
        (["mnk", "--state", "{"], "--state: '{' is not a state of mnk(m=3,n=3,k=3): it is not JSON"),
        (["nonsense"], "nonsense"),
        (["mnk(m=4,n=4,k=4)", "--memory-mb", "1"], "too large to solve"),
        (["leduc_poker", "--method", "lp"], "method='lp' is unknown; valid: sequence_form, cfr"),
        (["mnk", "--method", "cfr"], "method=cfr: mnk(m=3,n=3,k=3) is solved by one method only; valid: None"),
    ],
)
def test_unsolvable_games_are_refused_in_one_line(playout, arguments, words):
    ran = playout("solve", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_regret_measures_losses_and_exploitability(playout, tmp_path):
    plot = tmp_path / "regret.svg"
    ran = playout(
        "regret", "bidding_ttt(coins=1)", "mcts(transpositions=false,solver=false)", "--simulations", "5",
        "--simulations", "2000", "--states", "20", "--below", "60", "--json", "-o", str(plot),
    )  # fmt: skip
    (bot,) = json.loads(ran.out)["bots"]
    few, many = bot["budgets"]
    assert (few["simulations"], many["simulations"]) == (5, 2000)
    assert few["loss"]["mean"] > many["loss"]["mean"] >= 0
    assert few["exploitability"]["mean"] > 0
    assert few["exploitability"]["count"] == many["exploitability"]["count"] > 0
    assert BIDDING.state_from_dict(few["worst"]["state"]).acting_players()
    assert plot.read_text().lstrip().startswith("<?xml")


def test_regret_of_exact_play_is_nothing(playout):
    ran = playout("regret", "bidding_ttt(coins=1)", "exact", "--states", "30", "--below", "40")
    row = next(line for line in ran.out.splitlines() if "100.0%" in line)
    assert row.split()[0] == "own"
    assert "0 ± 0" in row


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kuhn_poker", "oos", "-o", "x.json"], "valid: FILE.svg, FILE.csv, FILE.png, FILE.pdf"),
        (["kuhn_poker", "oos", "--samples", "0"], "greater than or equal to 1"),
        (["mnk", "mcts", "-o", "x.doc"], "valid: FILE.svg, FILE.csv, FILE.png, FILE.pdf"),
        (["kuhn_poker", "mcts"], "cannot play"),
        (["mnk", "nonsense"], "nonsense"),
        (["mnk", "mcts", "-o", "/nowhere/x.svg"], "cannot write"),
    ],
)
def test_regret_refuses_in_one_line_what_it_cannot_measure(playout, arguments, words):
    ran = playout("regret", *arguments)
    assert ran.status == 2
    assert words in ran.err


def regret_of(playout, *arguments):
    """Return the results of each bot in Kuhn poker, as JSON has them."""
    ran = playout("regret", "kuhn_poker", *arguments, "--json")
    return [bot["budgets"] for bot in json.loads(ran.out)["bots"]]


def test_regret_of_hidden_information(playout):
    [[few, many]] = regret_of(playout, "oos", "--simulations", "20", "--simulations", "1000", "--samples", "12")
    assert few["loss"] > many["loss"] >= 0
    assert few["exploitability"] > many["exploitability"] >= 0
    assert many["bias"] > 0
    assert many["samples"] == 12
    [[exact]] = regret_of(playout, "exact")
    assert exact == {"simulations": None, "loss": 0.0, "exploitability": 0.0, "bias": 0.0, "samples": 16}


def test_regret_of_an_average_strategy_is_that_of_the_strategy(playout):
    """Regret minimisation is measured by its own average strategy, whose distance from an equilibrium is known."""
    [budgets] = regret_of(playout, "cfr", "--simulations", "10000", "--simulations", "100", "--samples", "1")
    game = mcts.load_game("kuhn_poker")
    for point in budgets:
        regret = CounterfactualRegret(explored(game, 1))
        regret.run(point["simulations"])
        values, best = regret.evaluate()
        assert point["exploitability"] == pytest.approx(sum(best) - sum(values), abs=1e-8)
    assert budgets[0]["exploitability"] < 2e-4 < budgets[1]["exploitability"] < 5e-3
    ran = playout("regret", "kuhn_poker", "cfr")
    assert "out of 4, over all information states." in ran.out
    assert "sample" not in ran.out
    assert "bias" not in ran.out


class EvenKuhn(bots.Bot):
    """Decides evenly, and does not say so."""

    def choose(self, view, limit=None):
        return self.random.choice(view.legal_actions())


def test_the_noise_of_samples_is_measured():
    """The best responses to even play in Kuhn poker win 11/12 of a chip; what they win more is noise of the samples."""
    solution = mcts.solve(mcts.load_game("kuhn_poker"))
    true = solution.exploitability(lambda view: dict.fromkeys(view.legal_actions(), 0.5))
    assert true == pytest.approx(11 / 12)
    found = [solution.best_responses(EvenKuhn(), samples=4, seed=seed) for seed in range(100)]
    high, low = (fmean(f) for f in ([r.nash_conv for r in found], [r.nash_conv - r.bias for r in found]))
    assert low < true < high - 0.03
    assert high - true < fmean(r.bias for r in found)
    many = solution.best_responses(EvenKuhn(), samples=2000)
    assert many.nash_conv == pytest.approx(true, abs=0.05)
    assert 0 < many.bias < 0.05
    assert solution.best_responses(EvenKuhn(), samples=1).bias is None


def test_regret_says_what_is_sampled_and_how_much_it_adds(playout):
    ran = playout("regret", "kuhn_poker", "ismcts(selection=exp3)", "--simulations", "50", "--samples", "2")
    assert "up to 0." in ran.out
    assert "means of 2 samples in each" in " ".join(ran.out.split())
    ran = playout("regret", "kuhn_poker", "ismcts", "--simulations", "50", "--samples", "1")
    assert "unknown" in ran.out


def test_strategies_are_means_over_searches_with_other_seeds():
    view = mcts.load_game("kuhn_poker").state_from_text("QJ_-").view(0)
    limit = mcts.Limit(simulations=20)
    for name in ("ismcts", "oos"):
        bot = bots.load_bot(name)
        bot.new_game(view.game, 0, 3)
        seeds, wanted = random.Random(3), dict.fromkeys(view.legal_actions(), 0.0)
        for seed in [seeds.getrandbits(64) for _ in range(8)]:
            alone = bots.load_bot(name)
            alone.new_game(view.game, 0, seed)
            alone.choose(view, limit)
            for action, share in alone.search_info.strategy.items():
                wanted[action] += share / 8
        assert bot.strategy(view, limit, 8) == pytest.approx(wanted)


def test_curves_of_several_bots_are_a_table_and_a_plot(playout, tmp_path):
    pytest.importorskip("matplotlib")
    ran = playout(
        "regret", "kuhn_poker", "cfr", "oos", "ismcts", "--simulations", "10", "--simulations", "100", "--samples", "2",
        "-o", "curves.csv", "-o", "curves.svg",
    )  # fmt: skip
    assert ran.status == 0
    with open(tmp_path / "curves.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["bot"], row["simulations"]) for row in rows] == [
        (bot, n) for bot in ("cfr", "oos", "ismcts") for n in ("10", "100")
    ]
    assert float(rows[0]["exploitability"]) > float(rows[1]["exploitability"]) > 0
    drawn = (tmp_path / "curves.svg").read_text()
    assert drawn.lstrip().startswith("<?xml")
    assert all(f"<!-- {bot} -->" in drawn for bot in ("cfr", "oos", "ismcts"))  # in the legend
    table = playout("regret", "mnk(m=2,n=2,k=2)", "random", "greedy", "--states", "3", "-o", "-.csv").out
    assert table.splitlines()[0].startswith("bot,simulations,loss,loss_error,worst_loss")
    assert [line.split(",")[:2] for line in table.splitlines()[1:]] == [["random", ""], ["greedy", ""]]


def test_losses_are_those_of_the_strategy():
    """Random play loses what the mean over its actions loses against the worst reply, worked out here from scratch."""
    solution = mcts.solve(BIDDING)
    positions = sample_positions(BIDDING, 25, 3, 0)
    [found] = measure(solution, "random", [None], positions)
    losses = []
    for position in positions:
        state = position.state
        for player in state.acting_players():
            mine = state.legal_actions(player)
            if len(mine) == 1:
                continue
            replies = state.legal_actions(1 - player)
            worth = []
            for reply in replies:
                total = 0.0
                for action in mine:
                    after = state.clone()
                    after.apply_actions([action, reply] if player == 0 else [reply, action])
                    total += (after.returns() if after.is_terminal() else solution.value(after))[player] / len(mine)
                worth.append(total)
            losses.append(max(0.0, solution.value(state)[player] - min(worth)))
    assert found.loss.count == len(losses)
    assert found.loss.mean == pytest.approx(sum(losses) / len(losses))
    assert found.loss.worst == pytest.approx(max(losses))


def test_positions_are_distinct_and_somebody_has_a_choice():
    positions = sample_positions(BIDDING, 50, 1, 10)
    states = [position.state for position in positions]
    assert len(by_key(states)) == 50
    assert all(max(len(state.legal_actions(player)) for player in (0, 1)) > 1 for state in states)
    assert [p.state for p in sample_positions(BIDDING, 50, 1, 0)] == states
    assert len(sample_positions(mcts.load_game("mnk(m=2,n=1,k=1)"), 50, 1, 0)) == 1


def test_states_below_are_counted_up_to_a_limit():
    start = mcts.load_game("mnk").new_initial_state()
    assert count_below(start, 5478) == 5478
    assert count_below(start, 5477) is None
    assert count_below(start, 0) is None


@sweep("spec", ["points_ttt", "bidding_ttt(coins=1)", "mnk"], 1)
def test_values_of_searches_converge_to_the_exact_ones(spec):
    game = mcts.load_game(spec)
    solution = mcts.solve(game)
    states = [position.state for position in sample_positions(game, 12, 5, 0)]

    def mean_error(simulations, **given):
        search = mcts.MCTS.plain(game, seed=1, **given)
        found = [search.run(state, simulations=simulations).values[0] for state in states]
        return fmean(abs(value - solution.value(state)[0]) for value, state in zip(found, states, strict=True))

    few, more, many = (mean_error(simulations) for simulations in (100, 2000, 40_000))
    assert few > more > many
    assert many < 0.3 * few
    assert mean_error(10_000, solver=True, transpositions=True) < 1e-6


def test_the_exact_bot_loses_to_nobody():
    game = mcts.load_game("mnk")
    rng = random.Random(4)
    for number in range(40):
        seats = [bots.load_bot("exact"), bots.load_bot("random")]
        exact_seat = number % 2
        if exact_seat:
            seats.reverse()
        for player, bot in enumerate(seats):
            bot.new_game(game, player, seed_for(rng.getrandbits(32), player))
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            state.apply_action(seats[player].choose(state.view(player)))
        assert state.returns()[exact_seat] >= 50


def test_the_exact_bot_mixes_as_the_solution_says():
    game = mcts.load_game("kuhn_poker")
    view = game.state_from_text("KJ_b").view(1)
    bot = bots.load_bot("exact")
    assert bot.strategy(view) == mcts.solve(game).policy(view)
    bot.new_game(game, 1, 3)
    assert view.is_legal(bot.choose(view))
    three = mcts.load_game("three_player_ttt")
    assert "or use mcts" in bot.why_unsupported(three)
    with pytest.raises(mcts.UnsupportedGameError, match="or use mcts"):
        bot.check_game(three)


def test_more_coins_never_bring_less():
    def value(own, total, holder):
        return mcts.solve(mcts.load_game("bidding_ttt", coins=own, o_coins=total - own, tiebreaker=holder)).value()[0]

    for holder in "xo":
        values = [value(own, 3, holder) for own in range(4)]
        assert values == sorted(values)
        assert values[0] < values[-1] == 100


@pytest.mark.long
def test_a_search_of_20_000_simulations_cannot_be_exploited():
    """From the first state to the end, over every decision that best replies can bring the bot to."""
    game = mcts.load_game("bidding_ttt(coins=3)")
    found = mcts.solve(game).best_responses(bots.load_bot("mcts(simulations=20000)"), seed=1)
    assert found.nash_conv < 1.0
    assert found.states > 1000
