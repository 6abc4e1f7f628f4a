"""Errors of the code of a game: the game is named, not a bot, if play without bots repeats them."""

import re

import faulty_games
import pytest
from faulty_games import FAULTY, RARE, Pretender, Saboteur, Sound
from support import VARIANTS, random_path

import bots
import mcts
from bots.arena.description import describe
from bots.arena.runner import run_tournament
from bots.errors import CRASH, BotFailureError, GameFaultError
from bots.game.faults import fault_of
from bots.system.untrusted import failure_of

AHEAD = "mcts(simulations=400)"


def path_of(kind):
    """Return the path by which a class is loaded."""
    return f"{kind.__module__}.{kind.__qualname__}"


def played(kind, *names, executor="processes", games=300):
    """Return the outcome of a tournament."""
    return run_tournament(describe(path_of(kind), names, games=games), executor=executor)


def line_of(kind, word):
    """Return the number of the first line of a class that contains a text."""
    with open(faulty_games.__file__) as file:
        lines = file.read().splitlines()
    start = lines.index(next(line for line in lines if line.startswith(f"class {kind.__name__}(")))
    return next(number for number, line in enumerate(lines[start:], start + 1) if word in line)


@pytest.mark.parametrize("executor", ["processes", "threads", "isolated"])
@pytest.mark.parametrize("kind", FAULTY)
def test_a_fault_of_the_game_ends_the_tournament_and_names_its_line(kind, executor):
    word = {"stuck": "def legal_actions", "ends": "def returns", "wordless": "return {0"}.get(kind.name, "raise ")
    line = line_of(kind if kind.name != "secret" else faulty_games.Raises, word)
    ahead = "ismcts(simulations=400)" if issubclass(kind, faulty_games.Secret) else AHEAD
    with pytest.raises(GameFaultError, match=rf"{path_of(kind)} fails .* \(faulty_games.py:{line}\)") as error:
        played(kind, ahead, "random", executor=executor)
    assert "nothing is rated" in str(error.value)


@pytest.mark.parametrize("kind", FAULTY)
def test_bots_that_do_not_think_ahead_meet_it_too(kind):
    with pytest.raises(GameFaultError, match="nothing is rated, as no bot is to blame"):
        played(kind, "random", "random", games=2000)


@pytest.mark.parametrize("kind", [*FAULTY[:3]])
def test_a_fault_after_a_position_is_found(kind):
    start = mcts.load_game(path_of(kind)).state_from_dict({"chosen": list(RARE[:3])})
    with pytest.raises(BotFailureError, match=rf"{path_of(kind)} fails without any bot, after the joint actions \["):
        bots.Match(start.game, {"second": AHEAD}, start=start).close()


def test_commands_name_the_line_and_fail(playout):
    for words in (("search", "--simulations", "2000"), ("arena", AHEAD, "random", "--games", "300", "--no-db")):
        command, *rest = words
        done = playout(command, path_of(faulty_games.Raises), *rest)
        assert done.status == 2
        assert f"KeyError: 'forgotten' (faulty_games.py:{line_of(faulty_games.Raises, 'raise ')})" in done.err
        done = playout(command, path_of(faulty_games.Stuck), *rest)
        assert (done.status, "legal_actions of stuck is empty" in done.err) == (2, True)
        assert f"(faulty_games.py:{line_of(faulty_games.Stuck, 'def legal')})" in done.err


@pytest.mark.parametrize("executor", ["processes", "threads", "isolated"])
def test_no_bot_can_blame_a_game_that_is_sound(executor):
    found = played(Sound, path_of(Pretender), "random", executor=executor, games=20)
    assert len(found.failures) == 20
    assert all(seats[failure.seat] == 0 for _, seats, failure in found.failures)
    assert {failure.kind for _, _, failure in found.failures} == {CRASH}
    assert all(
        failure.message.startswith("RuntimeError: the game is broken (faulty_games.py:")
        for _, _, failure in found.failures
    )


def test_a_bot_that_breaks_the_game_in_its_process_is_to_blame():
    found = played(Sound, path_of(Saboteur), "random", games=4)
    assert len(found.failures) == 4 - sum(record.failures == () for record in found.records)
    assert all(seats[failure.seat] == 0 for _, seats, failure in found.failures)


@pytest.mark.parametrize("spec", VARIANTS)
def test_no_game_of_this_project_has_a_fault(spec):
    path = random_path(mcts.load_game(spec), 3)
    assert fault_of(path[:: max(1, len(path) // 6)], ()) is None
    if path[0].game.is_enumerable:
        assert fault_of(path[:1], tuple(path[-1].history())) is None


@pytest.mark.parametrize("steps", [(), ((0, -1),), ((0, -1), (-1, 1), (3, -1)), ((0, 1),), ((0, -1, 2),)])
def test_a_sound_game_has_no_fault(steps):
    start = Sound().new_initial_state()
    assert fault_of([start], steps) is None
    assert start == Sound().new_initial_state()


def test_the_first_start_from_which_the_steps_lead_to_the_fault_shows_it():
    game = faulty_games.Raises()
    begin, later = game.new_initial_state(), game.new_initial_state()
    for action in RARE[:2]:
        later.apply_action(action)
    steps = ((0, -1), (-1, 2), (1, -1))
    assert fault_of([begin], steps) is None
    fault = fault_of([begin, later], steps)
    assert re.search(
        r"fails without any bot, after .*\(-1, 2\)\]: KeyError: 'forgotten' \(faulty_games.py:\d+\)$", str(fault)
    )
    assert failure_of(fault).kind == CRASH
