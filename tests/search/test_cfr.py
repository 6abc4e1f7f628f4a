"""Counterfactual regret minimisation as a searcher: convergence, views, limits, and games that are too large."""

from types import SimpleNamespace

import pytest
from support import ROOT
from waiting import HANG_SECONDS, Clock

import bots
import mcts
from mcts.searchers import base, cfr
from mcts.searchers.cfr import CFR


def gap(search):
    """Return what best responses gain against both strategies, as a share of the range of returns."""
    values, best = search.regret.evaluate()
    return (sum(best) - sum(values)) / (search.game.max_utility - search.game.min_utility)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["dcfr", "cfr+", "pcfr+"])
@pytest.mark.parametrize(("spec", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.0856064)])
def test_it_approaches_an_equilibrium(spec, value, kind):
    game = mcts.load_game(spec)
    search = CFR(game, kind=kind, seed=1)
    solution = mcts.solve(game)
    view = game.state_from_text({"kuhn_poker": "QJ_-", "leduc_poker": "QJ._-"}[spec]).view(0)
    result = search.run(view, simulations=3000)
    assert result.simulations == search.regret.iterations == 3000
    assert gap(search) < 1e-4
    assert search.regret.evaluate()[0][0] == pytest.approx(value, abs=1e-3)
    assert result.values[0] == pytest.approx(solution.action_values_at(view)[0].value, abs=0.01)
    best = max(each.value for each in solution.action_values_at(view))
    assert all(result.action_values[each] > best - 0.02 for each, share in result.policy.items() if share > 0.01)
    again = search.run(view, simulations=3000)  # all passes are done
    assert (again.policy, again.action, again.visits) == (result.policy, result.action, result.visits)


def test_the_bot_cannot_be_beaten():
    game = mcts.load_game("kuhn_poker")
    bot = bots.load_bot("cfr(simulations=2000)")
    bot.new_game(game, 0, 1)

    def policy(view):
        bot.choose(view)
        return bot.search_info.policy

    found = mcts.solve(game).best_responses(policy)
    assert 0 <= sum(found.values) < 0.002


class Ticking(Clock):
    """A clock that each look moves by a second."""

    def __call__(self):
        self.now += 1
        return self.now


def test_a_time_limit_ends_the_exploration_and_the_passes(monkeypatch):
    game = mcts.load_game("leduc_poker")
    state = game.state_from_text("QJ._-")
    search = CFR(game, seed=1)
    first = search.run(state.view(0), seconds=1e-9)
    assert (first.simulations, first.values) == (0, (0.0, 0.0))
    assert set(first.policy.values()) == {1 / len(state.legal_actions(0))}
    assert search.run(state.view(0), seconds=HANG_SECONDS, on_progress=lambda found: search.stop()).interrupted
    clock = Ticking()
    for module in (base, cfr):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
    begin = clock.now
    assert search.run(state.view(0), seconds=5).simulations > 0
    assert clock.now - begin < 10


def test_a_game_in_python_is_searched(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "recipes" / "game_with_secrets"))
    game = mcts.load_game("my_cards.Kuhn")
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.sample_outcome(1))
    view = state.view(state.acting_players()[0])
    search = CFR(game, seed=1)
    assert search.run(view, simulations=50).action in view.legal_actions()
    assert gap(search) < 0.05


def test_games_that_do_not_fit_are_refused():
    for spec, reason in (
        ("mnk", "nothing is hidden in it; use mcts"),
        ("kuhn_poker(players=3)", "two players with opposite interests; use ismcts"),
        ("bidding_3d_ttt", "use ismcts"),
    ):
        with pytest.raises(mcts.UnsupportedGameError, match=reason):
            CFR(mcts.load_game(spec))
    search = CFR(mcts.load_game("liars_dice"), memory_mb=1)
    with pytest.raises(mcts.UnsupportedGameError, match=r"too large for cfr: .* memory_mb=1; valid: ismcts"):
        search.run(search.game.state_from_text("25_-").view(0), simulations=1)


@pytest.mark.parametrize(
    ("spec", "bot", "reason"),
    [
        ("dark_mnk", "cfr", "more than .* ways of play lead to an end; .* memory_mb=256, or ismcts"),
        ("liars_dice", "cfr(memory_mb=1)", "it has more than .* histories, .* memory_mb=1; valid: ismcts"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_before_it_begins(spec, bot, reason):
    with pytest.raises(mcts.UnsupportedGameError, match=f"too large for cfr: {reason}"):
        bots.load_bot(bot).check_game(mcts.load_game(spec))


def test_the_check_of_a_slow_game_ends(monkeypatch):
    monkeypatch.setattr(cfr, "CHECK_SECONDS", 0)
    bots.load_bot("cfr").check_game(mcts.load_game("leduc_poker"))
    bots.load_bot("cfr(memory_mb=1)").check_game(mcts.load_game("liars_dice(sides=6)"))  # its first decision tells
