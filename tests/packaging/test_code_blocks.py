"""Code blocks of all pages: Python and commands run, TOML is valid. Commands that do not run have a reason."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ci_programs import CI, ci_program
from documents import DOCS, ROOT, all_pages, shortened
from page_runner import blocks, file_of
from support import HELPERS
from waiting import BUILD_SECONDS

RECIPES = DOCS / "extending"
"""A folder of pages whose files and commands tests/packaging/test_extending.py follows."""
PAGES = [page for page in all_pages() if page.parent != RECIPES]
PROMPT = re.compile(r"^\w*\$ (.*)$", re.MULTILINE)
NOTEBOOK_CELL = re.compile(r"\{code-cell\}.*")  # `make docs` runs them too
DIRECTIVE = re.compile(r"\{[\w-]+\}.*")  # markup of the site
LANGUAGES = {"python", "pycon", "sh", "console", "toml", "json", "text", "c", "cython", "mermaid", "html", ""}
NOT_RUN = {
    r"make\b.*": "make in a clone builds the package; test_repository checks that the targets exist",
    r"(\.venv/bin/|PYTHONPATH=\. |python -m bench\b).*": "works in a clone, on its benchmarks, builds and tests",
    r"(python -m )?pip .*|python3? -m venv .*|source .*|(sudo )?apt .*": "changes the machine",
    r"git .*|cmp .*|export SOURCE_DATE_EPOCH=.*|rm -rf build": "works on the repository or publishes it",
    r"dask .*|ssh .*|srun .*|sbatch .*": "needs other machines",
    r"playout arena .* --executor dask://.*": "needs a cluster",
    r"cc .*": "tests/packaging/test_examples.py compiles the example and runs it",
    r"playout play .*": "waits for a person",
    r"playout serve.*|playout arena .* --watch": "serves until it is ended",
    r"playout ggp .*": "serves until it is ended",
    r"playout .*ggp\(url=.*": "needs running players",
    r"curl .*": "needs a running server",
    r"playout arena .*((uci|gtp)\(command=|--compare-git|--engines|--db chess\.db).*": "needs engines of others",
    r"fastchess .*": "a program of others",
    r"cc .*examples/embed\.c.*": "tests/packaging/test_examples.py compiles and runs it",
    r"playout .*--install-completion.*|.*COMPLETE=.*": "changes the settings of the shell",
}
"""Pattern of a line of a shell -> reason why it is not run here."""
ELSEWHERE = {
    "README.md": "tests/packaging/test_packaging.py runs its commands in a new environment",
    "docs/command_line.md": "tests/packaging/test_packaging.py runs its commands in a new environment",
    "docs/start.md": ".ci/first_pages.py runs its commands in a new clone",
    "docs/start_embedding.md": ".ci/first_pages.py runs its commands in a new clone",
    "docs/start_extending.md": ".ci/first_pages.py runs its commands in a new clone",
    "docs/ugi.md": "tests/ugi/test_ugi_documentation.py runs its commands with its engine",
}
"""Page -> reason why its commands are not run here."""


def cells_of(page, last=None):
    """Return the code of the cells of a notebook as a program, up to the first one that has a text."""
    found = ["import os\n"]
    for _, language, code in blocks(page):
        if NOTEBOOK_CELL.fullmatch(language):
            found.append(
                re.sub(r"^!(.*)$", lambda line: f"assert os.system({line[1]!r}) == 0", code, flags=re.MULTILINE)
            )
            if last is not None and last in code:
                break
    return "".join(found)


CLAIMS = {
    "docs/tutorials/tune_a_bot.md": ["tuned against theory: H0 0, H1 30", ": accepted (H1)\n"],
    "docs/tutorials/write_a_rulesheet.md": ["zero-sum: True\n", "50 random games without a problem", "reload  1.000\n"],
}
"""Notebook -> what the page says of its output."""
PREPARED = {
    "docs/arena.md": ["playout arena points_ttt greedy random --games 4 --db other.db"],
    "docs/tutorials/write_a_rulesheet.md": [
        f"python -c {shlex.quote(cells_of(DOCS / 'tutorials' / 'write_a_rulesheet.md', '.write_text('))}"
    ],
}
"""Page -> commands for files that its commands expect."""
UNDECIDED = 11
"""Exit status of a sequential test with too few games."""


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


def write_files(page, folder):
    """Write the files that a page shows."""
    for before, _, code in blocks(page):
        path = file_of(page, before)
        if path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(code)


def environment_of(folder):
    """Return the environment of a user in a folder: the commands of this interpreter, and an empty cache."""
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"},
        "XDG_CACHE_HOME": str(folder),
        "MPLBACKEND": "Agg",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }


def run(command, folder):
    """Run a command in a folder; its exit status, and stdout with stderr. One that is late ends with its processes."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment_of(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=BUILD_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, out


def run_python(page, folder):
    """Run the Python of a page, with the files that it shows; exit status and output."""
    write_files(page, folder)
    path = [folder, HELPERS]
    program = f"import sys, runpy; sys.path[:0] = {[str(each) for each in path]}; sys.argv = ['', {str(page)!r}]; "
    program += "runpy.run_module('page_runner', run_name='__main__')"
    return run([sys.executable, "-P", "-c", program], folder)


@pytest.mark.sample(3)
@pytest.mark.parametrize("page", pages_with("python", "pycon"), ids=name_of)
def test_python_of_a_page_runs(page, tmp_path):
    status, out = run_python(page, tmp_path)
    assert status == 0, out[-3000:]


def commands_of(page):
    """Return the commands of a page that can run here, after those that prepare them."""
    shown = [line for _, language, code in blocks(page) if language == "sh" for line in lines_of_shell(code)]
    return [line for line in (*PREPARED.get(name_of(page), []), *shown) if reason_not_to_run(line) is None]


RUNNING = [page for page in pages_with("sh") if name_of(page) not in ELSEWHERE and commands_of(page)]
"""Pages with commands that run here."""


@pytest.mark.long
@pytest.mark.parametrize("page", RUNNING, ids=name_of)
def test_commands_of_a_page_run(page, tmp_path):
    commands = commands_of(page)
    write_files(page, tmp_path)
    for command in commands:
        is_cut = "--sprt" in command and ("--games" in command or "playout train" in " ".join(commands))
        most = " --games 4" if is_cut and "--games" not in command else ""  # the net has not learned much here
        status, out = run(["sh", "-ec", shortened(command) + most], tmp_path)
        assert status == 0 or (status == UNDECIDED and is_cut), f"{command}\n{out[-3000:]}"
        if "--sprt" in command and not is_cut:
            assert ": accepted (H1)" in out, f"{command}\n{out}"
            assert "repeat" not in out, f"{command}\n{out}"
        assert "Traceback" not in out, command


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in PAGES if page.read_text().startswith("---\n")], ids=name_of)
def test_cells_of_a_notebook_run(page, tmp_path):
    status, out = run([sys.executable, "-P", "-c", cells_of(page)], tmp_path)
    assert status == 0, out[-3000:]
    assert [claim for claim in CLAIMS.get(name_of(page), []) if claim not in out] == [], out[-3000:]


@pytest.mark.parametrize("page", pages_with("console"), ids=name_of)
def test_a_session_has_a_reason_not_to_run(page):
    """Commands after a prompt, in blocks `console`, do not run; commands without one, in blocks `sh`, do."""
    code = "\n".join(code for _, language, code in blocks(page) if language == "console")
    commands = [command.partition(" #")[0].strip() for command in PROMPT.findall(code)]
    assert commands
    assert [command for command in commands if reason_not_to_run(command) is None] == []


@pytest.mark.parametrize("page", pages_with("toml"), ids=name_of)
def test_toml_of_a_page_is_valid(page):
    assert all(tomllib.loads(code) for _, language, code in blocks(page) if language == "toml")


def test_blocks_are_in_languages_that_are_checked():
    for page in PAGES:
        languages = {language for _, language, _ in blocks(page)}
        assert {found for found in languages if not DIRECTIVE.fullmatch(found)} <= LANGUAGES, page
        cells = [language for language in languages if NOTEBOOK_CELL.fullmatch(language)]
        assert not cells or page.read_text().startswith("---\n"), f"cells of {page} run in a notebook alone"


@pytest.mark.parametrize("page", ELSEWHERE)
def test_commands_that_run_elsewhere_do(page):
    test = ROOT / ELSEWHERE[page].split()[0]
    text = test.read_text() + (ROOT / "tests" / "helpers" / "documents.py").read_text()
    text += " ".join(path.name for path in ci_program("first_pages").PAGES) * (test.parent == CI)
    assert Path(page).stem in text or Path(page).stem.upper() in text


def test_the_checks_find_what_fails(tmp_path):
    assert reason_not_to_run("playout games") is None
    assert reason_not_to_run("make test") is not None
    assert lines_of_shell("# comment\nplayout games \\\n    --json\n") == ["playout games --json"]
    page = tmp_path / "page.md"
    page.write_text("`a/b.py`:\n\n```python\nx = y\n```\n\n```python\nx = 2\n```\n\n```pycon\n>>> x + 1\n4\n```\n")
    status, out = run_python(page, tmp_path)
    assert status == 1
    assert re.search(r"Expected:\n *4\nGot:\n *3\n", out), out
    assert (tmp_path / "a" / "b.py").read_text() == "x = y\n"
    page.write_text("```python\nimport no_such_module\n```\n")
    assert "No module named 'no_such_module'" in run_python(page, tmp_path)[1]
