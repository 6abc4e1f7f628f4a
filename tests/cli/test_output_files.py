"""Options that write a file: `-` is standard output, and a file that cannot be written is refused at once."""

import json

import pytest

ARENA = ["arena", "mnk", "random", "greedy", "--games", "2", "--executor", "threads"]


def test_a_dash_is_standard_output_for_every_option_that_writes_a_file(playout):
    result = playout(*ARENA, "--json", "-")
    assert json.loads(result.out)["games"] == 2
    page = playout("report", "-o", "-")
    assert page.out.startswith("<!DOCTYPE html>")
    assert page.out.rstrip().endswith("</html>")
    assert "2 games" in page.err
    tree = playout("search", "mnk", "--simulations", "20", "--dot", "-")
    assert tree.out.startswith("digraph")
    assert "simulations" in tree.err
    pytest.importorskip("matplotlib")
    plot = playout("regret", "mnk", "mcts", "--simulations", "10", "--states", "2", "--plot", "-")
    assert plot.status == 0
    assert plot.out.startswith("<?xml")


def test_two_outputs_do_not_share_standard_output(playout):
    result = playout("search", "mnk", "--simulations", "20", "--dot", "-", "--json")
    assert (result.status, result.out) == (2, "")
    assert "--json and --dot cannot both" in result.err


def test_text_is_utf8_whatever_the_locale(playout, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("LC_ALL", "C")
    playout(*ARENA)
    assert playout("report", "-o", "page.html").status == 0
    assert "±" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        [*ARENA, "--games", "100000000", "--json"],
        ["report", "-o"],
        ["search", "mnk", "--simulations", "1000000000", "--dot"],
        ["regret", "mnk", "mcts", "--plot"],
    ],
    ids=["arena", "report", "search", "regret"],
)
@pytest.mark.parametrize("target", ["no/such/folder/x.svg", "."])
def test_a_file_that_cannot_be_written_is_one_line_before_the_work(playout, command, target):
    if command[0] == "report":
        playout(*ARENA)
    if command[0] == "regret" and target == ".":
        target = "folder.svg/"
    result = playout(*command, target)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert result.err.startswith("playout: ")


def test_a_full_device_is_one_line(playout):
    playout(*ARENA)
    result = playout("report", "-o", "/dev/full")
    assert result.status == 2
    assert result.err == "playout: cannot write '/dev/full': No space left on device\n"
