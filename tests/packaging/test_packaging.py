"""The sdist and the wheel: complete, with all machine codes, and every game plays from them."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from documents import EXAMPLE_NEEDS, SCRIPTS, command_lines, help_examples, script_of, shortened
from support import ARCHIVE, ROOT, VARIANTS
from waiting import BUILD_SECONDS

from cext import _variant

PACKAGES = ["cext", "mcts", "bots", "playout"]
SHIPPED = {".py", ".pyi", ".pyx", ".pxd", ".h", ".typed", ".html", ".css", ".js", ".json", ".net", ".kif", ".md"}
SHIPPED |= {".tmpl"}
NOT_SOURCE = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "*.c", "*.so", "node_modules")
INSPECT = ROOT / ".ci" / "inspect_wheel"
EPOCH = 1_700_000_000
SETTINGS = {"SOURCE_DATE_EPOCH": str(EPOCH), "CCACHE_DISABLE": "1"}  # nothing comes from a cache of the compiler

pytestmark = pytest.mark.long


def shipped_files():
    """Every file of the packages that belongs in a wheel, relative to the root."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*"))
    return {str(path.relative_to(ROOT)) for path in files if path.suffix in SHIPPED or path.name == "py.typed"}


def run(*command, cwd, **environment):
    """Run a command away from the source tree and every setting of this process; its output."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PLAYOUT"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD_SECONDS,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist, and the wheel made from that sdist: (path, path)."""
    source, out = tmp_path_factory.mktemp("source") / "playout", tmp_path_factory.mktemp("out")
    shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source, cwd=out, **SETTINGS)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return sdist, wheel


def test_the_sdist_is_complete(built):
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert shipped_files() <= names
    assert {"pyproject.toml", "setup.py", "README.md", "LICENSE", "Makefile"} <= names
    assert {str(path.relative_to(ROOT)) for path in [Path(__file__), ARCHIVE]} <= names
    assert not [name for name in names if name.endswith((".c", ".so", ".pyc"))]


def test_the_wheel_is_complete(built):
    with zipfile.ZipFile(built[1]) as archive:
        names = set(archive.namelist())
    assert shipped_files() <= names
    assert {f"mcts/rule_pages/{path.name}" for path in (ROOT / "docs" / "games").glob("*.md")} <= names
    assert not [name for name in names if name.endswith((".c", ".pyc")) or name.startswith("tests")]
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    once, widest = set(setting("ONCE")), setting("WIDEST")
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "cext").rglob("*.pyx")}
    assert once < modules | {"cext._cyutility"}
    expected = {f"{name.replace('.', '/')}{suffix}" for name in modules | once}
    if _variant.V3 in _variant.available():
        expected |= {f"cext/{_variant.V3}/{name[5:].replace('.', '/')}{suffix}" for name in modules - once}
        expected |= {f"cext/{_variant.V4}/{name[5:].replace('.', '/')}{suffix}" for name in widest}
    assert {name for name in names if name.endswith(suffix)} == expected


def setting(name):
    """The value of a constant of setup.py."""
    for line in ast.parse((ROOT / "setup.py").read_text()).body:
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == name:
            return ast.literal_eval(line.value)
    raise AssertionError(f"setup.py has no {name}")


def test_the_wheel_passes_the_inspection(built):
    told = run(sys.executable, INSPECT, built[1], cwd=ROOT)
    assert re.search(r"^cext/games/mnk\S+ +[\d,]+ +[\d,]+ ", told, re.MULTILINE)
    assert told.splitlines()[-1].startswith(built[1].name)


def test_the_inspection_finds_what_is_wrong(built, tmp_path):
    bad = tmp_path / built[1].name.replace("-py3-", "-").replace("linux", "elsewhere")
    compiler = sysconfig.get_config_var("CC").split()[0]
    (tmp_path / "leak.c").write_text('int leaked(void) { return 1; } const char *path = "/home/me/project/leak.c";')
    subprocess.run([compiler, "-shared", "-fPIC", "-g", "leak.c", "-o", "leak.so"], cwd=tmp_path, check=True)
    shutil.copy(built[1], bad)
    with zipfile.ZipFile(bad, "a") as archive:
        archive.write(tmp_path / "leak.so", "cext/leak.so")
        archive.writestr("cext/game/game.c", "int main;")
        archive.writestr("tests/test_x.py", "")
    done = subprocess.run([sys.executable, INSPECT, bad], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    for words in (
        "it contains cext/game/game.c",
        "it contains tests/test_x.py",
        "its tags are ['cp",
        "cext/leak.so: exports leaked",
        "cext/leak.so: exports no PyInit function",
        "cext/leak.so: is not stripped",
        "cext/leak.so: names the file /home/me/project/leak.c",
    ):
        assert words in done.stderr
    assert "mnk" not in done.stderr


def test_the_wheel_is_reproducible(built):
    """The wheel that `make` built, in another folder and by other calls of the compiler, has the same files."""
    wheels = [*(ROOT / "build" / "wheel").glob("*.whl")]
    if not wheels:
        pytest.skip("nothing is installed by make")
    with zipfile.ZipFile(built[1]) as archive, zipfile.ZipFile(wheels[0]) as other:
        assert archive.namelist() == other.namelist()
        assert [name for name in archive.namelist() if archive.read(name) != other.read(name)] == []
        assert {entry.date_time for entry in archive.infolist()} == {time.gmtime(EPOCH)[:6]}


PLAY_ALL = """
import json, sys
import cext.game.game, mcts
from mcts.random_steps import sample_joint_action
assert cext.game.game.__file__.startswith(sys.prefix), cext.game.game.__file__
for spec in json.loads(sys.argv[1]):
    state = mcts.load_game(spec).new_initial_state()
    step = 0
    while not state.is_terminal():
        state.apply_actions(sample_joint_action(state, step))
        step += 1
    print(spec, state.returns(), mcts.playouts(state.game.new_initial_state(), 100))
"""


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """The folder of programs of a fresh environment that has the wheel and its required dependencies only."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    programs = folder / "venv" / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", built[1], cwd=folder)
    return programs


def test_the_wheel_plays_in_a_fresh_environment(installed, tmp_path):
    python = installed / "python"
    told = [
        run(python, "-c", PLAY_ALL, json.dumps(VARIANTS), cwd=tmp_path, PLAYOUT_VARIANT=build)
        for build in _variant.available()
    ]
    assert len(told[0].splitlines()) == len(VARIANTS)
    assert len(set(told)) == 1


def test_pip_finds_the_extras_of_messages_without_a_release(installed, tmp_path):
    """pip takes the names of extras from the installed package: no index has it."""
    options = ("--dry-run", "--no-index", "--no-deps", "--disable-pip-version-check")
    told = run(installed / "python", "-m", "pip", "install", *options, "playout[web]", cwd=tmp_path)
    assert "Requirement already satisfied: playout[web]" in told


NEEDS_AN_EXTRA = ("playout export-site", "playout serve", "playout regret kuhn_poker cfr oos")
"""Beginnings of the commands that do nothing without an extra."""
NEEDS_OTHERS = re.compile(r"playout (ggp |.*ggp\(url=|.*--compare-git)")
"""The commands that serve until they are ended, or need running servers or a repository of an engine."""


def run_as_user(line, programs, folder):
    """Run a line of a shell in the fresh environment: status, stdout, stderr."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PLAYOUT"))}
    done = subprocess.run(
        ["sh", "-c", shortened(line)],
        cwd=folder,
        env={**inherited, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_commands_and_scripts_of_the_pages_run_without_extras(installed, tmp_path):
    lines = command_lines()
    assert len(lines) > 10
    for line in lines:
        if NEEDS_OTHERS.match(line):
            continue
        status, out, err = run_as_user(line, installed, tmp_path)
        if line.startswith(NEEDS_AN_EXTRA):
            assert (status, "pip install 'playout[" in err) == (2, True), f"{line}\n{err}"
            continue
        assert status == 0, f"{line}\n{err}"
        assert "Traceback" not in err
        assert out or re.search(r"playout (ugi|uci|gtp)|\.pgn", line), line
    for name in ("out.json", "mnk.db", "games.pgn", "arena.db", "report.html"):
        assert (tmp_path / name).stat().st_size > 0
    for page in SCRIPTS:
        (tmp_path / "script.py").write_text(script_of(page))
        assert run_as_user("python script.py", installed, tmp_path)[0] == 0, page


def test_the_examples_of_the_help_run_without_extras(installed, tmp_path):
    for folder, command, lines in help_examples():
        (tmp_path / folder).mkdir(exist_ok=True)
        for line in lines:
            if "1a2b" in line or NEEDS_OTHERS.match(line):  # 1a2b stands for an id
                continue
            status, out, err = run_as_user(line, installed, tmp_path / folder)
            if line.startswith(NEEDS_AN_EXTRA):
                assert (status, "pip install 'playout[" in err) == (2, True), f"{line}\n{err}"
                continue
            assert status == 0, f"{command}: {line}\n{out}\n{err}"
            assert "Traceback" not in err


def test_the_examples_run_without_extras(installed, tmp_path):
    for path in sorted((ROOT / "examples").glob("*.py")):
        status, out, err = run_as_user(f"python {path}", installed, tmp_path)
        if path.name in EXAMPLE_NEEDS:
            assert (status, EXAMPLE_NEEDS[path.name] in err.splitlines()[-1]) == (1, True), err
            continue
        assert (status, err) == (0, ""), path
        assert out.strip(), path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("playout bot", "did you mean bots?"),
        (
            "playout arena mnk random gredy",
            "unknown bot 'gredy'; did you mean greedy? valid: cfr, double_oracle, exact, fallible, focus, ggp, ",
        ),
        ("playout play nosuch --bot random", "unknown game 'nosuch'; valid: a name in the list of `playout games`, "),
        ("playout search mnk --searcher nosuch", "unknown searcher 'nosuch'; valid: "),
        ("playout search mnk --state nonsense", "--state"),
        ("playout ratings nosuch.db", "nosuch.db"),
        ("playout solve three_player_ttt", "three_player_ttt"),
        ("playout regret mnk mcts -o loss.svg", "pip install 'playout[plot]'"),
        ("playout arena mnk random greedy mcts --pairing swiss --no-db", "pip install 'playout[graph]'"),
        ("playout arena mnk random greedy --executor dask://127.0.0.1:9 --no-db", "pip install 'playout[cluster]'"),
        ("playout ugi mnk 'ugi(command=nosuch)'", "nosuch"),
    ],
)
def test_errors_without_extras_are_one_line(installed, tmp_path, line, words):
    status, out, err = run_as_user(line, installed, tmp_path)
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("playout: ")
    assert words in err.splitlines()[-1]
    assert "Traceback" not in err
