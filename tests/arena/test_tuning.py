"""Tuning: methods on a synthetic noisy objective, spaces, studies that are interrupted and killed, and the command."""

import json
import math
import random
import signal
import sqlite3
import subprocess
import sys

import pytest
from support import environment
from waiting import HANG_SECONDS, wait_until

import mcts
from bots import load_bot
from bots.arena.store.store import TEMPORARY, Store
from bots.studies.tuning.methods import method_names, new_method
from bots.studies.tuning.report import study_dict
from bots.studies.tuning.space import Options, Range, Space, parse_space
from bots.studies.tuning.study import Study, run_study

MNK = mcts.load_game("mnk")
SPACE = Space(
    load_bot("mcts"),
    {"exploration": 1.4, "batch_size": 40, "final": "visits"},
    (Range("exploration", 0.05, 2.0, False, True), Range("batch_size", 1, 50, True, False)),
    (Options("final", ("visits", "value", "lcb")),),
)


def elo_of(setting):
    """The synthetic objective; its best setting has 60."""
    exploration, batch_size = (part.unit(setting[part.name]) for part in SPACE.ranges)
    words = {"visits": 0, "value": 60, "lcb": -50}
    return -700 * (exploration - 0.45) ** 2 - 200 * (batch_size - 0.3) ** 2 + words[setting["final"]]


def optimised(name, iterations, seed):
    """The best setting after matches of twenty games whose results are drawn."""
    method, drawn = new_method(name, SPACE, iterations, seed), random.Random(seed)
    for _ in range(iterations):
        first, second = method.ask()
        chance = 1 / (1 + 10 ** ((elo_of(second) - elo_of(first)) / 400))
        method.tell(sum(1 if drawn.random() < chance else -1 for _ in range(20)) / 20)
    return method.best()


def method_or_skip(name):
    if name == "tpe":
        pytest.importorskip("optuna")
    return name


@pytest.mark.parametrize("name", method_names())
def test_a_noisy_objective_finds_its_optimum(name):
    found = [elo_of(optimised(method_or_skip(name), 100, seed)) for seed in range(3)]
    assert elo_of(SPACE.start) < -190
    assert sum(found) / 3 > 25
    assert min(found) > -60


@pytest.mark.parametrize("name", method_names())
def test_equal_seeds_ask_for_equal_settings(name):
    assert optimised(method_or_skip(name), 30, 3) == optimised(name, 30, 3)
    assert optimised(name, 30, 3) != optimised(name, 30, 4)


def space_of(text, bot="mcts", game=MNK):
    return parse_space(text, load_bot(bot), game)


def test_a_space_has_ranges_and_options():
    space = space_of("exploration=0.05..2:log, selection=ucb1|grave,threads=1..3,solver,final")
    assert space.ranges == (Range("exploration", 0.05, 2.0, False, True), Range("threads", 1, 3, True, False))
    assert space.options[0] == Options("selection", ("ucb1", "grave"))
    assert space.options[1] == Options("solver", (False, True))
    assert space.options[2].values == ("visits", "value", "lcb", "mixed")
    assert space_of(space.text).text == space.text
    assert space.start["exploration"] == 0.4
    assert space.spec(space.start) == "mcts"
    assert load_bot(space.spec({**space.start, "exploration": 0.5})).parameters["exploration"] == 0.5


def test_a_name_alone_has_values_around_that_of_the_bot():
    space = space_of("exploration,simulations,transpositions", "mcts(simulations=100)")
    exploration, simulations = space.ranges
    assert exploration.log
    assert math.isclose(exploration.unit(space.start["exploration"]), 0.5)
    assert (simulations.low, simulations.high, simulations.whole) == (13, 800, True)
    assert space.start["transpositions"] is True  # a default that depends on the game
    assert space.options == (Options("transpositions", (False, True)),)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("log", [False, True])
def test_units_and_values_agree(whole, log):
    part = Range("x", 1, 200, whole, log)
    for step in range(101):
        value = part.value(step / 100)
        assert 1 <= value <= 200
        assert part.value(part.unit(value)) == value
        least = part.least_step(step / 100)
        if whole and least < step / 100 < 1 - least:
            assert part.value(step / 100 + least) > part.value(step / 100 - least)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "valid: name=LOW..HIGH"),
        ("explore", "valid: simulations, seconds"),
        ("exploration,exploration", "given twice"),
        ("exploration=2..1", "LOW below HIGH"),
        ("exploration=0..1:log", "begins above 0"),
        ("exploration=0.1..300", "valid: 0 to 100"),
        ("exploration=0.5..2", "begins at exploration=0.4"),
        ("exploration=a..b", "is not a number"),
        ("threads=1.5..3", "is not a whole number"),
        ("selection=ucb1|best", "valid: "),
        ("selection=ucb1", "two or more different values"),
        ("selection=grave|puct", "begins at selection=ucb1"),
        ("seconds", "valid: a range"),
        ("solver=yes|no", "valid: true, false"),
    ],
)
def test_a_bad_space_is_named_with_valid_values(text, words):
    with pytest.raises(mcts.ParameterError, match=r"--over") as error:
        space_of(text)
    assert words in str(error.value)


def test_options_that_do_not_go_together_are_found_before_the_first_game():
    space = space_of("final=visits|lcb", "mcts(early_stop=true)")
    with pytest.raises(mcts.ParameterError, match="early_stop=true does not go with final=lcb"):
        space.check(MNK)


@pytest.mark.parametrize("playout", ["playout", "playout,final,solver,early_stop,keep_tree,ponder,selection"])
def test_a_parameter_that_the_bot_does_not_read_is_found_before_the_first_game(playout):
    board = mcts.load_game("mnk(m=5,n=5,k=4)")
    space = space_of(f"exploration,{playout}", "mcts", board)
    with pytest.raises(mcts.ParameterError, match="does not go with selection=grave; valid: selection=puct or ucb1"):
        space.check(board)
    with pytest.raises(mcts.ParameterError, match="does not go with selection=grave"):
        space_of("playout", "mcts(exploration=0.4)", board)


@pytest.mark.parametrize(
    ("game", "spec", "over"),
    [
        ("mnk(m=5,n=5,k=4)", "mcts", "grave_exploration=0..1,final,selection,solver,transpositions,leaves=0..4"),
        ("mnk(m=5,n=5,k=4)", "mcts(final=value)", "grave_exploration=0..1,root_exploration=0..1,solver,final"),
        ("three_player_ttt(torus=true)", "mcts", "grave_exploration,root_exploration,final,transpositions"),
        ("points_ttt", "mcts", "exploration,final,selection,solver,transpositions"),
        ("tic_block", "mcts(exploration=0.5)", "exploration,joint_selection,solver"),
    ],
)
def test_the_search_begins_with_the_bot_that_was_given(game, spec, over):
    loaded, bot = mcts.load_game(game), load_bot(spec)
    space = parse_space(over, bot, loaded)
    assert space.spec(space.start) == bot.spec
    # Written out, the values that the space shows are those with which the bot plays.
    assert decisions(bot, loaded) == decisions(bot.changed(space.start), loaded)


def decisions(bot, game):
    """The visits of searches in a game of the bot against itself."""
    found = []
    bot.new_game(game, 0, seed=4)
    state = game.new_initial_state()
    while not state.is_terminal():
        joint = [
            bot.choose(state.view(player), mcts.Limit(simulations=60))
            if player in state.acting_players()
            else mcts.NOOP
            for player in range(game.num_players)
        ]
        found.append((joint, None if bot.search_info is None else bot.search_info.visits))
        state.apply_actions(joint)
    return found


def test_the_final_match_is_against_the_bot_that_was_given():
    board = mcts.load_game("mnk(m=5,n=5,k=4)")
    space = space_of("first_play_urgency=0.5..1.5,final=visits|value", "mcts(selection=ucb1,simulations=20)", board)
    study = small_study(game=board.spec, space=space, iterations=1, games=2, final_games=2)
    with Store(TEMPORARY) as store:
        result = run_study(study, store, executor="threads")
        late = run_study(study, store, executor="threads", seconds=0.0)
    assert result.start_spec == late.best_spec == "mcts(simulations=20,selection=ucb1)"
    assert "first_play_urgency=" in result.best_spec
    assert result.final.games == 2
    assert late.final is None
    assert study_dict(study, result)["start"] == {"first_play_urgency": None, "final": "visits"}


def small_study(**changes):
    given = {"method": "spsa", "iterations": 6, "games": 4, "final_games": 10, "opening_plies": 2, "seed": 5}
    space = space_of("simulations=2..40:log,final=visits|value", "mcts(simulations=3)")
    return Study(**{"game": "mnk", "space": space, **given, **changes})


def results(study, store, **options):
    options = {"executor": "threads", **options}
    return study_dict(study, run_study(study, store, **options))


def test_results_depend_on_the_study_alone():
    study = small_study()
    with Store(TEMPORARY) as one, Store(TEMPORARY) as other:
        found = results(study, one, workers=1)
        assert results(study, other, workers=2, executor="processes") == found
    assert found["games"] == sum(4 for i in found["iterations"] if i["first"] != i["second"]) + 10
    assert found["final"]["games"] == 10
    assert found["complete"]
    assert results(small_study(seed=6), Store(TEMPORARY)) != found


class StopError(Exception):
    pass


def test_an_interrupted_study_continues(tmp_path):
    study, path = small_study(), str(tmp_path / "tune.db")
    with Store(TEMPORARY) as store:
        expected = results(study, store)

    def stop(iteration):
        if iteration.number == 3:
            raise StopError

    with pytest.raises(StopError), Store(path) as store:
        run_study(study, store, executor="threads", on_iteration=stop)
    before = num_games(path)
    assert 0 < before < expected["games"]
    with Store(path) as store:
        assert results(study, store) == expected
    assert num_games(path) == expected["games"]
    with Store(path) as store:  # nothing is left to play
        assert results(study, store) == expected
    assert num_games(path) == expected["games"]


def num_games(path):
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


COMMAND = ["tune", "mnk:m=4,n=4,k=4", "--over", "grave_exploration=0..1", "--bot", "mcts:simulations=150"]
COMMAND += ["--games", "48", "--match", "6", "--confirm", "20", "--workers", "1", "--json"]


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_a_study_that_a_signal_ends_loses_no_game(playout, tmp_path, number):
    path = tmp_path / "tune.db"
    expected = json.loads(playout(*COMMAND, "--no-db").out)
    words = [sys.executable, "-P", "-m", "bots.cli", *COMMAND, "--db", str(path)]
    child = subprocess.Popen(
        words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: child.poll() is not None or (path.exists() and num_games(path) >= 10))
    child.send_signal(number)
    message = child.communicate(timeout=HANG_SECONDS)[1]
    if number == signal.SIGINT:
        assert child.returncode == 130
        assert f"games are stored in {path}. To continue:" in message
    assert num_games(path) >= 10
    assert json.loads(playout(*COMMAND, "--db", str(path)).out) == expected
    assert num_games(path) == expected["games"]


def test_the_command_prints_plots_and_keeps_a_budget(playout, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "tune.svg"
    over = "selection=ucb1|puct,exploration,first_play_urgency=0.2..0.9"
    words = ["tune", "points_ttt", "--over", over, "--simulations", "20", "--no-db"]
    words += ["--games", "20", "--match", "5", "--confirm", "10", "--executor", "threads", "-o", str(picture)]
    ran = playout(*words)
    assert ran.status == 0
    assert "exploration" in ran.out
    assert "new games: " in ran.out or "is the start" in ran.out
    drawn = picture.read_text()
    last = drawn.index('id="axes_3"')
    assert drawn.index("<!-- iteration -->") > last
    assert drawn.count("stroke: #1f77b4") == 3  # the best so far, once for each parameter
    assert "the time was over" in playout(*words[:-2], "--budget", "1e-9").out


def test_three_players(playout):
    words = ["tune", "three_player_ttt:torus=true", "--over", "grave_exploration", "--simulations", "5", "--no-db"]
    words += ["--games", "24", "--match", "3", "--confirm", "3", "--executor", "threads", "--json"]
    found = json.loads(playout(*words).out)
    assert found["score"] == "returns"
    final = found["final"]
    assert final["elo"]["elo"] == final["elo"]["nelo"]
    assert final["points_error"] is None  # two blocks, whose interval leaves the range of returns
    assert len(found["iterations"]) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "best"], "valid: spsa, tpe"),
        (["-o", "a.txt"], "valid: FILE.svg, FILE.png, FILE.pdf"),
        (["--budget", "0"], "valid: a number of seconds above 0"),
        (["--over", "c_puct"], "mcts has no such parameter; did you mean exploration? valid: simulations, "),
        (["--bot", "random"], "valid: none"),
        (["--simulations", "0"], "greater than or equal to 1"),
        (["--match", "0"], "greater than or equal to 1"),
        (["--executor", "moon"], "unknown executor"),
    ],
)
def test_bad_options_are_named(playout, words, message):
    ran = playout("tune", "mnk", "--over", "exploration", "--no-db", *words)
    assert ran.status == 2
    assert message in ran.err


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    sys.modules.pop("bots.studies.tuning.methods.tpe", None)
    with pytest.raises(mcts.ParameterError, match=r"pip install 'playout\[tune\]'"):
        new_method("tpe", SPACE, 10, 0)


def test_a_name_alone_stands_for_the_options_that_go_with_the_game():
    for game, values in (("mnk", ("uniform",)), ("go(size=5)", ("guided", "uniform"))):
        (part,) = parse_space("playout", load_bot("mcts"), mcts.load_game(game)).options
        assert part.values == values
    with pytest.raises(mcts.ParameterError, match="playout=guided does not go with mnk"):
        parse_space("playout=guided|uniform", load_bot("mcts"), mcts.load_game("mnk")).check(mcts.load_game("mnk"))
