"""`mypy --strict` passes on every code block of the README and on every example, with the installed package."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mcts

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
WRONG = "import mcts\n\n\ndef first(view: mcts.View) -> str:\n    return mcts.load_game('mnk').num_actions\n"


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """What mypy says, by file: of the README as one module, of the examples, and of a file with a mistake."""
    folder = tmp_path_factory.mktemp("typed")
    text = (ROOT / "README.md").read_text()
    # Blank lines in the place of prose: so mypy's line numbers are those of the README.
    module = [""] * len(text.splitlines())
    for block in BLOCK.finditer(text):
        first = text[: block.start(1)].count("\n")
        for number, line in enumerate(block[1].splitlines()):
            module[first + number] = line
    (folder / "readme.py").write_text("\n".join(module) + "\n")
    (folder / "wrong.py").write_text(WRONG)
    for example in (ROOT / "examples").glob("*.py"):
        (folder / example.name).write_text(example.read_text())
    site = Path(mcts.__file__).parent.parent
    told = {} if site.name == "site-packages" else {"MYPYPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *sorted(path.name for path in folder.glob("*.py"))],
        cwd=folder,
        env={**os.environ, **told, "MYPY_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    found = {path.name: [] for path in folder.glob("*.py")}
    for line in done.stdout.splitlines()[:-1]:
        found[line.partition(":")[0]].append(line)
    return found


def test_the_readme_is_typed(complaints):
    assert complaints["readme.py"] == []


def test_every_example_is_typed(complaints):
    examples = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert examples <= set(complaints)
    assert [line for name in examples for line in complaints[name]] == []


def test_a_mistake_would_be_found(complaints):
    assert len(complaints["wrong.py"]) == 1
    assert "[return-value]" in complaints["wrong.py"][0]
