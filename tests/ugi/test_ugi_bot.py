"""A bot behind the protocol and an engine before it: the messages, and play that is the same as without."""

import json
import math
import sys

import pytest
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


def engine(game, bot, **options):
    """The spec of this project's own engine."""
    more = "".join(f",{key}={value}" for key, value in options.items())
    command = f"{sys.executable} -P -m bots.cli ugi '{game}' '{bot}'"
    return f'ugi(command="{command}",start_seconds={HANG_SECONDS}{more})'


def played(game_name, specs, limits=None, number=0):
    """The record of a game, and the bots that played it, closed."""
    game = mcts.load_game(game_name)
    seated = [bots.load_bot(spec) for spec in specs]
    scheduled = ScheduledGame(number, 0, tuple(range(len(specs))), seed_for(7, number))
    try:
        record = play_game(
            game, seated.__getitem__, scheduled, limits or [LIMIT] * len(specs), HANG_SECONDS, lambda seat: None
        )
        return record, [bot._engine.process.log if bot.name == "ugi" else "" for bot in seated]
    finally:
        for bot in seated:
            bot.close()


def lines(log, begin):
    return [line[2:] for line in log.splitlines() if line.startswith(f"> {begin}")]


def searcher(game):
    return "mcts" if mcts.load_game(game).is_enumerable else "double_oracle"


@pytest.fixture(autouse=True)
def _engines_find_the_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


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
    seats[seat] = engine(game, searcher(game))
    record, _ = played(game, seats)
    assert record.failures == ()
    seats[seat] = "test_ugi_bot.Half"
    assert record == played(game, seats)[0]


def test_an_engine_of_a_game_in_turns_gets_only_plain_ugi():
    record, (_, log) = played("mnk", ["random", engine("mnk", "mcts")])
    moves = record.moves.split()
    assert lines(log, "position")[0] == f"position startpos moves {moves[0]}"
    assert set(lines(log, "go")) == {"go nodes 40"}
    assert lines(log, "setoption name game") == ["setoption name game value mnk(m=3,n=3,k=3)"]


def test_an_engine_gets_its_seat_and_joint_actions_where_all_decide():
    record, (log, _) = played("tic_block", [engine("mnk", "mcts"), "random"])  # the game is told as an option
    assert record.failures == ()
    assert set(lines(log, "go")) == {"go seat 1 nodes 40"}
    assert " reset|reset mark(" in lines(log, "position")[-1]


def test_an_engine_sees_only_its_view_where_something_is_hidden():
    record, (_, log) = played(HIDDEN, ["random", engine(HIDDEN, "double_oracle")])
    assert record.failures == ()
    positions = lines(log, "position")
    assert len(positions) == record.plies
    assert all(position.startswith('position view {"round":') for position in positions)
    assert '"chips":[null,' in positions[0]
    assert set(lines(log, "go")) == {"go seat 2 nodes 40"}


@pytest.mark.long
def test_three_engines_at_one_table():
    record, logs = played(THREE, [engine(THREE, "mcts"), engine(THREE, "greedy"), "random"])
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
    engines = [engine(SIMULTANEOUS, "mcts(solver=false)")] * 2
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
    bot = bots.load_bot(engine("mnk", "mcts", seconds=0.01))
    state = game.new_initial_state()
    state.apply_action(4)
    try:
        for _ in range(2):
            assert state.is_legal(1, bot.choose(state.view(1)))
            (line,) = set(lines(bot._engine.process.log, "position"))
            assert json.loads(line.removeprefix("position view ")) == state.view(1).to_dict()
        bot.new_game(game, 1, 0)
        bot.inform("mark(2,2)")
        bot.choose(state.view(1))
        assert lines(bot._engine.process.log, "position")[-1] == "position startpos moves mark(2,2)"
        bot.inform("no step at all")
        bot.choose(state.view(1))
        assert lines(bot._engine.process.log, "position")[-1].startswith("position view ")
    finally:
        bot.close()


@pytest.mark.long
def test_a_tournament_with_an_engine_does_not_depend_on_the_workers():
    of = Tournament(SIMULTANEOUS, 2, (engine(SIMULTANEOUS, "mcts"), "random"), 2, 3, (LIMIT,))
    one = run_tournament(of, 1)
    assert not any(record.failures for record in one.records)
    assert run_tournament(of, 2).records == one.records


@pytest.mark.long
def test_the_arena_plays_engines_from_the_command_line(playout):
    command = ["arena", HIDDEN, "random", engine(HIDDEN, "double_oracle"), "--games", "2", "--simulations", "50"]
    command += ["--deadline", str(HANG_SECONDS)]
    data = json.loads(playout(*command, "--workers", "1", "--json", "-").out)
    assert data["games"] == 2
    assert data["failures"] == []
    assert {bot["bot"].split("(")[0] for bot in data["bots"]} == {"random", "ugi"}
