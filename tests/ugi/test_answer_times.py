"""Deadlines of engines, computed and kept on a clock that the test moves; the engine is a script."""

import pytest
from waiting import Clock

import bots
import mcts
from bots import errors
from bots.clocks import ClockFace, TurnLimit
from bots.engines import bot as engine_bot
from bots.engines import client, uci
from bots.engines.process import SilenceError
from bots.engines.ugi import UgiClient
from bots.players.ugi import UgiBot

STOP_SECONDS = 2.0
GAME = mcts.load_game("mnk")


class ScriptedProcess:
    """An engine whose answers come after given times: {first word of a command: [(seconds, line), ...]}."""

    def __init__(self, clock, script):
        self.clock, self.script = clock, {"ugi": [(0, "ugiok")], "isready": [(0, "readyok")], **script}
        self.coming, self.sent = [], []
        self.latest, self.log, self.has_ended = None, "", False

    def send(self, line, deadline):
        self.sent.append((self.clock.now, line, deadline))
        for seconds, answer in self.script.get(line.split()[0], ()):
            self.coming.append((self.clock.now + seconds, answer))

    def send_at_once(self, line):
        self.send(line, None)

    def read_line(self, deadline):
        end = deadline if self.latest is None else min(deadline, self.latest)
        time, line = min(self.coming, default=(end + 1, ""))
        self.clock.now = max(self.clock.now, min(time, end))
        if time > end:
            raise SilenceError("it does not answer", self.log)
        if callable(line):
            self.coming.remove((time, line))
            line()
            return self.read_line(deadline)
        self.coming.remove((time, line))
        return line

    def limit_memory(self, memory_mb):
        self.memory_mb = memory_mb

    def close(self, *_):
        pass

    def times_of(self, word):
        return [at for at, line, _ in self.sent if line == word]


@pytest.fixture
def clock(monkeypatch):
    clock = Clock(0.0)
    for module in (uci, engine_bot):
        monkeypatch.setattr(module, "time", clock.module)
    return clock


@pytest.fixture
def start(clock, monkeypatch):
    """Starts clients of scripts."""

    def start(**script):
        process = ScriptedProcess(clock, script)
        monkeypatch.setattr(client, "EngineProcess", lambda *_: process)
        return UgiClient(["engine"], "", None, 10.0)

    return start


def times(deadline=10.0, by_clock=False, stop_at=None):
    return client.AnswerTimes(deadline, by_clock, STOP_SECONDS, stop_at)


def asked(engine, limits):
    return engine.decide(GAME.new_initial_state().view(0), [], mcts.Limit(), TurnLimit(), limits)


@pytest.mark.parametrize(
    ("parameters", "limit", "seconds", "by_clock", "stop_after"),
    [
        ("", mcts.Limit(), 60, False, 30),
        ("", mcts.Limit(simulations=5), 60, False, None),
        ("", mcts.Limit(seconds=5), 60, False, None),
        (",simulations=5", mcts.Limit(), 60, False, None),
        (",seconds=5", mcts.Limit(), 60, False, None),
        ("", TurnLimit(deadline_seconds=8), 8, False, 4),
        ("", TurnLimit(clocks=(ClockFace(3), None), deadline_seconds=8), 3, True, None),
        ("", TurnLimit(clocks=(ClockFace(9), None), deadline_seconds=8), 8, False, None),
        ("", TurnLimit(clocks=(None, ClockFace(3)), deadline_seconds=8), 8, False, 4),
        ("", TurnLimit(clocks=(ClockFace(3), ClockFace(2))), 3, True, None),
        ("", TurnLimit(clocks=(ClockFace(3, margin_seconds=0.5), ClockFace(2))), 3.5, True, None),
    ],
)
def test_the_deadline_of_a_decision_is_the_earlier_end_of_clock_and_limit(
    clock, start, monkeypatch, parameters, limit, seconds, by_clock, stop_after
):
    engine = start(go=[(0, "bestmove mark(1,1)")])
    given = []
    monkeypatch.setattr(UgiBot, "CLIENT", lambda *_: engine)
    monkeypatch.setattr(engine, "decide", lambda *words: given.append(words[-1]) or "mark(1,1)")
    bot = bots.load_bot(f'ugi(command="engine",stop_seconds=2{parameters})')
    bot.new_game(GAME, 0, 1)
    clock.now = 100.0
    bot.choose(GAME.new_initial_state().view(0), limit)
    stop_at = None if stop_after is None else 100 + stop_after
    assert given == [client.AnswerTimes(100 + seconds, by_clock, STOP_SECONDS, stop_at)]


def test_the_limit_of_a_game_holds_at_the_start_and_where_a_decision_has_none(clock, start, monkeypatch):
    engine, deadlines = start(go=[(0, "bestmove mark(1,1)")]), []
    monkeypatch.setattr(UgiBot, "CLIENT", lambda *words: deadlines.append(words[-1]) or engine)
    bot = bots.load_bot('ugi(command="engine",start_seconds=20,memory_mb=50)')
    clock.now = 100.0
    for limit, seconds, memory_mb in [
        (TurnLimit(), 20, 50),
        (TurnLimit(deadline_seconds=30, memory_mb=70), 20, 50),
        (TurnLimit(deadline_seconds=5, memory_mb=40), 5, 40),
    ]:
        bot.close()
        bot.set_limit(limit)
        bot.new_game(GAME, 0, 1)
        assert deadlines[-1] == 100 + seconds
        assert {deadline for _, line, deadline in engine.process.sent if line == "uginewgame"} >= {100 + seconds}
        assert engine.process.memory_mb == memory_mb
    bot.choose(GAME.new_initial_state().view(0), mcts.Limit(simulations=1))
    assert engine.process.memory_mb == 50
    bot.choose(GAME.new_initial_state().view(0), TurnLimit(seconds=4e-4, clocks=(ClockFace(1.0, 4e-4), ClockFace(0.0))))
    assert [(line, deadline) for _, line, deadline in engine.process.sent if line.startswith("go")] == [
        ("go nodes 1", 105), ("go movetime 1 p1time 1000 p1inc 1 p2time 0 p2inc 0", 101),
    ]  # fmt: skip


def test_an_engine_past_its_clock_is_not_waited_for(clock, start):
    engine = start(go=[(10.25, "bestmove a")], stop=[(1, "bestmove a")])
    with pytest.raises(errors.BotFailureError, match="its clock ran out: no answer within 10 s") as failure:
        asked(engine, times(by_clock=True))
    assert failure.value.kind == errors.LATE
    assert clock.now == 10
    assert engine.process.times_of("stop") == []


@pytest.mark.parametrize(
    ("answer", "by_clock", "noise", "kind", "now"),
    [
        (2.0, False, False, errors.LATE, 12),
        (2.5, False, False, errors.STALL, 12),
        (2.0, False, True, errors.LATE, 12),
        (2.5, False, True, errors.UNREADABLE, 12),
        (2.5, True, True, errors.UNREADABLE, 12),
        (2.0, True, True, errors.LATE, 12),
    ],
)
def test_a_late_engine_has_its_time_to_obey_stop(clock, start, answer, by_clock, noise, kind, now):
    lines = [(1, "first noise"), (2, "second noise")] if noise else []
    engine = start(go=lines, stop=[(answer, "bestmove a")])
    with pytest.raises(errors.BotFailureError) as failure:
        asked(engine, times(by_clock=by_clock))
    assert (failure.value.kind, clock.now) == (kind, now)
    assert engine.process.times_of("stop") == [10]
    assert ("first noise" in str(failure.value)) == (kind == errors.UNREADABLE)


@pytest.mark.parametrize(("stop_at", "sent"), [(4.0, [4]), (10.0, [10]), (None, [])])
def test_an_engine_without_a_limit_is_asked_for_its_move(clock, start, stop_at, sent):
    engine = start(go=[] if sent else [(5, "bestmove a")], stop=[(0, "bestmove a")])
    assert asked(engine, times(stop_at=stop_at)) == "a"
    assert engine.process.times_of("stop") == sent


def test_an_engine_is_not_waited_for_until_a_stop_after_the_deadline(clock, start):
    engine = start(go=[(13, "bestmove a")])
    with pytest.raises(errors.BotFailureError, match="nor after stop"):
        asked(engine, times(stop_at=15.0))
    assert clock.now == 12


@pytest.mark.parametrize("by_clock", [False, True])
def test_an_engine_that_does_not_obey_a_stop_from_outside_has_stalled(clock, start, by_clock):
    engine = start()
    engine.process.script["go"] = [(3, engine.stop), (4, engine.stop)]
    with pytest.raises(errors.BotFailureError) as failure:
        asked(engine, times(by_clock=by_clock))
    assert failure.value.kind == errors.STALL
    assert engine.process.times_of("stop") == [3, 5]
    engine.stop()  # without effect: no search runs
    engine.process.script["go"] = [(4, "bestmove b")]
    engine.process.coming.clear()
    clock.now = 100.0
    assert asked(engine, times(110.0)) == "b"
    assert len(engine.process.times_of("stop")) == 2


def test_nothing_of_a_decision_is_left_in_the_next_one(clock, start, monkeypatch):
    engine = start(
        go=[
            (0, "info score cp 30"), (0.1, "info nodes 5"), (0.2, "info string error no idea"), (0.3, "noise"),
            (0.4, "bestmove mark(1,1)"),
        ]
    )  # fmt: skip
    monkeypatch.setattr(UgiBot, "CLIENT", lambda *_: engine)
    bot, view = bots.load_bot('ugi(command="engine")'), GAME.new_initial_state().view(0)
    bot.choose(view)
    assert (engine.score, engine.error_text()) == (30, "; the engine says: no idea")
    assert bot.expected_return(0) == 65
    engine.process.script["go"] = [(0, "bestmove mark(1,2)")]
    bot.choose(view)
    assert (engine.score, engine.error_text(), bot.expected_return(0)) == (None, "", None)
    engine.process.script["go"] = []
    with pytest.raises(errors.BotFailureError, match="nor after stop") as failure:
        bot.choose(view)
    assert failure.value.kind == errors.STALL


def test_an_engine_has_to_be_ready_before_a_game(clock, start):
    engine = start()
    engine.process.script["isready"] = [(10.5, "readyok")]
    with pytest.raises(errors.BotFailureError, match="no readyok in time"):
        engine.new_game(GAME, {}, 10.0)
    assert clock.now == 10


def test_a_move_before_the_question_is_refused(clock, start):
    engine = start(go=[(0, "bestmove a"), (0, "bestmove b")])
    assert asked(engine, times()) == "a"
    with pytest.raises(errors.BotFailureError, match="'bestmove b' without being asked") as failure:
        engine.synchronise(20.0)
    assert failure.value.kind == errors.UNREADABLE
