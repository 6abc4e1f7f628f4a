"""The commands that show what is stored: `report` and `ratings`."""

import pytest
from page_reader import Page

from bots.cli import main


def run_main(monkeypatch, *arguments):
    """The exit status of the command."""
    monkeypatch.setattr("sys.argv", ["playout", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit_info:
        main()
    return exit_info.value.code or 0


def test_the_commands_show_what_is_stored(tmp_path, monkeypatch, capsys):
    db, page = tmp_path / "a.db", tmp_path / "a.html"
    bots = ("random", "greedy", "mcts:simulations=20")
    options = ("--games", 6, "--opening-plies", 2, "--workers", 1, "--db", db)
    assert run_main(monkeypatch, "arena", "points_ttt", *bots, *options) == 0
    capsys.readouterr()
    assert run_main(monkeypatch, "report", db, "-o", page) == 0
    assert "18 games" in capsys.readouterr().out
    shown = Page(page.read_text(encoding="utf-8"))
    assert "2 random steps" in shown.text
    assert len(shown.data["games"]) == 18
    assert run_main(monkeypatch, "report", db, "-o", page, "--anchor", "random=1000") == 0
    assert "The anchored bots fix the scale." in Page(page.read_text(encoding="utf-8")).text
    assert run_main(monkeypatch, "report", db, "-o", page, "--anchor", "nobody=1000") == 2
    assert run_main(monkeypatch, "ratings", db) == 0
    out = capsys.readouterr().out
    assert "Won/drawn/lost in whole blocks" in out
    assert "Likelihood that the row is better" in out
    assert run_main(monkeypatch, "report", db, "-o", tmp_path / "no" / "a.html") == 2
    assert "cannot write" in capsys.readouterr().err
    assert run_main(monkeypatch, "report", tmp_path / "no.db") == 2
    assert "there is no file" in capsys.readouterr().err
