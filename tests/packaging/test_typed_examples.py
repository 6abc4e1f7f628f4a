"""Python in the documentation and the examples: `mypy --strict` accepts it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from documents import ROOT, SCRIPTS, script_of
from waiting import HANG_SECONDS

import mcts

pytestmark = pytest.mark.long

WRONG = "import playout\n\n\ndef first(view: playout.View) -> str:\n    return playout.load_game('mnk').num_actions\n"


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """Messages of mypy by file: of each page as one module, of the examples, and of a file with a mistake."""
    folder = tmp_path_factory.mktemp("typed")
    for page in SCRIPTS:
        (folder / f"page_{page.stem.lower()}.py").write_text(script_of(page))
    (folder / "wrong.py").write_text(WRONG)
    for example in (ROOT / "examples").glob("*.py"):
        (folder / example.name).write_text(example.read_text())
    (folder / "mypy.ini").write_text(
        "[mypy]\nuntyped_calls_exclude = distributed\n[mypy-pyspiel.*,open_spiel.*]\nignore_missing_imports = True\n"
    )  # have no types
    site = Path(mcts.__file__).parent.parent
    told = {} if site.name == "site-packages" else {"MYPYPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *sorted(path.name for path in folder.glob("*.py"))],
        cwd=folder,
        env={**os.environ, **told, "MYPY_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.stderr == ""
    found = {path.name: [] for path in folder.glob("*.py")}
    for line in done.stdout.splitlines()[:-1]:
        found[line.partition(":")[0]].append(line)
    return found


@pytest.mark.parametrize("page", SCRIPTS, ids=lambda page: page.name)
def test_the_python_of_a_page_is_typed(page, complaints):
    assert complaints[f"page_{page.stem.lower()}.py"] == []


def test_every_example_is_typed(complaints):
    examples = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert examples <= set(complaints)
    assert [line for name in examples for line in complaints[name]] == []


def test_a_mistake_would_be_found(complaints):
    assert len(complaints["wrong.py"]) == 1
    assert "[return-value]" in complaints["wrong.py"][0]
