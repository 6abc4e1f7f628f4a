"""Commands with junk arguments: a documented status, at most one line of error, and no traceback."""

import random

import pytest

from bots.benchmark.machine import describe_machine
from bots.commands import bench
from bots.commands.application import COMMANDS, load_command
from bots.system.exit_status import FAILED, USAGE_ERROR

JUNK = [
    "", " ", "-", "--", "-1", "0", "1", "nan", "inf", "-inf", "1e999", "0.5", "9" * 20, "9" * 5000, "1_000",
    "\u0661", "\x00", "a\x00b", "\udcff", "\ud800x", "[red]x[/x]", "[/]", "\x1b[31m", "a\nb", "{", "[]", "null",
    '{"board": 1}', "(", "mnk(", "mnk(m=" + "9" * 5000 + ")", "mnk(m=\x00)", "mnk:m=\udcff", "mnk(" * 500,
    "mcts(simulations=nan)", "mcts(exploration=nan)", "mcts(seconds=-1)", "os.path", "os.nosuch(x=1)", ".", "..",
    "a.b.c", "/", "/nonexistent/x/y.svg", "mnk", "bidding_3d_ttt", "random", "greedy", "=", "random=",
    "random=1e999", "1:simulations=0", "0:", "crash=replay:0", "0,5,model=x", "0,5,alpha=2", "9" * 300 + "+1",
]  # fmt: skip
SMALL = {
    "arena": ["mnk", "random", "greedy", "--games", "1", "--executor", "threads", "--no-db"],
    "search": ["mnk", "--simulations", "5"],
    "solve": ["mnk"],
    "regret": ["mnk", "random", "--states", "1", "--below", "0"],
    "play": ["mnk", "--bot", "random"],
    "ugi": ["mnk", "random"],
    "bench": ["--seconds", "0.01"],
}
"""Arguments with which a command ends soon."""
LONG_WITHOUT_ARGUMENTS = {"bench"}
LASTING = {"serve": ["--host", "256.1.1.1"], "ggp": ["--host", "256.1.1.1"]}
"""Commands that would not end by themselves, with arguments that are refused."""
SLOW = {"arena": 8, "calibrate": 8, "ggp": 8, "regret": 8, "tune": 8, "bench": 4}
"""Texts per option in the long test, for commands that take seconds."""
UNBOUNDED = {"--games", "--rounds", "--states", "--simulations", "--seconds", "--workers", "--deadline"}
"""Options for which a large value is valid and slow."""


def options_of(entry):
    """Names of the options of a command, and whether each takes a value."""
    for parameter in load_command(entry).params:
        for name in parameter.opts:
            if name.startswith("--") and name != "--help":
                yield name, not getattr(parameter, "is_flag", False)


def lines_of(entry, samples):
    """Junk for every option beside good arguments, and junk in place of the arguments: `samples` texts of each."""
    if entry.name in LASTING:
        yield from ([*line, *LASTING[entry.name]] for line in lines_beside(entry, samples, []))
        return
    yield from lines_beside(entry, samples, SMALL.get(entry.name, []))


def lines_beside(entry, samples, good):
    """The same beside given arguments."""
    rng = random.Random(entry.name)
    if entry.name not in LONG_WITHOUT_ARGUMENTS:
        yield []
    yield ["--nosuch"]
    yield ["-x"]
    for name, takes_value in options_of(entry):
        if not takes_value:
            yield [*good, f"{name}=x"]
            continue
        yield [*good, name]
        for junk in rng.sample(JUNK, samples):
            if not (name in UNBOUNDED and junk.lstrip("-").isdecimal() and len(junk) > 1):
                yield [*good, name, junk]
    for _ in range(samples * 4):
        yield [rng.choice(JUNK) for _ in range(rng.randrange(1, 4))]
    for i in range(len(good)):
        for junk in rng.sample(JUNK, samples):
            if good[i - 1] not in UNBOUNDED:
                yield [*good[:i], junk, *good[i + 1 :]]


def check(result, arguments):
    """Assert that a command has ended as documented."""
    told = f"{arguments!r:.300}\n{result.err[-2000:]}"
    assert result.status in (0, FAILED, USAGE_ERROR), told
    assert "Traceback" not in result.err + result.out, told
    assert all(letter.isprintable() or letter == "\n" for letter in result.err), told
    if result.status:
        assert result.out == "" or arguments[0] == "play", told
        last = result.err.splitlines()[-1]
        assert last.startswith("playout: "), told
        assert len(last) < 3000, told
        if arguments[0] != "arena":  # which may have told of its progress
            assert result.err.count("\n") == 1, told


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch):
    """Let `bench` find a machine that is not busy, of which it would tell."""
    monkeypatch.setattr(bench, "describe_machine", lambda: {**describe_machine(), "load": 0.0})
    monkeypatch.setattr(bench, "NOISE", 1e9)


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_junk_is_refused_in_one_line(playout, entry, monkeypatch):
    workloads = [workload for workload in bench.all_workloads() if workload.name == "playouts/mnk(m=3,n=3,k=3)"]
    monkeypatch.setattr(bench, "all_workloads", lambda: workloads)
    for arguments in lines_of(entry, 1):
        check(playout(entry.name, *arguments), [entry.name, *arguments])


@pytest.mark.long
@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_kind_of_junk_is_refused_in_one_line(playout, entry):
    for arguments in lines_of(entry, SLOW.get(entry.name, len(JUNK))):
        check(playout(entry.name, *arguments), [entry.name, *arguments])


def test_junk_before_the_command_is_refused_in_one_line(playout):
    for junk in JUNK:
        check(playout(junk), [junk])
        check(playout(junk, "games"), [junk])
        check(playout("--version", junk), [junk])


def test_a_file_that_is_no_database_is_refused_in_one_line(playout, tmp_path):
    contents = {"empty": b"", "text": b"hello", "zeros": bytes(5000), "json": b"{}"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        for command in ("ratings", "report", "replay"):
            arguments = [command, name, *(["1"] if command == "replay" else [])]
            result = playout(*arguments)
            check(result, arguments)
            assert result.status == USAGE_ERROR
