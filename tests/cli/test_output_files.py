"""Options that write a file: `-` is standard output, and a file that cannot be written is refused at once."""

import json

import pytest

from bots.commands.application import COMMANDS, load_command

ARENA = ["arena", "mnk", "random", "greedy", "--games", "2", "--executor", "threads"]


def test_a_dash_is_standard_output_for_every_option_that_writes_a_file(playout):
    result = playout(*ARENA, "--json")
    assert json.loads(result.out)["games"] == 2
    page = playout("report", "-o", "-")
    assert page.out.startswith("<!doctype html>")
    assert page.out.rstrip().endswith("</html>")
    assert "2 games" in page.err
    tree = playout("search", "mnk", "--simulations", "20", "-o", "-.dot")
    assert tree.out.startswith("digraph")
    assert "simulations" in tree.err
    pytest.importorskip("matplotlib")
    plot = playout("regret", "mnk", "mcts", "--simulations", "10", "--states", "2", "-o", "-")
    assert plot.status == 0
    assert plot.out.startswith("<?xml")


def test_every_command_has_the_same_options_for_json_and_for_files():
    """`--json` is a flag, and written files are those of `--output` and `-o`; other files are read, or are stores."""
    options = [(entry.name, each) for entry in COMMANDS for each in load_command(entry).params]
    json_options = [(name, each) for name, each in options if "--json" in each.opts]
    assert len(json_options) > 10
    assert [name for name, each in json_options if not each.is_flag] == []
    files = {each.opts[0]: each.opts for _, each in options if each.metavar == "FILE" and each.opts[0][0] == "-"}
    assert files.pop("--output") == ["--output", "-o"]
    assert set(files) == {"--config", "--engines", "--openings", "--db", "--matches", "--compare"}
    written = {name for name, each in options if "--output" in each.opts}
    assert written >= {
        "arena",
        "bench",
        "calibrate",
        "play",
        "records",
        "regret",
        "replay",
        "report",
        "search",
        "train",
    }


def test_two_outputs_do_not_share_standard_output(playout):
    result = playout("search", "mnk", "--simulations", "20", "-o", "-.dot", "--json")
    assert (result.status, result.out) == (2, "")
    assert "--json and --output -.dot cannot both" in result.err


def test_text_is_utf8_whatever_the_locale(playout, monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("LC_ALL", "C")
    playout(*ARENA)
    assert playout("report", "-o", "page.html").status == 0
    assert "±" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        [*ARENA, "--games", "100000000", "-o"],
        ["report", "-o"],
        ["search", "mnk", "--simulations", "1000000000", "-o"],
        ["regret", "mnk", "mcts", "-o"],
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
