"""A bot behind the protocol and an engine before it: the messages, and play that is the same as without."""

import json
import math
import sys

import pytest
from engine_games import process_of
from support import HELPERS, environment
from waiting import HANG_SECONDS

import bots
import mcts
from bots.arena.play.match import play_game
from bots.arena.records import ScheduledGame
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import NO_BOT_LIMIT, BotLimit
from bots.arena.tournament.schedule import Tournament
from bots.clocks import decision_limit
from bots.steps import apply_step
from mcts.seeds import seed_for

LIMIT = BotLimit(simulations=40)
MOCK = f"ugi(command=\"{sys.executable} -I -S '{HELPERS / 'mock_engine.py'}' random\",start_seconds={HANG_SECONDS})"
"""An engine that starts fast, for tests of what it is sent."""
TURNS, SIMULTANEOUS, HIDDEN, THREE = "points_ttt", "bidding_ttt", "bidding_3d_ttt", "three_player_ttt"


def engine(bot, game="mnk"):
    """The spec of this project's own engine. It plays any game that the bot can play: it is told as an option."""
    command = f"{sys.executable} -P -m bots.cli ugi '{game}' '{bot}'"
    return f'ugi(command="{command}",start_seconds={HANG_SECONDS})'


started = {}
"""Spec -> bots with engines, which the tests of this module share."""


def seats_of(specs):
    """Return a bot for each seat; engines may have played before."""
    seated = []
    for spec in specs:
        known = started.setdefault(spec, []) if spec.startswith("ugi(") else []
        unused = [bot for bot in known if bot not in seated]
        if not unused:
            unused.append(bots.load_bot(spec))
            known.append(unused[0])
        seated.append(unused[0])
    return seated


def played(game_name, specs, limits=None, number=0):
    """The record of a game, and what each engine was sent in it."""
    game = mcts.load_game(game_name)
    seated = seats_of(specs)
    scheduled = ScheduledGame(number, 0, tuple(range(len(specs))), seed_for(7, number))
    record = play_game(
        game, seated.__getitem__, scheduled, limits or [LIMIT] * len(specs), HANG_SECONDS, lambda seat: None
    )
    return record, [sent(bot).rpartition("> uginewgame")[2] for bot in seated]


def sent(bot):
    """Return what the engine of a bot was sent in all games; an empty text if it has none."""
    return process_of(bot).log if bot.name == "ugi" else ""


def lines(log, begin):
    return [line[2:] for line in log.splitlines() if line.startswith(f"> {begin}")]


def searcher(game):
    return "mcts(solver=false)" if mcts.load_game(game).is_enumerable else "double_oracle"


@pytest.fixture(autouse=True)
def _engines_find_the_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


@pytest.fixture(autouse=True, scope="module")
def _engines_end():
    yield
    while started:
        for bot in started.popitem()[1]:
            bot.close()


class Half(bots.Bot):
    """Plays as another bot whose seed is what an engine is told."""

    PARAMETERS = {}  # noqa: RUF012

    def __init__(self):
        super().__init__()
        self.other = None

    def new_game(self, game, player, seed):
        self.other = bots.load_bot(searcher(game.spec))
        self.other.new_game(game, player, seed >> 1)

    def choose(self, view, limit=None):
        return self.other.choose(view, limit)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("game", "seat"), [(TURNS, 1), (SIMULTANEOUS, 0), (HIDDEN, 1), (THREE, 2)])
def test_a_bot_behind_the_protocol_plays_move_for_move_as_without(game, seat):
    seats = ["greedy"] * mcts.load_game(game).num_players
    seats[seat] = engine(searcher(game), game if game == HIDDEN else "mnk")
    record, _ = played(game, seats)
    assert record.failures == ()
    seats[seat] = "test_ugi_bot.Half"
    assert record == played(game, seats)[0]


def test_an_engine_of_a_game_in_turns_gets_only_plain_ugi():
    own = engine(searcher("mnk"))
    record, (_, log) = played("mnk", ["random", own])
    moves = record.moves.split()
    assert lines(log, "position")[0] == f"position startpos moves {moves[0]}"
    assert set(lines(log, "go")) == {"go nodes 40"}
    assert lines(sent(started[own][0]), "setoption name game")[-1] == "setoption name game value mnk(m=3,n=3,k=3)"


def test_an_engine_gets_its_seat_and_joint_actions_where_all_decide():
    record, (log, _) = played("tic_block", [engine(searcher("tic_block")), "random"])
    assert record.failures == ()
    assert set(lines(log, "go")) == {"go seat 1 nodes 40"}
    assert " reset|reset mark(" in lines(log, "position")[-1]


def test_an_engine_sees_only_its_view_where_something_is_hidden():
    record, (_, log) = played(HIDDEN, ["random", engine("double_oracle", HIDDEN)])
    assert record.failures == ()
    positions = lines(log, "position")
    assert len(positions) == record.plies
    assert all(position.startswith('position view {"round":') for position in positions)
    assert '"chips":[null,' in positions[0]
    assert set(lines(log, "go")) == {"go seat 2 nodes 40"}


@pytest.mark.long
def test_three_engines_at_one_table():
    record, logs = played(THREE, [engine("mcts"), engine("greedy"), "random"])
    assert record.failures == ()
    assert [set(lines(log, "go")) for log in logs] == [{"go seat 1 nodes 40"}, {"go seat 2 nodes 40"}, set()]


def test_limits_and_clocks_are_sent_in_milliseconds():
    limits = [BotLimit(clock_seconds=800, increment_seconds=400), BotLimit(seconds=0.05, clock_seconds=900)]
    record, (log, _) = played("mnk", [MOCK, "random"], limits)
    assert record.failures == ()
    first, second, *_ = (line.split() for line in lines(log, "go"))
    assert first == ["go", "p1time", "800000", "p1inc", "400000", "p2time", "900000", "p2inc", "0"]
    assert 1_200_000 - 1000 * HANG_SECONDS < int(second[2]) < 1_200_000
    _, (_, log) = played("mnk", ["random", MOCK], [NO_BOT_LIMIT, BotLimit(seconds=0.05)])
    assert set(lines(log, "go")) == {"go movetime 50"}


def test_all_engines_of_a_simultaneous_decision_get_the_same_clocks():
    limits = [BotLimit(clock_seconds=HANG_SECONDS, increment_seconds=0.1, simulations=2000)] * 2
    engines = [engine(searcher(SIMULTANEOUS))] * 2
    record, logs = played(SIMULTANEOUS, engines, limits)
    assert record.failures == ()
    state = mcts.load_game(SIMULTANEOUS).new_initial_state()
    told = [lines(log, "go") for log in logs]
    steps = [0, 0]
    simultaneous = 0
    for step in record.moves.split():
        acting = state.acting_players()
        goes = [told[player][steps[player]] for player in acting]
        clocks = {go.split("p1time")[1] for go in goes}
        assert len(clocks) == 1, goes
        simultaneous += len(acting) == 2
        for player in acting:
            steps[player] += 1
        apply_step(state, step)
    assert simultaneous >= 3
    assert len({go.split("p1time")[1] for go in told[0]}) > 1  # the clocks run


class Sharer(bots.Bot):
    """Takes no time, and notes how much a search would take."""

    shares = ()

    def choose(self, view, limit=None):
        self.shares = (*self.shares, decision_limit(view, limit, {}).seconds)
        return view.legal_actions()[0]


def test_an_engine_with_a_clock_does_not_lose_on_time(start_server):
    server = start_server("mnk(m=5,n=5,k=4)", Sharer())
    remaining, steps = 600, []
    while server.ask("position startpos" + " moves " * bool(steps) + " ".join(steps), "query gameover")[-4:] != "true":
        steps.append(server.move(f"go p1time {remaining} p1inc 20 p2time {remaining} p2inc 20")[0])
        if len(steps) % 2:
            remaining += 20 - math.ceil(1000 * server.server.bot.shares[-1])
            assert remaining > 20
    assert len(steps) >= 8
    assert remaining < 400


def test_a_bot_without_the_transcript_sends_the_view():
    game = mcts.load_game("mnk")
    (bot,) = seats_of([engine(searcher("mnk"))])
    state = game.new_initial_state()
    state.apply_action(4)

    def position():
        assert state.is_legal(1, bot.choose(state.view(1), mcts.Limit(simulations=40)))
        return lines(sent(bot), "position")[-1]

    for _ in range(2):
        assert json.loads(position().removeprefix("position view ")) == state.view(1).to_dict()
    bot.new_game(game, 1, 0)
    bot.inform("mark(2,2)")
    assert position() == "position startpos moves mark(2,2)"
    bot.inform("no step at all")
    assert position().startswith("position view ")


@pytest.mark.long
def test_a_tournament_with_an_engine_does_not_depend_on_the_workers():
    of = Tournament(SIMULTANEOUS, 2, (engine("mcts"), "random"), 2, 3, (LIMIT,))
    one = run_tournament(of, 1)
    assert not any(record.failures for record in one.records)
    assert run_tournament(of, 2).records == one.records


@pytest.mark.long
def test_the_arena_plays_engines_from_the_command_line(playout):
    command = ["arena", HIDDEN, "random", engine("double_oracle", HIDDEN), "--games", "2", "--simulations", "50"]
    command += ["--deadline", str(HANG_SECONDS)]
    data = json.loads(playout(*command, "--workers", "1", "--json").out)
    assert data["games"] == 2
    assert data["failures"] == []
    assert {bot["bot"].split("(")[0] for bot in data["bots"]} == {"random", "ugi"}
