"""Limits of bots: their texts, clocks, loss on time, and a search that shares out its clock."""

import json
from collections import Counter
from itertools import islice, product

import pytest
from waiting import Clock as MovedClock
from waiting import no_hang

import bots
import mcts
from bots import Bot, errors
from bots.arena.play.match import play_game
from bots.arena.records import GameRecord, ScheduledGame
from bots.arena.results.queries import report_of_tally
from bots.arena.results.tally import Tally
from bots.arena.store.store import TEMPORARY, Store
from bots.arena.tournament.limits import NO_BOT_LIMIT, BotLimit, Clock, limits_of_bots, parse_bot_limit
from bots.arena.tournament.schedule import Tournament
from bots.clocks import NUM_SAMPLE_GAMES, ClockFace, TurnLimit, clock_share, decision_limit, decisions_left
from mcts.random_steps import random_game
from mcts.registry import native_games


def played(game_name, specs, limits, deadline=60.0):
    game = mcts.load_game(game_name)
    found = [spec if isinstance(spec, Bot) else bots.load_bot(spec) for spec in specs]
    scheduled = ScheduledGame(0, 0, tuple(range(len(specs))), 1)
    return play_game(game, found.__getitem__, scheduled, limits, deadline, lambda seat: None)


class Slow(Bot):
    """Moves a clock in every decision, and keeps the limits that it was told."""

    def __init__(self, clock, seconds, later=None):
        super().__init__()
        self.clock, self.seconds, self.later = clock, seconds, later
        self.limits = []

    def set_limit(self, limit):
        self.told = limit

    def choose(self, view, limit=None):
        self.clock.now += self.seconds if not self.limits or self.later is None else self.later
        self.limits.append(limit)
        return view.legal_actions()[0]


@pytest.fixture
def clock(monkeypatch):
    """The clock by which the time of decisions is measured."""
    clock = MovedClock()
    monkeypatch.setattr("bots.arena.play.match.monotonic", clock)
    return clock


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", NO_BOT_LIMIT),
        ("simulations=1000", BotLimit(simulations=1000)),
        ("seconds=0.5,memory_mb=64", BotLimit(seconds=0.5, memory_mb=64)),
        ("clock=10", BotLimit(clock_seconds=10)),
        ("simulations=7,clock=10.25+0.1", BotLimit(simulations=7, clock_seconds=10.25, increment_seconds=0.1)),
        ("clock=1234567.0625e-1", BotLimit(clock_seconds=123456.70625)),
        ("seconds=0.5,depth=12", BotLimit(seconds=0.5, depth=12)),
        ("seconds=0.5,margin=0.25", BotLimit(seconds=0.5, margin_seconds=0.25)),
        (
            "clock=40/60+0.5,margin=0.25",
            BotLimit(clock_seconds=60, increment_seconds=0.5, clock_moves=40, margin_seconds=0.25),
        ),
    ],
)
def test_a_limit_has_a_text_and_plain_data(text, limit):
    assert parse_bot_limit(text) == limit
    assert parse_bot_limit(str(limit)) == limit
    assert BotLimit(**json.loads(json.dumps(limit.to_dict()))) == limit


@pytest.mark.parametrize(
    "text",
    [
        "simulations", "simulations=0", "simulations=x", "simulations=1,simulations=2", "seconds=-1", "seconds=nan",
        "clock=0", "clock=inf", "clock=1+", "clock=+1", "clock=1+x", "clock=1,clock=2", "memory_mb=0",
        "clock_seconds=4", "depth=0", "plies=3",
        "clock=0/60", "clock=/60", "clock=40/", "clock=4.5/60", "clock=1/2/3", "margin=1",
    ],
)  # fmt: skip
def test_other_texts_are_refused_and_shown(text):
    with pytest.raises(mcts.errors.LimitError, match=text.split("=")[0].split("_")[0]):
        parse_bot_limit(text)


@pytest.mark.parametrize(
    "given",
    [
        {"clock_moves": 40},
        {"increment_seconds": 1.0},
        {"increment_seconds": -1.0},
        {"clock_seconds": True},
        {"clock_seconds": "1"},
    ],
)
def test_other_values_are_refused(given):
    with pytest.raises(mcts.errors.LimitError, match=next(iter(given)).split("_")[0]):
        BotLimit(**given)


def test_bots_may_have_limits_of_their_own():
    common = BotLimit(simulations=10, clock_seconds=5, increment_seconds=1)
    found = limits_of_bots(3, common, ["2:simulations=20", "3:clock=1", "2:memory_mb=8"])
    assert [str(limit) for limit in found] == [
        "simulations=10,clock=5+1", "simulations=20,clock=5+1,memory_mb=8", "simulations=10,clock=1",
    ]  # fmt: skip
    of = Tournament("mnk", 2, ("a", "b", "c"), 1, limits=found)
    assert [of.limit_of(bot) for bot in range(3)] == list(found)
    assert Tournament("mnk", 2, ("a", "b"), 1, limits=(common,)).limit_of(1) == common
    assert Tournament("mnk", 2, ("a", "b"), 1).limit_of(1) == NO_BOT_LIMIT


@pytest.mark.parametrize(
    "text", ["simulations=20", "4:simulations=20", "0:seconds=1", "x:seconds=1", ":", "9" * 5000 + ":"]
)
def test_limits_of_bots_that_are_not_there_are_refused(text):
    with pytest.raises(mcts.errors.LimitError, match="from 1 to 3"):
        limits_of_bots(3, NO_BOT_LIMIT, [text])


def test_a_clock_of_periods_gets_its_time_again():
    clock = Clock(BotLimit(clock_seconds=60, increment_seconds=0.5, clock_moves=3))
    faces = []
    for seconds in (10, 20, 30, 40, 0):
        faces.append(clock.face())
        assert clock.spend(seconds)
    assert [(face.remaining_seconds, face.moves_to_go) for face in faces] == [
        (60, 3), (50.5, 2), (31, 1), (61.5, 3), (22, 2),
    ]  # fmt: skip
    assert Clock(BotLimit(clock_seconds=60)).face().moves_to_go is None


def test_an_overrun_within_the_margin_leaves_nothing_and_no_less():
    clock = Clock(BotLimit(clock_seconds=10, increment_seconds=1, margin_seconds=0.5))
    assert clock.spend(10.5)
    assert clock.face() == ClockFace(1, 1, margin_seconds=0.5)
    assert not clock.spend(1.6)
    assert clock.face().remaining_seconds == 0


def test_the_share_of_a_decision_ends_with_the_period():
    view = mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state().view(0)

    def share(moves):
        return decision_limit(view, TurnLimit(clocks=(ClockFace(60.0, moves_to_go=moves), None)), {}).seconds

    assert share(1) > share(2) > share(None)
    assert share(1) < 60


def test_a_clock_counts_down_and_up():
    clock = Clock(BotLimit(clock_seconds=10, increment_seconds=1))
    assert clock.face() == ClockFace(10, 1)
    assert clock.spend(4)
    assert clock.face() == ClockFace(7, 1)
    assert clock.spend(7)
    assert not clock.spend(1.5)
    assert clock.face().remaining_seconds == 0
    endless = Clock(NO_BOT_LIMIT)
    assert endless.spend(1e9)
    assert endless.face() is None


def test_a_clock_that_runs_out_is_a_failure(clock):
    slow = Slow(clock, 0.0625)
    record = played("mnk", ["random", slow], [NO_BOT_LIMIT, BotLimit(clock_seconds=0.1, simulations=3)])
    (failure,) = record.failures
    assert (failure.seat, failure.kind, failure.ply) == (1, errors.LATE, 3)
    assert "clock ran out" in failure.message
    assert record.returns == (100.0, 0.0)
    assert record.seconds == (0.0, 0.125)
    assert [limit.clock_of(1).remaining_seconds for limit in slow.limits] == [0.1, pytest.approx(0.0375)]
    assert slow.limits[0].clock_of(0) is None
    assert slow.limits[0].simulations == 3


def test_an_increment_keeps_a_clock_going(clock):
    limit = BotLimit(clock_seconds=0.1, increment_seconds=0.2)
    record = played("mnk", [Slow(clock, 0.0625), Slow(clock, 0.0625)], [limit] * 2, deadline=30)
    assert record.failures == ()
    assert sum(record.seconds) == 0.0625 * record.plies


def test_each_bot_gets_its_own_limit(clock):
    slow, other = Slow(clock, 0), Slow(clock, 0)
    played("mnk", [slow, other], [BotLimit(simulations=5), BotLimit(seconds=0.5, memory_mb=9)], deadline=7)
    assert {(limit.simulations, limit.seconds, limit.memory_mb) for limit in slow.limits} == {(5, None, None)}
    assert {(limit.simulations, limit.seconds, limit.memory_mb) for limit in other.limits} == {(None, 0.5, 9)}
    assert {limit.deadline_seconds for limit in slow.limits + other.limits} == {7}
    assert (slow.told, other.told) == (slow.limits[0], other.limits[0])
    assert slow.limits[0].clock_of(0) is None


@pytest.mark.parametrize("game", native_games())
def test_decisions_to_come_are_counted(game):
    state = mcts.load_game(game).new_initial_state()
    most = {
        "chess": 400,
        "go": 122,
        "mnk": 5,
        "dark_mnk": 17,
        "points_ttt": 60,
        "dice_ttt": 5,
        "bidding_ttt": 18,
        "tic_block": 22,
        "three_player_ttt": 9,
        "bidding_3d_ttt": 3,
        "kuhn_poker": 2,
        "leduc_poker": 4,
        "liars_dice": 7,
        "oh_hell": 5,
    }
    assert 1 <= decisions_left(state.view(0)) <= most[game]


def test_decisions_to_come_are_those_of_the_longest_of_some_random_games():
    longest = Counter()
    for state in islice(random_game(mcts.load_game("dark_mnk").new_initial_state(), 1), 7):
        player = state.acting_players()[0]
        view = state.view(player)
        games = [random_game(view.resample(number), number) for number in range(NUM_SAMPLE_GAMES)]
        counts = [sum(player in later.acting_players() for later in game) for game in games]
        assert decisions_left(view) == max(counts)
        longest[counts.index(max(counts))] += 1
    assert longest.keys() > {0, 2}


@pytest.mark.parametrize("remaining", [1e-4, 0.03, 0.2, 1.0, 60.0])
def test_a_clock_is_shared_out_without_ever_running_out(remaining):
    for increment, decisions, step in product([0.0, 0.1], [0.01, 1, 1.4, 4, 40], range(12)):
        if step == 0:
            clock = Clock(BotLimit(clock_seconds=remaining, increment_seconds=increment))
        share = clock_share(clock.face(), decisions)
        assert 0 < share < clock.face().remaining_seconds
        assert clock.spend(share)


def test_the_share_of_a_decision():
    assert clock_share(ClockFace(10.05), 4) == pytest.approx(2.0)
    assert clock_share(ClockFace(10.05, 1.0), 4) == pytest.approx(2.75)
    assert clock_share(ClockFace(0.15, 5.0), 4) == pytest.approx(0.08)
    assert clock_share(ClockFace(0.04), 4) == pytest.approx(0.004)
    assert clock_share(ClockFace(0.0, 5.0), 4) > 0


def test_a_decision_takes_the_least_of_limit_parameters_and_clock():
    view = mcts.load_game("mnk").new_initial_state().view(0)
    clocks = (ClockFace(6.05, 0.0), None)
    share = decision_limit(view, TurnLimit(clocks=clocks), {}).seconds
    assert share == pytest.approx(1.0, rel=0.3)
    assert decision_limit(view, TurnLimit(clocks=clocks), {"seconds": 0.1}).seconds == 0.1
    assert decision_limit(view, TurnLimit(clocks=clocks, simulations=9), {}).simulations == 9
    assert decision_limit(view, TurnLimit(clocks=(None, ClockFace(1.0))), {}) == mcts.Limit()
    assert decision_limit(view, mcts.Limit(seconds=3.0), {}) == mcts.Limit(seconds=3.0)


@pytest.mark.parametrize(
    ("game", "bot"),
    [  # without the solver, which ends a search when there is nothing left to find out
        ("mnk(m=5,n=5,k=4)", "mcts(solver=false)"),
        ("bidding_ttt", "mcts(solver=false)"),
        ("bidding_3d_ttt", "double_oracle"),
    ],
)
def test_searches_keep_to_their_clocks(game, bot, clock):
    class Timed(Bot):
        """Searches as the bot does, and takes the time that the search was to take, or none where it ended before."""

        def new_game(self, game, player, seed):
            self.searches = bots.load_bot(bot)
            self.searches.new_game(game, player, seed)

        def choose(self, view, limit=None):
            asked = decision_limit(view, limit, self.searches.parameters).seconds
            with no_hang():
                choice = self.searches.choose(view, limit)
            taken = 0.0 if self.searches.search_info is None else self.searches.search_info.seconds
            clock.now += asked if taken > 0.9 * asked else 0.0
            return choice

    limit = BotLimit(clock_seconds=0.2, increment_seconds=0.004)
    record = played(game, [Timed(), Timed()], [limit, limit])
    assert record.failures == ()
    for seconds in record.seconds:
        assert 0.04 < seconds < 0.2 + 0.004 * record.plies


def test_a_bot_that_takes_longer_than_its_seconds_loses_with_a_margin(clock):
    limits = [BotLimit(seconds=0.5, margin_seconds=0.25), BotLimit(seconds=0.5)]
    in_time, slow = Slow(clock, 0.75, 0.5), Slow(clock, 1.0, 0.25)
    record = played("mnk", [in_time, slow], limits)
    assert record.failures == ()
    assert record.slowest == (0.75, 1.0)
    assert {limit.deadline_seconds for limit in in_time.limits} == {0.75}
    assert {limit.deadline_seconds for limit in slow.limits} == {60}
    timed, late = BotLimit(seconds=0.5, margin_seconds=0.25, clock_seconds=30), BotLimit(seconds=8, margin_seconds=5)
    in_time, slow = Slow(clock, 0.125), Slow(clock, 1.0)
    assert played("mnk", [in_time, slow], [timed, late], deadline=10).failures == ()
    assert {limit.deadline_seconds for limit in in_time.limits} == {0.75}
    assert {limit.deadline_seconds for limit in slow.limits} == {10}
    (failure,) = played("mnk", [Slow(clock, 1.0), slow], limits).failures
    assert (failure.seat, failure.kind, failure.message) == (0, errors.LATE, "took 1 s, the deadline is 0.75 s")


@pytest.mark.parametrize(
    "limit", [NO_BOT_LIMIT, BotLimit(clock_seconds=30), BotLimit(seconds=1, margin_seconds=1), BotLimit(seconds=1)]
)
def test_a_bot_that_fails_late_has_one_failure(clock, limit):
    class Failing(Slow):
        def choose(self, view, limit=None):
            super().choose(view, limit)
            if self.later:
                raise RuntimeError("no idea")
            return 4711

    for late, kind in ((0, errors.LATE), (1, errors.CRASH)):
        record = played("mnk", [Failing(clock, 100, late), "random"], [limit, NO_BOT_LIMIT])
        assert [(failure.seat, failure.kind) for failure in record.failures] == [(0, kind)]
        assert (record.seconds, record.slowest) == ((100, 0), (100, 0))


def test_the_deadline_holds_for_every_call_of_a_bot(clock):
    class Careful(Slow):
        def new_game(self, game, player, seed):
            super().new_game(game, player, seed)
            self.clock.now += self.later

    record = played("mnk", [Careful(clock, 0, 60.5), "random"], [NO_BOT_LIMIT] * 2)
    assert [(failure.seat, failure.kind, failure.ply) for failure in record.failures] == [(0, errors.LATE, 0)]
    assert played("mnk", [Careful(clock, 0, 60), "random"], [NO_BOT_LIMIT] * 2).failures == ()


def test_the_report_tells_which_bot_takes_longer_than_its_seconds():
    def notes(limit, slow):
        of = Tournament("mnk", 2, ("random", "greedy"), 4, limits=(limit,))
        with Store(TEMPORARY) as store:
            key = store.open_tournament(of)
            tally = Tally(of)
            for number in range(of.num_games):
                seats = (0, 1) if number % 2 == 0 else (1, 0)
                slowest = tuple(slow if bot == 1 and number < 6 else 0.125 for bot in seats)
                record = GameRecord(number, number // 2, seats, number, (), (50.0, 50.0), 0, slowest=slowest)
                store.add(key, record)
                tally.add(record)
            return [note for note in report_of_tally(store, key, of, tally).notes if "longer" in note]

    told = "greedy took longer than its limit of 0.25 s for a decision in 6 of 8 games, up to 2 s: --margin S"
    (note,) = notes(BotLimit(seconds=0.25), 2.0)
    assert note.startswith(told)
    assert notes(BotLimit(seconds=0.25), 0.375) == []
    assert notes(BotLimit(seconds=0.25, margin_seconds=5.0), 2.0) == []
    assert notes(BotLimit(simulations=5), 2.0) == []
