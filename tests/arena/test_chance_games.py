"""Arena, bots and protocol in games in which chance decides: the referee draws, records and replays the outcomes."""

import random
import sys
from collections import Counter

import pytest
from support import random_joint
from test_match import played

import bots
import mcts
from bots import Bot
from bots.arena.store.replay import replayed
from bots.arena.tournament.openings import Openings, make_book, start_state
from bots.clocks import decisions_left
from bots.engines.server.ugi import UgiServer
from bots.steps import apply_step, is_in_turns, read_step, sample_joint_action, step_text

THREADS = ("--executor", "threads")
DICE = "dice_ttt"


class Leftmost(Bot):
    """Takes the first legal action, and notes the steps that it is told."""

    NAME = "leftmost"
    SUMMARY = "for tests"

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.told = []

    def inform(self, step):
        self.told.append(step)

    def choose(self, view, limit=None):
        assert not view.is_chance()
        return view.legal_actions()[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_record_has_the_outcomes_and_replays(seed):
    mine = [Leftmost(), Leftmost()]
    record = played(DICE, mine, seed)
    steps = record.moves.split()
    assert record.failures == ()
    assert record.plies == len(steps)
    assert [step.startswith("throw(") for step in steps] == [number % 2 == 0 for number in range(len(steps))]
    assert [bot.told for bot in mine] == [steps, steps]
    *_, last = replayed(mcts.load_game(DICE), (), record.moves)
    assert last.state.is_terminal()
    assert tuple(last.state.returns()) == record.returns
    assert last.state.history()[0] == (mcts.NOOP, mcts.NOOP, int(steps[0][6]) - 1)


def test_outcomes_depend_on_the_seed_alone():
    assert played(DICE, ["random", "random"], 3) == played(DICE, ["random", "random"], 3)
    first = Counter(played(DICE, ["random", "mcts"], seed).moves.split()[0] for seed in range(60))
    assert first == Counter(played(DICE, [Leftmost(), Leftmost()], seed).moves.split()[0] for seed in range(60))
    assert set(first) == {"throw(1)", "throw(2)", "throw(3)"}


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts", "exact"])
def test_every_bot_plays(bot):
    spec = "chance_games.Weather" if bot in ("greedy", "mcts") else DICE
    for game in {spec, DICE}:
        record = played(game, [bot, "random"])
        assert record.failures == ()


def test_the_greedy_bot_weighs_the_next_throw():
    state = mcts.load_game(DICE).state_from_dict({"board": "oo..x...x", "row": 1, "to_move": "x"})
    bot = bots.load_bot("greedy")
    bot.new_game(state.game, 0, 1)
    assert state.action_to_string(0, bot.choose(state.view(0))) == "mark(1,3)"


def test_openings_contain_outcomes():
    game = mcts.load_game(DICE)
    book = make_book(game, Openings(plies=3), 1)
    found = {book.opening(cycle) for cycle in range(10)}
    assert len(found) > 3
    for opening in found:
        assert [step[:5] for step in opening] == ["throw", "mark(", "throw"]
        assert start_state(game, opening).acting_players() == (1,)
    record = played(DICE, ["random", "random"], opening=("throw(2)", "mark(2,2)"))
    assert record.failures == ()
    assert record.moves.startswith("throw(")


def test_steps():
    state = mcts.load_game(DICE).new_initial_state()
    joint = sample_joint_action(state, 5)
    assert read_step(state, step_text(state, (), joint)) == joint == sample_joint_action(state, 5)
    for wrong in ("mark(1,1)", "throw(4)", "throw(1)|noop", ""):
        with pytest.raises(mcts.IllegalActionError):
            apply_step(state, wrong)
    apply_step(state, "throw(1)")
    with pytest.raises(mcts.IllegalActionError):
        apply_step(state, "throw(1)")
    assert is_in_turns(state.game)
    assert not is_in_turns(mcts.load_game("chance_games.Weather"))
    assert 3 <= decisions_left(state.view(0)) <= 5


def told(*lines, game=DICE, bot="mcts(simulations=50)"):
    """Return the answers of a server to some lines."""
    answers = []
    UgiServer(mcts.load_game(game), bots.load_bot(bot), answers.append, 1).serve(iter(f"{line}\n" for line in lines))
    return [line for line in answers if not line.startswith("info nodes")]


def test_a_runner_draws_the_outcomes_of_an_engine():
    start = ["position startpos"]
    queries = ["query acting", "query gameover", "query outcomes", "query result"]
    assert told(*start, *queries) == [
        "response chance", "response false", "response throw(1) 3 throw(2) 3 throw(3) 3", "response none",
    ]  # fmt: skip
    assert told(*start, "go") == [
        "info string error chance decides here; valid: a position in which a player decides", "bestmove none",
    ]  # fmt: skip
    moved = ["position startpos moves throw(2)"]
    assert told(*moved, *queries) == ["response 1", "response false", "response none", "response none"]
    (answer,) = told(*moved, "go")
    assert answer.startswith("bestmove mark(2,")


def test_the_principal_variation_of_an_engine_replays():
    lines = []
    server = UgiServer(mcts.load_game(DICE), bots.load_bot("mcts(simulations=3000)"), lines.append, 1)
    server.serve(iter(["position startpos moves throw(2)\n", "go\n"]))
    (line,) = [line for line in lines if " pv " in line][-1:]
    state = mcts.load_game(DICE).new_initial_state().child(1)
    for step in line.split(" pv ")[1].split():
        apply_step(state, step)
    assert len(state.history()) > 3


def test_the_arena_plays_an_engine():
    command = f"{sys.executable} -P -m bots.cli ugi {DICE} random"
    record = played(DICE, [f'ugi(command="{command}")', "random"])
    assert record.failures == ()
    state = mcts.load_game(DICE).new_initial_state()
    for step in record.moves.split():
        apply_step(state, step)
    assert state.is_terminal()


def test_a_tournament_is_stored_and_written(tmp_path, playout):
    stored = str(tmp_path / "games.db")
    assert playout("arena", DICE, "random", "greedy", *THREADS, "--games", "6", "--db", stored).status == 0
    done = playout("records", stored, "-o", "-.pgn")
    assert done.status == 0, done.err
    assert done.out.count("{1. throw(") == 6
    assert "throw(" in playout("replay", stored, "2").out


def test_a_person_sees_the_outcomes(playout):
    done = playout("play", DICE, "--bot", "random", "--seed", "3", stdin="0\nquit\n")
    assert "The die shows " in done.out


def test_random_joint_actions_of_the_helpers_are_legal():
    state = mcts.load_game(DICE).new_initial_state()
    while not state.is_terminal():
        state.apply_actions(random_joint(state, random.Random(1)))
