"""Levels of strength: settings, tables from files, errors that are plausible, and their calibration by matches."""

import itertools
import json
import math
import random
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from near_ends import near_ends
from simulated_results import pair_blocks
from waiting import let_pass

import bots
import mcts
from bots.arena.ratings.elo import score_of_elo
from bots.arena.store.store import TEMPORARY, Store
from bots.players.common import levels
from bots.players.common.levels import (
    GOOD_STEP,
    NUM_LEVELS,
    Setting,
    Table,
    even_levels,
    offered_levels,
    read_tables,
    setting_at,
    table_for,
    write_tables,
)
from bots.players.fallible import actions_seen, plausible_actions
from bots.studies import calibration
from bots.studies.calibration import (
    Calibration,
    Match,
    calibrate,
    even_points,
    even_step,
    fitted_curve,
)
from mcts.gdl.rulesheets import library_games
from mcts.nets.shipped_nets import chosen_net
from mcts.registry import native_games

POINTS = mcts.load_game("points_ttt")
CHIPS = mcts.load_game("bidding_3d_ttt")
MADE = Table(tuple(setting_at(POINTS, level / 9) for level in range(10)), ((0.7, 0.01),) * 9, tuple(range(10)), 100, 3)


def test_a_level_is_named_by_its_number():
    bot = bots.load_bot("level(4)")
    assert bot.parameters == {"level": 4, "table": None}
    assert bot.spec == "level(4)"
    assert bots.load_bot("level(level=4)").spec == "level(4)"
    assert bots.load_bot("level").spec == "level(5)"
    for text, error in (("level(11)", mcts.ParameterError), ("level(4,level=5)", mcts.errors.SpecError)):
        with pytest.raises(error):
            bots.load_bot(text)
    with pytest.raises(mcts.ParameterError, match="by name"):
        bots.load_bot("mcts(1000)")
    with pytest.raises(mcts.errors.SpecError, match="key=value"):
        mcts.load_game("mnk(5)")


@pytest.mark.parametrize(("game", "top"), [(POINTS, 8), (POINTS, 400), (POINTS, 100_000), (CHIPS, 100_000)])
def test_settings_grow_with_the_strength(game, top):
    found = [setting_at(game, step / 50, top) for step in range(51)]
    for first in (
        [setting.error_rate for setting in reversed(found)],
        [setting.simulations for setting in found if setting.search == levels.search_for(game)],
        [setting.sight for setting in found],
        [setting.horizon for setting in found],
    ):
        assert first == sorted(first)
    assert found[0].error_rate == 1.0
    assert (found[-1].error_rate, found[-1].simulations, found[-1].search) == (0.0, top, levels.search_for(game))
    for setting in found:
        bot = bots.load_bot(setting.spec)
        assert bot.setting(game) == setting
        bot.check_game(game)


def test_tables_are_written_and_read():
    assert read_tables(write_tables({"points_ttt": MADE}), "x") == {"points_ttt": MADE}


@pytest.mark.parametrize(
    "change",
    [
        {"levels": []},
        {"levels": [{"simulations": 0}] * 10},
        {"levels": [{"search": "exec"}] * 10},
        {"levels": [[1]] * 10},
        {"levels": 7},
        {"scores": [[math.nan, 0.0]] * 9},
        {"elo": [1.0]},
        {"games": "many"},
        {"ends": [[0.5, 0.1]] * 3},
        {"ends": [[0.5, 0.1], [1.5, 0.1]]},
    ],
)
def test_a_damaged_table_is_refused(change):
    data = json.loads(write_tables({"points_ttt": MADE}))
    data["games"]["points_ttt"] |= change
    with pytest.raises(mcts.ParameterError, match="the file"):
        read_tables(json.dumps(data), "the file")


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"format": "x"}', '{"format": "playout-levels", "version": 2}'])
def test_another_file_is_refused(text, tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(text)
    with pytest.raises(mcts.ParameterError, match=r"levels\.json"):
        bots.load_bot(f'level(1,table="{path}")')
    with pytest.raises(mcts.ParameterError, match="cannot read"):
        bots.load_bot(f'level(1,table="{tmp_path / "missing"}")')


def test_a_file_of_levels_is_played(tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(write_tables({"points_ttt": MADE}))
    bot = bots.load_bot(f'level(3,table="{path}")')
    assert bot.setting(POINTS) == MADE.levels[2]


def test_a_game_without_a_table_has_that_of_the_nearest_variant(tmp_path):
    other = replace(MADE, seed=4)
    path = tmp_path / "levels.json"
    path.write_text(write_tables({"mnk": MADE, "mnk(m=7,n=7,k=5)": other}))
    assert table_for(mcts.load_game("mnk(m=4,n=4,k=3)"), str(path)).seed == 3
    assert table_for(mcts.load_game("mnk(m=6,n=7,k=4)"), str(path)).seed == 4
    chips = {
        f"bidding_3d_ttt(chips=80,recapture={kind})": replace(MADE, seed=5 + (kind == "true"))
        for kind in ("false", "true")
    }
    path.write_text(write_tables(chips))
    assert [
        table_for(mcts.load_game(f"bidding_3d_ttt(chips=9,recapture={kind})"), str(path)).seed
        for kind in ("false", "true")
    ] == [5, 6]


def test_a_game_without_a_table_has_the_same_levels_on_every_machine(tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(write_tables({"mnk": MADE}))
    for game, top in ((POINTS, levels.RULE_SIMULATIONS), (CHIPS, levels.TOP_SIMULATIONS)):
        found = table_for(game, str(path)).levels
        assert [replace(setting, seconds=None) for setting in found] == [
            setting_at(game, strength, top) for strength in levels.RULE_STRENGTHS
        ]
        assert {setting.seconds for setting in found} == {levels.MOST_SECONDS}


def test_every_game_has_levels_that_play():
    for name in [*native_games(), "hexapawn", "rock_paper_scissors", "three_player_nim"]:
        with bots.Match(name, dict.fromkeys(mcts.load_game(name).players, "level(1)"), seed=1) as match:
            match.go_on()
            assert match.returns is not None


@pytest.mark.long
@pytest.mark.parametrize("name", library_games())
@pytest.mark.parametrize("level", [2, 6])
def test_every_rulesheet_of_the_library_has_levels_that_play(name, level):
    with bots.Match(name, dict.fromkeys(mcts.load_game(name).players, f"level({level})"), seed=1) as match:
        match.go_on()
        assert match.returns is not None


def test_errors_are_plausible_and_keep_won_positions():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    state = game.state_from_text("xxx../ooo../...../...../....._x")  # both complete a line
    result = mcts.MCTS.plain(game, solver=True, seed=1).run(state, simulations=300)
    win = state.string_to_action(0, "mark(1,4)")
    assert plausible_actions(state.view(0), result, 0.05)[win] > 0.9
    assert all(result.action_values[action] >= 75 for action in plausible_actions(state.view(0), result, 100.0))

    open_result = mcts.MCTS.plain(game, seed=1).run(game.new_initial_state(), simulations=5000)
    found = plausible_actions(game.new_initial_state().view(0), open_result, 0.02)
    assert sum(found.values()) == pytest.approx(1.0)
    ranked = sorted(found, key=found.get)
    assert open_result.visits[ranked[-1]] > 10 * open_result.visits[ranked[0]]


def test_errors_of_sealed_bids_are_ranked_by_their_values():
    """All bids of the matrix are candidates, from the start of the game: with a low temperature they lose little."""
    game = mcts.load_game("bidding_3d_ttt")
    view = game.new_initial_state().view(0)
    losses = []
    for temperature in (0.01, 0.1, 100):
        spec = f"fallible(search=double_oracle,simulations=300000,error_rate=1,temperature={temperature})"
        bot = bots.load_bot(spec)
        bot.new_game(game, 0, 1)
        strategy = bot.strategy(view, samples=1)
        worth = bot.search_info.action_values
        assert set(strategy) == set(worth)
        best = max(worth.values())
        assert strategy[max(worth, key=worth.get)] == max(strategy.values())
        losses.append(sum(chance * (best - worth[bid]) for bid, chance in strategy.items()))
    assert losses[0] < 2 < losses[1] < losses[2]


def test_the_error_rate_is_the_share_of_errors():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    view = game.new_initial_state().view(0)

    def strategy(rate):
        bot = bots.load_bot(f"fallible(simulations=200,error_rate={rate},temperature=1)")
        bot.new_game(game, 0, 1)
        return bot.strategy(view)

    never, always, half = strategy(0), strategy(1), strategy(0.5)
    assert max(never.values()) == 1.0
    assert max(always.values()) < 0.15
    best = max(never, key=never.get)
    assert half[best] == pytest.approx(0.5 + 0.5 * always[best])
    for found in (never, always, half):
        assert sum(found.values()) == pytest.approx(1.0)


def test_a_decision_looks_ahead_by_chance():
    assert Setting("mcts", 1, 1.0, 1.0).plies_ahead() == pytest.approx([1.0, 0.0, 0.0])
    seen = Setting("mcts", 1, 1.0, 1.0, sight=0.8, horizon=2.25).plies_ahead()
    assert seen == pytest.approx([0.2, 0.8 * 0.2, 0.64 - 0.512 / 4, 0.512 / 4])
    assert Setting("mcts", 1, 1.0, 1.0, sight=1.0, horizon=3.5).plies_ahead() == pytest.approx([0, 0, 0, 0.5, 0.5])
    assert Setting("mcts", 1, 1.0, 1.0, sight=0.8, horizon=0.0).plies_ahead() == [1.0]


SEEN = {
    "a win in one": ("xxx../ooo../...../...../....._x", "mark(1,4)", 1),
    "the one block": ("...../oxxx./.o.../...../....._o", "mark(2,5)", 2),
    "a double threat": ("...../.xx../.o.../...../....o_x", "mark(2,4)", 3),
}


@pytest.mark.parametrize("name", SEEN)
def test_ends_are_seen_the_less_the_later_they_come(name):
    text, wanted, plies = SEEN[name]
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    view = (state := game.state_from_text(text)).view(state.acting_players()[0])
    action = view.string_to_action(wanted)

    def chance(sight, horizon=4):
        given = "simulations=1,error_rate=1,temperature=100,proofs=false"
        bot = bots.load_bot(f"fallible({given},sight={sight},horizon={horizon})")
        bot.new_game(game, view.player, 3)
        mean = sum(bot.strategy(view).get(action, 0.0) for _ in range(100)) / 100
        drawn = [bot.choose(view) for _ in range(400)].count(action) / 400
        assert drawn == pytest.approx(mean, abs=0.12)
        return mean

    luck = chance(0)
    assert luck < 0.15
    assert chance(1) == pytest.approx(1.0)
    assert chance(0.5) == pytest.approx(0.5**plies + (1 - 0.5**plies) * luck, abs=0.12)
    assert chance(1, plies - 1) == pytest.approx(luck, abs=0.1)
    assert chance(1, plies - 0.5) == pytest.approx(0.5 + 0.5 * luck, abs=0.1)


def test_who_loses_anyway_loses_late():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    lost = game.state_from_text("...../.xxx./.o.../.o.../....._o").view(1)
    blind, one, two = actions_seen(lost, 2, None)
    assert (blind, one) == ([], [])
    assert sorted(two) == sorted(lost.legal_actions())


def test_an_end_counts_against_all_choices_at_once():
    """A bid of 0 loses to each bid of `o`, who wins then; bids of 3 of `x` win against 2 coins, and then the game."""
    game = mcts.load_game("bidding_ttt(coins=3)")

    def seen(text):
        view = game.state_from_text(text).view(0)
        return [[view.action_to_string(action) for action in left] for left in actions_seen(view, 2, None)]

    threatened = seen("o../.../o.x_4,2_x_-")
    assert threatened[:2] == [[], []]
    assert "bid(0)" not in threatened[2]
    assert len(threatened[2]) == 9
    assert seen("xx./.../o.o_4,2_o_-")[2] == ["bid(3)", "bid(4)"]


def test_an_end_counts_if_all_hidden_states_have_it():
    """Two marks in a row of dark_mnk: its third wins unless the other player, who is not seen, may be there."""
    game = mcts.load_game("dark_mnk")
    state = game.new_initial_state()
    for text in ("mark(1,1)", "mark(3,1)", "mark(1,2)", "mark(3,2)"):
        state.apply_action(state.string_to_action(state.acting_players()[0], text))
    view = state.view(0)
    assert actions_seen(view, 1, random.Random(1)) == [[], []]
    state.apply_action(state.string_to_action(0, "mark(3,1)"))  # is taken: the turn stays with the player who now knows
    assert state.acting_players() == (0,)
    state.apply_action(state.string_to_action(0, "mark(3,2)"))
    known = state.view(0)
    assert actions_seen(known, 1, random.Random(1)) == [[], [known.string_to_action("mark(1,3)")]]


def test_points_at_even_distances():
    curve = [(0.0, 0.0), (0.5, 900.0), (1.0, 900.0)]
    assert even_points(curve)[:-1] == pytest.approx([level / 18 for level in range(9)])
    assert even_points(curve)[-1] == 1.0
    steep = [(0.0, 0.0), (1.0, 9 * 400.0)]
    assert even_points(steep) == pytest.approx([level * 125 / 3600 for level in range(10)])


def test_a_curve_fits_its_matches():
    """Differences of a curve that rises faster at its start, measured with noise in three rounds of neighbours."""

    def rating(strength):
        return 600 * math.sqrt(strength)

    rounds = [(0.0, 0.3, 0.6, 1.0), (0.0, 0.05, 0.2, 0.5, 1.0), (0.0, 0.1, 0.35, 0.7, 1.0)]
    spans = []
    for number, points in enumerate(rounds):
        for low, high in itertools.pairwise(points):
            score = 1 / (1 + 10 ** (-(rating(high) - rating(low)) / 400))
            spans.append((low, high, Match(MADE.levels[1], MADE.levels[0], score + 0.01 * (number - 1), 0.02, 2000)))
    curve = fitted_curve(spans)
    assert [strength for strength, _ in curve] == sorted({point for points in rounds for point in points})
    assert all(found == pytest.approx(rating(strength), abs=30) for strength, found in curve)
    assert [found for _, found in curve] == sorted(found for _, found in curve)


def test_levels_of_a_known_curve_are_at_even_distances(monkeypatch):
    """A pretended series: the simulations tell the strength from 0 to 1, and no bot scores more than 0.9."""

    def rating(spec):
        simulations = re.search(r"simulations=(\d+)", spec)
        strength = 0.0 if simulations is None else (int(simulations[1]) - 10) / 10_000
        return -200 if simulations is None else 1500 * strength * (1.6 - 0.6 * strength)

    class Pretended:
        def __init__(self, *_):
            pass

        def play(self, of):
            won = round(10_000 * min(0.9, score_of_elo(rating(of.bots[0]) - rating(of.bots[1]))))
            blocks = pair_blocks(0, 1, {(1.0, 1.0): won, (0.0, 0.0): 10_000 - won})
            return SimpleNamespace(tally=SimpleNamespace(blocks=blocks, known=20_000))

    monkeypatch.setattr(calibration, "Series", Pretended)
    monkeypatch.setattr(
        calibration, "setting_at", lambda game, strength, top: Setting("mcts", 10 + round(10_000 * strength), 0.0, 0.05)
    )
    found = calibrate(Calibration("points_ttt"), None, executor="threads")
    even = [125 * level for level in range(10)]
    assert [rating(level.spec) for level in found.table.levels] == pytest.approx(even, abs=12)
    assert found.table.elo == pytest.approx(even, abs=12)
    assert [score for score, _ in found.table.scores] == pytest.approx([score_of_elo(125)] * 9, abs=0.015)
    assert [score for score, _ in found.table.ends] == pytest.approx([score_of_elo(200), 0.9], abs=1e-3)
    assert even_step(found.table) == pytest.approx(score_of_elo(125), abs=0.015)
    assert found.curve[1][0] < 0.2  # a score near 1 says little: a point was put between 0 and 0.2
    assert all(
        rating(f"simulations={10 + round(10_000 * at)}") == pytest.approx(elo, abs=20) for at, elo in found.curve
    )


def test_the_elo_of_a_match_is_finite():
    one = MADE.levels[0]
    assert Match(one, one, 1.0, 0.0, 10).elo == pytest.approx(400 * math.log10(21))
    assert Match(one, one, 0.5, 0.0, 10).elo == pytest.approx(0.0)


@pytest.mark.long
def test_a_calibration_is_resumed_and_is_a_function_of_its_description():
    description = Calibration("points_ttt", games=6, simulations=1000, seed=2)
    played = []
    with Store(TEMPORARY) as store:
        first = calibrate(description, store, executor="threads", on_games=played.append)
        again = calibrate(description, store, executor="threads")
    assert first == again
    assert sum(played) == sum(match.games for match in first.matches)
    assert len(first.table.levels) == NUM_LEVELS
    assert first.table.levels[-1] == setting_at(POINTS, 1.0, 1000)
    assert read_tables(write_tables({"points_ttt": first.table}), "x") == {"points_ttt": first.table}


def test_the_command_writes_a_table_and_keeps_others(playout, tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(write_tables({"mnk": MADE}))
    words = ["calibrate", "points_ttt", "--games", "4", "--simulations", "1000"]
    words += ["--executor", "threads", "--db", "games.db"]
    found = playout(*words, "-o", str(path))
    assert found.status == 0, found.err
    assert "Levels of points_ttt" in found.out
    again = json.loads(playout(*words, "--json").out)
    assert again["elo"] == list(read_tables(path.read_text(), "x")["points_ttt"].elo)
    assert set(read_tables(path.read_text(), "x")) == {"mnk", "points_ttt"}

    kept = playout(*words[:-2], "--no-db", "--seed", "5", "--keep", "-o", str(path))
    assert kept.status == 0, kept.err
    found = read_tables(path.read_text(), "x")["points_ttt"]
    assert [level["error_rate"] for level in again["levels"]] == [level.error_rate for level in found.levels]
    assert (found.seed, again["seed"]) == (5, 0)

    shipped = playout("calibrate", "hexapawn", "--games", "4", "--keep", "--no-db", "--executor", "threads", "--json")
    found = json.loads(shipped.out)
    assert [level["sight"] for level in found["levels"]] == [
        setting.sight for setting in table_for(mcts.load_game("hexapawn")).levels
    ]


def test_a_small_range_has_few_even_levels(monkeypatch):
    wide, narrow, drawn = (replace(MADE, elo=tuple(step * level for level in range(10))) for step in (80.0, 16.0, 0.0))
    assert [even_levels(table) for table in (wide, narrow, drawn)] == [10, 3, 1]
    assert even_step(narrow) == pytest.approx(1 / (1 + 10 ** (-16 / 400)))
    for table, offered in (
        (wide, list(range(1, 11))),
        (narrow, [1, 5, 10]),
        (drawn, [1]),
        (replace(wide, elo=()), list(range(1, 11))),
    ):
        monkeypatch.setattr(levels, "shipped_tables", lambda table=table: {POINTS.spec: table})
        assert offered_levels(POINTS) == offered


@pytest.mark.parametrize("spec", sorted(levels.shipped_tables()))
def test_the_steps_of_shipped_tables(spec):
    """Each step is between the least of the even step and 60 %, and 80 %, within its error.

    Steps of levels that search with a net of the package have no upper limit: nothing in between is as even.
    """
    table = levels.shipped_tables()[spec]
    game = mcts.load_game(spec)
    assert game.spec == spec
    has_net = chosen_net(game, None) is not None and game.is_enumerable
    most = [1.0 if has_net and level.proofs else 0.8 for level in table.levels[1:]]
    assert list(table.elo) == sorted(table.elo)
    # Of nine intervals of 95 %, one may miss: the factor makes that of all of them about 95 %.
    least = min(GOOD_STEP, even_step(table))
    rows = zip(table.scores, most, strict=True)
    assert all(least - 1.4 * error <= score <= highest + error for (score, error), highest in rows)


NEAR_ENDS = ["connect_four", "mnk(m=5,n=5,k=4)", "mnk(m=7,n=7,k=5)", "breakthrough", "gomoku_9x9", "tic_tac_chec"]
"""Games for whose levels people's sight is asked."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["mnk", "points_ttt", "mnk(m=5,n=5,k=4)", "three_player_ttt"])
@pytest.mark.parametrize("level", [3, 7])
def test_a_level_beats_the_one_below(spec, level):
    """Matches of other seeds than those of the table: 300 games have an error of about 5 %."""
    least = min(GOOD_STEP, even_step(table_for(mcts.load_game(spec))))
    bots_of_match = [f"level({level})", f"level({level - 1})"]
    with bots.arena.run(bots.arena.describe(spec, bots_of_match, games=300, seed=1), executor="threads") as result:
        score = result.pairings[0].results.score
    assert least - 0.08 < score < 0.88


@pytest.mark.long
@pytest.mark.parametrize("spec", NEAR_ENDS[:2])
@pytest.mark.parametrize("level", range(2, NUM_LEVELS + 1))
def test_steps_are_even(spec, level):
    """Matches of other seeds than those of the table: 400 games have an error of 5 %."""
    two = [f"level({level})", f"level({level - 1})"]
    with bots.arena.run(bots.arena.describe(spec, two, games=400, seed=2), executor="threads") as result:
        assert 0.57 - 0.05 < result.pairings[0].results.score < 0.76 + 0.05


@pytest.mark.long
@pytest.mark.parametrize("level", [1, 4, 8])
def test_games_of_a_level_differ(level):
    games = set()
    for seed in range(100):
        with bots.Match("connect_four", dict.fromkeys(("red", "yellow"), f"level({level})"), seed=seed) as match:
            games.add(str(match.go_on()))
    assert len(games) >= 95


class Endless(mcts.PythonGame):
    """A game in turns that is never over."""

    name = "endless"
    players = ("first", "second")
    num_actions = 2
    min_utility, max_utility, utility_sum = 0.0, 100.0, 100.0

    def initial_state(self):
        return 0

    def acting_players(self, state):
        return state % 2

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return state + 1

    def returns(self, state):
        return [50.0, 50.0]


def test_a_game_without_an_end_has_levels():
    assert len(table_for(Endless()).levels) == NUM_LEVELS


class Slow(Endless):
    """Eight steps, each of which takes two milliseconds."""

    name = "slow"

    def acting_players(self, state):
        return state % 2 if state < 8 else ()

    def next_state(self, state, joint):
        let_pass(0.002)
        return state + 1


def test_the_levels_of_a_slow_game_answer_soon():
    """A simulation takes a step at least, so that a second has at most 500 of them."""
    game = Slow()
    for level in (6, 8, 10):
        bot = bots.load_bot(f"level({level})")
        bot.new_game(game, 0, 1)
        bot.choose(game.new_initial_state().view(0))
        assert 0 < bot.search_info.simulations <= 500 * levels.MOST_SECONDS + 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", NEAR_ENDS)
def test_levels_overlook_little_that_shows_at_once(spec):
    """People of that strength see what is in front of them: the first level often, the third nearly always."""
    game = mcts.load_game(spec)
    cases = near_ends(game, 40)

    def shares(level):
        bot = bots.load_bot(f"level({level})")
        found = []
        for positions in cases:
            total = 0.0
            for number, (state, good) in enumerate(positions):
                (player,) = state.acting_players()
                bot.new_game(game, player, number)
                strategy = bot.strategy(state.view(player), samples=20)
                total += sum(strategy.get(action, 0.0) for action in good)
            found.append(total / len(positions))
        return found

    wins, blocks = shares(1)
    assert 0.7 <= wins <= 0.9
    assert 0.35 <= blocks <= 0.65
    wins, blocks = shares(3)
    assert wins >= 0.95
    assert blocks >= 0.85
