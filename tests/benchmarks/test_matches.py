"""Matches against OpenSpiel: its rules, its engine, failures that end a match, and results."""

import sys
from types import SimpleNamespace

import pytest
from sampling import sweep
from support import HELPERS

import mcts
from bench.matches import __main__ as command
from bench.matches import match as matches
from bench.matches.match import MATCHES, Match, Reference, RulesDifferError, play
from bench.pages import sections
from bench.peers.environments import NoPeerError, default_folder, interpreter_with
from bench.peers.peer import load_adapter
from bots.benchmark.result_file import Result, ResultFile, parse_results

SPECS = sorted({match.spec for match in MATCHES})
TINY = Match("mnk(m=3,n=3,k=3)", "simulations=20", 4)
WRONG = """
import sys
for line in sys.stdin:
    if line.startswith("query"):
        print("response 100 100", flush=True)
"""


@pytest.fixture(scope="module")
def openspiel():
    try:
        return interpreter_with(load_adapter("openspiel").REQUIREMENTS, default_folder())
    except NoPeerError as reason:
        pytest.skip(f"OpenSpiel cannot be installed here: {reason}")


@pytest.mark.long
@pytest.mark.parametrize("spec", [*SPECS, "mnk(m=4,n=3,k=3)"])
def test_both_have_the_same_rules(openspiel, spec):
    game = mcts.load_game(spec)
    with Reference(openspiel, spec) as reference:
        for seed in range(100):
            state, moves = game.new_initial_state(), []
            while True:
                over = state.is_terminal()
                legal = [] if over else [state.action_to_string(0, action) for action in state.legal_actions()]
                assert reference.ask(moves, "actions") == (" ".join(legal) or "none")
                assert reference.ask(moves, "gameover") == str(over).lower()
                if over:
                    break
                action = state.sample_action(state.current_player(), 100 * seed + len(moves))
                moves.append(state.action_to_string(state.current_player(), action))
                state.apply_action(action)
            assert [float(value) for value in reference.ask(moves, "returns").split()] == list(state.returns())


@pytest.mark.long
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["mark(2,2)", "mark(2,2)"], "action 'mark(2,2)' is illegal"),
        (["mark(4,1)"], "action 'mark(4,1)' is illegal"),
        (["mark(1,4)"], "action 'mark(1,4)' is illegal"),
        (["pass"], "action 'pass' is illegal"),
    ],
)
def test_openspiel_refuses_what_is_illegal(openspiel, moves, words):
    with Reference(openspiel, TINY.spec) as reference, pytest.raises(RulesDifferError) as error:
        reference.ask(moves, "gameover")
    assert words in str(error.value)


@pytest.mark.long
@pytest.mark.parametrize("limit", ["seconds=0.01", "simulations=50"])
def test_a_match_is_played_checked_and_counted(openspiel, limit):
    result = play(Match("mnk(m=3,n=3,k=3)", limit, 4), openspiel, 2)
    assert result.name == f"matches/mnk(m=3,n=3,k=3), {limit}"
    assert sum(result.values[name] for name in ("wins", "draws", "losses")) == result.values["games"] == 4
    assert result.values["our_milliseconds"] > 0
    assert result.values["their_milliseconds"] > 0


@pytest.mark.long
def test_the_same_seed_gives_the_same_games(openspiel):
    played = [play(Match("mnk(m=5,n=5,k=4)", "simulations=30", 4), openspiel, 2) for _ in range(2)]
    names = ("wins", "draws", "losses", "elo")
    assert [played[0].values[name] for name in names] == [played[1].values[name] for name in names]


@sweep("mode", ["illegal", "nonsense", "dies_in_a_move"], 1)
def test_any_failure_of_an_engine_ends_the_match(monkeypatch, mode):
    engine = [sys.executable, str(HELPERS / "mock_engine.py"), mode]
    monkeypatch.setattr(matches, "engine_command", lambda python: engine)
    with pytest.raises(mcts.PlayoutError, match="OpenSpiel"):
        play(TINY, sys.executable, 1)


def test_other_returns_or_a_dead_engine_after_the_games_are_an_error(monkeypatch):
    game = SimpleNamespace(
        record=SimpleNamespace(
            opening=("mark(1,1)", "mark(2,1)"), moves="mark(1,2) mark(2,2) mark(1,3)", returns=(100.0, 0.0)
        )
    )
    monkeypatch.setattr(matches, "engine_command", lambda python: [sys.executable, "-c", WRONG])
    with pytest.raises(RulesDifferError, match=r"mark\(1,1\) .* are 100 0, OpenSpiel's are 100 100"):
        matches.check_returns(TINY.spec, [game], sys.executable)
    monkeypatch.setattr(matches, "engine_command", lambda python: [sys.executable, "-c", "pass"])
    with pytest.raises(RulesDifferError, match="its engine has ended"):
        matches.check_returns(TINY.spec, [game], sys.executable)


def test_the_time_of_a_decision_is_a_mean_over_the_decisions_of_each_bot():
    def game(seats, plies, seconds, opening=("a", "b")):
        record = SimpleNamespace(seats=seats, plies=plies, seconds=seconds, opening=opening)
        return SimpleNamespace(record=record)

    # Bot 0 decides 3 times as the first player, then 2 times as the second one; bot 1 decides 2 and 3 times.
    games = [game((0, 1), 5, (0.3, 0.02)), game((1, 0), 5, (0.03, 0.2))]
    assert matches.decision_milliseconds(games) == pytest.approx([100.0, 10.0])
    assert matches.decision_milliseconds(
        [game((0, 1), 1, (0.0, 0.5), ("a",)), game((1, 0), 1, (0.0, 0.1), ("a",))]
    ) == [pytest.approx(100.0), pytest.approx(500.0)]


def test_results_are_shown_with_their_interval():
    values = {"elo": 200.4, "low": 150.0, "games": 8, "wins": 6, "draws": 1, "losses": 1}
    values |= {"our_milliseconds": 9.5, "their_milliseconds": 10.123}
    labels = {"limit": "seconds=0.01", "opponent": "MCTSBot of open_spiel==2.0.2"}
    one = Result("matches/mnk(m=5,n=5,k=4), seconds=0.01", values=values, labels=labels)
    two = Result(
        "matches/mnk(m=5,n=5,k=4), simulations=1000",
        values={**values, "low": -10, "high": 410},
        labels={**labels, "limit": "simulations=1000"},
    )
    text = sections.matches(parse_results(ResultFile("command", {}, (one, two)).to_json()))
    assert "Elo of Playout against MCTSBot of open_spiel==2.0.2" in text
    assert "| `mnk(m=5,n=5,k=4)` | 10 ms | +200 (+150 to ∞) | 6 / 1 / 1 | 9.50 | 10.1 |" in text
    assert "| `mnk(m=5,n=5,k=4)` | 1,000 simulations | +200 (-10 to +410) |" in text


@pytest.mark.parametrize("option", ["--games", "--workers"])
def test_bad_numbers_are_named(monkeypatch, capsys, option):
    monkeypatch.setattr(sys, "argv", ["python -m bench.matches", option, "0"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    assert f"{option} is 0; valid: at least 1" in capsys.readouterr().err
