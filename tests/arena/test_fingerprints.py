"""Fingerprints of the code of bots: stored with the games, and a changed bot is reported."""

import sys

import pytest

from bots.arena.fingerprints import changes, code_of
from bots.system.version import package_version

MODULE = """
from bots import Bot
class First(Bot):
    def choose(self, view, limit=None):
        return view.legal_actions()[{index}]
"""


@pytest.fixture
def own_bot(tmp_path, monkeypatch):
    """Writes the module of a bot of one's own."""
    folder = tmp_path / "own_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise SystemExit('the package was run')\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(index, name="own_fingerprinted"):
        (tmp_path / f"{name}.py").write_text(MODULE.format(index=index))
        sys.modules.pop(name, None)

    yield write
    sys.modules.pop("own_fingerprinted", None)


def test_fingerprints_are_of_the_file_and_run_no_code(own_bot, tmp_path):
    own_bot(0)
    (tmp_path / "own_package" / "bot.py").write_text("raise SystemExit('the module was run')\n")
    bots = ["random", "own_fingerprinted.First", "own_package.bot.First(a=1)", "nowhere.at_all.First", "nosuch"]
    before = code_of(bots)
    assert before[0] == package_version() != ""
    assert before[1] == "playout"
    assert len(before[2]) == len(before[3]) == 16
    assert before[4] == ""
    own_bot(-1)
    after = code_of(bots)
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, True, False, True, True, True]
    assert changes(before, after, bots) == ["the code of own_fingerprinted.First has changed"]
    assert changes(before, before, bots) == []
    assert changes(["0.0.1", *before[1:]], before, bots) == [
        f"playout 0.0.1 played them, this is playout {package_version()}"
    ]


def test_a_changed_bot_is_reported_by_ratings_and_the_arena(playout, own_bot):
    own_bot(0)
    command = ["arena", "mnk", "random", "own_fingerprinted.First", "--executor", "threads"]
    assert "code" not in playout(*command, "--games", "4").out
    assert "code" not in playout("ratings").out
    own_bot(-1)
    warning = "4 games were played with other code: the code of own_fingerprinted.First has changed"
    for shown in (playout("ratings"), playout(*command, "--games", "4"), playout(*command, "--games", "6")):
        assert warning in " ".join(shown.out.split())
    own_bot(0)
    text = " ".join(playout("ratings").out.split())
    assert "2 games were played with other code" in text
    assert "The code of own_fingerprinted.First was not the same in all" in " ".join(
        playout("ratings", "--all").out.split()
    )
