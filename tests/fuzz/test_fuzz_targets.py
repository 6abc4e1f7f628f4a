"""Targets of the fuzzer under hypothesis, and what they read from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import VARIANTS
from waiting import HANG_SECONDS

from cext.spec import parse_spec
from fuzz.drivers.replay import time_limit
from fuzz.games import SPECS
from fuzz.reader import Reader
from fuzz.registry import load_target, missing, target_names
from fuzz.rules import bids, boards

SLOW = {"stores": 5, "results": 10, "rulesheets": 10, "solutions": 10}
"""Examples of targets that need more than milliseconds for one."""


@pytest.mark.parametrize("name", target_names())
def test_no_input_breaks_a_target(name):
    if missing(name):
        pytest.skip(f"{name} needs the instrumented build, which make fuzz makes")
    target = load_target(name)

    # Inputs begin with one of the corpus, so that most are close to what the target reads.
    @settings(max_examples=SLOW.get(name, 20), deadline=None)
    @given(st.sampled_from([b"", *target.corpus]), st.integers(0, 40), st.binary(max_size=60), st.integers(0, 20))
    def check(start, at, inserted, removed):
        with time_limit(HANG_SECONDS):
            target.run(start[:at] + inserted + start[at + removed :])

    check()


def is_finding(target, data):
    """Return True if an input breaks a rule that a target checks."""
    try:
        target.run(data)
    except AssertionError:
        return True
    return False


def test_every_game_is_played():
    assert {parse_spec(spec)[0] for spec in SPECS} == {parse_spec(spec)[0] for spec in VARIANTS}
    assert len(SPECS) < 256


@pytest.mark.parametrize(
    ("rules", "method", "first_byte"),
    [(boards.Points, "returns", 2), (boards.ThreePlayers, "returns", 3), (bids.BiddingTtt, "after", 1),
     (bids.Bidding3d, "is_legal", 5), (boards.Dice, "returns", 16)],
)  # fmt: skip
def test_a_difference_between_the_rules_is_found(monkeypatch, rules, method, first_byte):
    right = getattr(rules, method)
    wrong = {
        "returns": lambda self, at: [50.0] * len(right(self, at)),
        "after": lambda self, at, texts: {**right(self, at, texts), "tiebreaker": "x"},
        "is_legal": lambda self, at, player, bid: right(self, at, player, bid) and sum(bid) < 2,
    }[method]
    target = load_target("games")
    inputs = [bytes([first_byte, *([step, 0] * 60)]) for step in range(8)]
    for data in inputs:
        target.run(data)
    monkeypatch.setattr(rules, method, wrong)
    assert any(is_finding(target, data) for data in inputs)


def test_a_command_without_answer_is_found(monkeypatch):
    from bots.engines.server import output

    target = load_target("ugi_server")
    target.run(b"\0\0ugi\nisready\n")
    right = output.Output.say
    monkeypatch.setattr(output.Output, "say", lambda self, line: [right(self, line) for _ in range(2)])
    with pytest.raises(AssertionError):
        target.run(b"\0\0ugi\nisready\n")


@given(st.binary(max_size=200))
def test_a_reader_has_values_for_any_bytes_and_ends(data):
    def values(reader):
        found = []
        while reader:
            found += [reader.byte(), reader.below(7), reader.flag(), reader.text(5), reader.integer(), reader.plain()]
            found.append(reader.changed({"a": [1, "x"], "b": {"c": None}}, ["other"]))
            assert 0 <= found[1] < 7
            found.append(reader.number())
        return repr(found)

    assert values(Reader(data)) == values(Reader(data))


def test_tokens_are_written_as_libfuzzer_reads_them():
    assert '"mark(1,1)"\n' in load_target("ugi_server").dictionary()
    assert '"\\x0a"\n' in load_target("ugi_server").dictionary()
    assert '"\\x22"\n' in load_target("specs").dictionary()
