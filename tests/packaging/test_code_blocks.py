"""Code blocks of all pages: Python and commands run, TOML is valid. Commands that do not run have a reason."""

import doctest
import io
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from documents import DOCS, ROOT, all_pages, blocks

RECIPES = DOCS / "extending.md"
"""A page whose files and commands tests/packaging/test_extending.py follows."""
PAGES = [page for page in all_pages() if page != RECIPES]
FILE = re.compile(r"`([\w./-]+)`:")
NOTEBOOK_CELL = re.compile(r"\{code-cell\}.*")  # run by `make docs`
DIRECTIVE = re.compile(r"\{[\w-]+\}.*")  # markup of the site
LANGUAGES = {"python", "pycon", "sh", "toml", "json", "text", "c", "cython", "mermaid", ""}
NOT_RUN = {
    r"make\b.*": "make in a clone builds the package; test_repository checks that the targets exist",
    r"(\.venv/bin/|PYTHONPATH=\. ).*": "works in a clone, on its benchmarks, builds and tests",
    r"(python -m )?pip .*|python3? -m venv .*|source .*|(sudo )?apt .*": "changes the machine",
    r"git .*|cmp .*|export SOURCE_DATE_EPOCH=.*|rm -rf build": "works on the repository or publishes it",
    r"dask .*|ssh .*|srun .*|sbatch .*": "needs other machines",
    r"playout arena .* --executor dask://.*": "needs a cluster",
    r"playout play .*": "waits for a person",
    r"playout .*--install-completion.*|.*COMPLETE=.*": "changes the settings of the shell",
}
"""Pattern of a line of a shell -> reason why it is not run here."""
ELSEWHERE = {
    "README.md": "tests/packaging/test_packaging.py runs its commands in a new environment",
    "docs/command_line.md": "tests/packaging/test_packaging.py runs its commands in a new environment",
    "docs/bots.md": "tests/arena/test_bots_page.py runs its command with its file",
    "docs/ugi.md": "tests/ugi/test_ugi_documentation.py runs its commands with its engine",
}
"""Page -> reason why its commands are not run here."""
MANY_GAMES = re.compile(r"--games \d+")
"""Replaced by 20 games: these are tests of the commands, not of the bots."""
PREPARED = {"docs/arena.md": ["playout arena points_ttt greedy random --games 4 --db other.db"]}
"""Page -> commands for files that its commands expect."""
UNDECIDED = 11
"""Exit status of a sequential test with too few games."""
MINUTES = 5
"""Time limit of a command."""


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def pages_with(*languages):
    """Return the pages with a block in one of the languages."""
    return [page for page in PAGES if any(language in languages for _, language, _ in blocks(page))]


def reason_not_to_run(line):
    """Return why a line of a shell is not run, or None."""
    return next((reason for pattern, reason in NOT_RUN.items() if re.fullmatch(pattern, line)), None)


def lines_of_shell(code):
    """Return the commands of a block: lines with their continuations, without comments."""
    lines = re.sub(r"\\\n\s*", "", code).splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def file_of(page, before):
    """Return the path of the file that a block shows, as the last line above it names it: `path`: and a blank line."""
    above = page.read_text().splitlines()[: before - 1]
    found = FILE.fullmatch(above[-2]) if len(above) > 1 and not above[-1] else None
    return found and found[1]


def write_files(page, folder):
    """Write the files that a page shows."""
    for before, _, code in blocks(page):
        path = file_of(page, before)
        if path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(code)


def run_python(page):
    """Run the Python and the doctests of a page in one namespace, in order."""
    namespace = {"__name__": "page"}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failed = io.StringIO()
    for before, language, code in blocks(page):
        if language == "python" and not file_of(page, before):
            exec(compile("\n" * before + code, str(page), "exec"), namespace)
        if language == "pycon":
            test = parser.get_doctest(code, namespace, page.name, str(page), before)
            test.globs = namespace  # instead of a copy
            runner.run(test, out=failed.write, clear_globs=False)
    assert runner.failures == 0, failed.getvalue()


@pytest.mark.parametrize("page", pages_with("python", "pycon"), ids=name_of)
def test_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # the cache of the user is neither read nor written
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    write_files(page, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    run_python(page)


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in pages_with("sh") if name_of(page) not in ELSEWHERE], ids=name_of)
def test_commands_of_a_page_run(page, tmp_path):
    commands = [line for _, language, code in blocks(page) if language == "sh" for line in lines_of_shell(code)]
    commands = [*PREPARED.get(name_of(page), []), *commands]
    write_files(page, tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    environment |= {
        "XDG_CACHE_HOME": str(tmp_path),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    for command in commands:
        if reason_not_to_run(command):
            continue
        done = subprocess.run(
            ["sh", "-ec", MANY_GAMES.sub("--games 20", command)],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60 * MINUTES,
        )
        assert done.returncode == 0 or (done.returncode == UNDECIDED and "--sprt" in command), (
            f"{command}\n{done.stdout[-3000:]}"
        )
        assert "Traceback" not in done.stdout, command


@pytest.mark.parametrize("page", pages_with("toml"), ids=name_of)
def test_toml_of_a_page_is_valid(page):
    for _, language, code in blocks(page):
        if language == "toml":
            assert tomllib.loads(code)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_are_in_languages_that_are_checked(page):
    languages = {language for _, language, _ in blocks(page)}
    assert {found for found in languages if not DIRECTIVE.fullmatch(found)} <= LANGUAGES
    cells = [language for language in languages if NOTEBOOK_CELL.fullmatch(language)]
    assert not cells or page.read_text().startswith("---\n"), (
        "cells of a page without the header of a notebook do not run"
    )


@pytest.mark.parametrize("page", ELSEWHERE)
def test_commands_that_run_elsewhere_do(page):
    test = ROOT / ELSEWHERE[page].split()[0]
    text = test.read_text() + (ROOT / "tests" / "helpers" / "documents.py").read_text()
    assert Path(page).stem in text or Path(page).stem.upper() in text


def test_the_checks_find_what_fails(tmp_path):
    assert reason_not_to_run("playout games") is None
    assert reason_not_to_run("make test") is not None
    assert lines_of_shell("# comment\nplayout games \\\n    --json\n") == ["playout games --json"]
    page = tmp_path / "page.md"
    page.write_text("`a/b.py`:\n\n```python\nx = y\n```\n\n```python\nx = 2\n```\n\n```pycon\n>>> x + 1\n4\n```\n")
    with pytest.raises(AssertionError, match=r"Expected:\n *4\n *Got:\n *3"):
        run_python(page)
    write_files(page, tmp_path)
    assert (tmp_path / "a" / "b.py").read_text() == "x = y\n"
