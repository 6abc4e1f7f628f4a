"""Failure policies: their texts, and tournaments that forfeit, replay or stop."""

import pickle

import pytest

import bots
import mcts
from bots import errors
from bots.arena.runner import run_tournament
from bots.arena.tournament.failure_policy import (
    ABORT,
    DEFAULT_POLICIES,
    FORFEIT,
    REPLAY,
    FailurePolicies,
    FailurePolicy,
    parse_policies,
)
from bots.arena.tournament.schedule import Tournament
from bots.errors import KINDS, BotFailureError


def tournament(bot, policies="", rounds=1, deadline=60.0):
    return Tournament("mnk", 2, ("random", bot), rounds, 1, (), deadline, parse_policies(policies))


def test_every_kind_of_failure_has_a_policy():
    for kind in KINDS:
        assert DEFAULT_POLICIES.of(kind) in (FailurePolicy(), FailurePolicy(REPLAY, 1))
    assert DEFAULT_POLICIES.of(errors.DEATH) == FailurePolicy(REPLAY, 1)
    assert parse_policies("") == DEFAULT_POLICIES
    assert str(DEFAULT_POLICIES) == ""


@pytest.mark.parametrize("text", ["crash=replay", "crash=replay:3,stall=abort", "death=forfeit,memory=abort"])
def test_policies_have_a_text(text):
    assert str(parse_policies(text)) == text


def test_texts_of_policies_are_parsed():
    found = parse_policies(" illegal = abort, late=replay:2 ,unreadable=replay,crash=forfeit")
    assert found == FailurePolicies(
        illegal=FailurePolicy(ABORT),
        late=FailurePolicy(REPLAY, 2),
        unreadable=FailurePolicy(REPLAY, 1),
        crash=FailurePolicy(),
    )
    assert found.of(errors.ILLEGAL) == FailurePolicy(ABORT)


@pytest.mark.parametrize(
    "text",
    ["crash", "crash=", "crash=repeat", "hang=abort", "crash=abort:2", "crash=replay:0", "crash=replay:101",
     "crash=abort,crash=abort", "crash=replay:" + "9" * 5000],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(mcts.errors.LimitError, match=text.split("=")[0]):
        parse_policies(text)


def test_the_strictest_policy_decides():
    policies = parse_policies("crash=replay:2,stall=abort")
    assert policies.verdict([errors.CRASH], 0) == REPLAY
    assert policies.verdict([errors.CRASH], 1) == REPLAY
    assert policies.verdict([errors.CRASH], 2) == FORFEIT
    assert policies.verdict([errors.ILLEGAL]) == FORFEIT
    assert policies.verdict([errors.ILLEGAL, errors.CRASH]) == REPLAY
    assert policies.verdict([errors.CRASH, errors.STALL]) == ABORT


def test_a_game_is_played_again_with_a_new_bot(tmp_path, monkeypatch):
    monkeypatch.setenv("TROUBLE_FILE", str(tmp_path / "failures"))
    outcome = run_tournament(tournament("troublesome_bots.CrasherTwice", "crash=replay:2"), 1)
    assert [record.failures for record in outcome.records] == [(), ()]
    assert (tmp_path / "failures").read_text() == "failed\nfailed\n"


def test_a_game_is_not_played_again_for_ever(tmp_path, monkeypatch):
    monkeypatch.setenv("TROUBLE_FILE", str(tmp_path / "failures"))
    outcome = run_tournament(tournament("troublesome_bots.CrasherTwice", "crash=replay"), 1)
    assert [len(record.failures) for record in outcome.records] == [1, 0]


@pytest.mark.parametrize(
    ("bot", "cause", "words"),
    [
        ("troublesome_bots.Crasher", "crash", "no idea what to do"),
        ("troublesome_bots.Hanger", "stall", "no answer within 2 s"),
        ("troublesome_bots.Killer", "death", "process died"),
    ],
)
def test_a_tournament_stops_where_the_policy_says_so(bot, cause, words):
    kept = []
    with pytest.raises(bots.BotError, match=f"stopped in game \\d.*'{cause}' is abort: {bot}.*{words}"):
        run_tournament(tournament(bot, f"{cause}=abort", 10, 2.0), 2, lambda records, tally: kept.extend(records))
    assert any(record.failures for record in kept)


def test_stalls_and_deaths_are_played_again_as_often_as_allowed(tmp_path, monkeypatch):
    monkeypatch.setenv("TROUBLE_FILE", str(tmp_path / "killed"))
    outcome = run_tournament(tournament("troublesome_bots.KillerOnce", "death=forfeit"), 1)
    assert [[f.kind for f in record.failures] for record in outcome.records] == [["death"], []]


def test_a_bot_may_name_its_kind_of_failure():
    outcome = run_tournament(tournament("troublesome_bots.Confessor"), 1)
    for record in outcome.records:
        (failure,) = record.failures
        assert (failure.kind, failure.message, failure.log) == (errors.MEMORY, "too much", "line\n")


def test_errors_of_bots_travel_between_processes():
    error = pickle.loads(pickle.dumps(BotFailureError(errors.LATE, "too late", "log")))
    assert (error.kind, str(error), error.log) == (errors.LATE, "too late", "log")


@pytest.mark.parametrize(
    ("action", "times"), [(float("nan"), 0), ("repeat", 0), ("replay", 0), ("abort", 1), ("forfeit", None)]
)
def test_a_policy_is_checked(action, times):
    with pytest.raises(mcts.errors.LimitError, match="valid"):
        FailurePolicy(action, times)
