"""The recipes of docs/extending.md: their files are written to a folder, and their commands are run there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documents import DOCS, ROOT

import cext

PAGE = DOCS / "extending.md"
SITE = Path(cext.get_include()).parent
FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `([\w./]+)` \| (.*) \|$", re.MULTILINE)
BUILD = """
import sys
import cext
from Cython.Build import cythonize
from setuptools import Extension, setup
path = sys.argv.pop()
extension = Extension(path.replace("/", "."), [path + ".pyx"], include_dirs=[cext.get_include()])
setup(ext_modules=cythonize([extension], compiler_directives={"language_level": 3}))
"""


def recipe(title):
    """Return the text of one recipe."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found, f"{PAGE} has no recipe {title!r}"
    return found[1]


def files_of(title):
    """Return path -> content of the files that a recipe shows."""
    found = FILE.findall(recipe(title))
    assert len(found) == len(dict(found))
    return dict(found)


def commands_of(title):
    """Return the shell commands of a recipe, in order."""
    return [line for block in SHELL.findall(recipe(title)) for line in block.splitlines()]


def write_files(folder, files):
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)


def run(folder, *lines, path=()):
    """Run lines of a shell in a folder, with folders in front of the import path; stdout and stderr together."""
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-ec", "\n".join(lines)],
        cwd=folder,
        env={
            **inherited,
            "PATH": programs,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "XDG_CACHE_HOME": str(folder),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=540,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def copied_packages(folder):
    """Copy the installed packages, with their bytecode, to a folder, to which files can be added as if to the tree."""
    for name in ("cext", "mcts", "bots"):
        shutil.copytree(SITE / name, folder / name)
    return folder


@pytest.mark.parametrize(
    "title",
    [
        "A game as a Python class",
        "A game with chance",
        "A picture of a game",
        "A bot",
        "A searcher",
        "A rating model",
        "An executor",
    ],
)
def test_recipe_in_python(title, tmp_path):
    write_files(tmp_path, files_of(title))
    out = run(tmp_path, *commands_of(title))
    assert re.search(r"\d passed|\[100%\]", out), out


IN_THE_TREE = {
    "A bot": ("SUMMARY", ["bots", "arena mnk sampler random --games 2 --no-db"], "best mean return"),
    "A searcher": ("SUMMARY", ["search mnk --searcher nosuch 2>&1 || true"], "flat"),
    "A rating model": (
        "TITLE",
        ["arena mnk greedy random --games 4 --db my.db", "ratings my.db --model davidson --json"],
        "Davidson",
    ),
    "An executor": ("slots", ["arena mnk random random --games 2 --no-db --executor serial"], "2 games"),
}
"""Recipe -> first attribute of the class, commands, and words that they print."""


@pytest.mark.parametrize("title", IN_THE_TREE)
def test_one_file_in_the_tree(title, tmp_path):
    """The file of the recipe, with the lines that the recipe adds, in the folder that it names."""
    copied_packages(tmp_path)
    attribute, commands, printed = IN_THE_TREE[title]
    advice = recipe(title).partition("**In this repository**")[2]
    (path,) = re.findall(r"one file, `([\w/]+\.py)`", advice)
    source = next(content for name, content in files_of(title).items() if not name.startswith("test_"))
    for line in re.findall(r'`([A-Z]+ = "?\w+"?)`', advice):
        if line.startswith("NAME"):
            source = re.sub(rf"^(    {attribute} =)", rf"    {line}\n\1", source, count=1, flags=re.MULTILINE)
        else:
            source += f"\n\n{line}\n"
        assert line in source
    (tmp_path / path).write_text(source)
    assert printed in run(tmp_path, *(f"python -m bots.cli {command}" for command in commands))


@pytest.mark.long
def test_a_game_in_cython(tmp_path):
    """`make` would compile all modules: this compiles the one of the recipe, into a copy of the package."""
    copied_packages(tmp_path)
    title = "A game in Cython"
    ((source, _),) = files_of(title).items()
    write_files(tmp_path, files_of(title))
    for line in commands_of(title):
        if line == "make":
            (tmp_path / "build.py").write_text(BUILD)
            run(tmp_path, f"python build.py build_ext --inplace {source.removesuffix('.pyx')}", path=[tmp_path])
            continue
        if "--write" in line:  # would change the recordings of this clone
            assert (ROOT / line.split()[2]).exists()
            continue
        assert line.startswith(".venv/bin/python -P -m pytest tests/games ")
        # The page of the game is written by hand: tests of pages are left out.
        tests = [str(path) for path in sorted((ROOT / "tests" / "games").glob("test_contract*.py"))]
        out = run(
            ROOT, f"python -P -m pytest -p no:cacheprovider -k take_away -m '' {' '.join(tests)}", path=[tmp_path]
        )
        assert int(re.search(r"(\d+) passed", out)[1]) >= 10
    out = run(tmp_path, "python -m bots.cli arena take_away mcts random --games 4 --no-db", path=[tmp_path])
    assert "take_away(sticks=21,most=3)" in out


@pytest.mark.long
def test_a_game_in_another_package(tmp_path):
    title, site = "A game in another package", tmp_path / "site"
    ((_, source),) = files_of("A game in Cython").items()
    (target,) = re.findall(r"`(src/\w+/\w+\.pyx)`", recipe(title))
    package = {target: source, str(Path(target).with_name("__init__.py")): "", **files_of(title)}
    write_files(tmp_path / "package", package)
    install, *others = commands_of(title)
    assert install.startswith("pip install ")
    run(tmp_path / "package", f"python -m {install} --quiet --target {site}", path=[SITE])
    out = run(tmp_path, *others, path=[site, SITE])
    assert "Whoever takes the last stick wins." in out
    assert "take_away(sticks=10,most=3)" in out


@pytest.mark.long
def test_a_selection_policy(tmp_path):
    title = "A selection policy"
    write_files(tmp_path, files_of(title))
    out = run(tmp_path, *commands_of(title))
    assert "1 passed" in out or "[100%]" in out
    named = re.findall(r"`(test_\w+)` in `(tests/[\w/]+\.py)`", recipe(title))
    assert named
    for name, path in named:
        assert f"def {name}(" in (ROOT / path).read_text()


@pytest.mark.long
def test_a_command(tmp_path):
    title, site = "A command", tmp_path / "site"
    write_files(tmp_path / "package", files_of(title))
    install, *others = commands_of(title)
    assert install.startswith("pip install ")
    run(tmp_path / "package", f"python -m {install} --quiet --target {site}", path=[SITE])
    out = run(tmp_path / "package", *others, path=[site, SITE])
    assert out.startswith("3024\n")
    assert "Count the sequences of joint actions" in out
    assert "1 passed" in out


@pytest.mark.parametrize("title", ["A selection policy", "A playout policy"])
def test_files_and_names_of_a_change_in_the_tree_exist(title):
    rows = ROW.findall(recipe(title))
    assert rows
    for path, change in rows:
        text = (ROOT / path).read_text()
        for name in re.findall(r"`(\w+)`", change):
            assert re.search(rf"\b{name}\b", text), f"{path} has no {name}"


def test_every_recipe_is_followed():
    titles = re.findall(r"^## (.*)$", PAGE.read_text(), re.MULTILINE)
    linked = re.findall(r"^\| \[(.*?)\]\(#", PAGE.read_text(), re.MULTILINE)
    assert titles == linked
    source = Path(__file__).read_text()
    assert [title for title in titles if f'"{title}"' not in source] == []
