"""The recipes of docs/extending: their files are copied to a folder, and their commands are run there."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documents import DOCS, ROOT
from waiting import BUILD_SECONDS

import cext

INDEX = DOCS / "extending.md"
PAGES = sorted((DOCS / "extending").glob("*.md"))
FILES = ROOT / "examples" / "recipes"
SITE = Path(cext.get_include()).parent
FILE = re.compile(r"^\[`([\w./-]+)`\]\((\S+)\):\n\n```\{literalinclude\} \2\n(?::.*\n)+```$", re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
BUILD = """
import sys
import cext
from Cython.Build import cythonize
from setuptools import Extension, setup
paths = [path for path in sys.argv[1:] if path.endswith(".pyx")]
sys.argv = [word for word in sys.argv if word not in paths]
extensions = [
    Extension(path.removesuffix(".pyx").replace("/", "."), [path], include_dirs=[cext.get_include()]) for path in paths
]
setup(ext_modules=cythonize(extensions, compiler_directives={"language_level": 3, "cdivision": True}))
"""


def recipe(title):
    """Return the text of one recipe."""
    pattern = re.compile(rf"^## {title}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    found = [recipe for page in PAGES for recipe in pattern.findall(page.read_text())]
    assert len(found) == 1, f"{len(found)} pages of {INDEX.stem} have a recipe {title!r}"
    return found[0]


def files_of(title):
    """Return path -> content of the files that a recipe shows."""
    return {path: (PAGES[0].parent / target).read_text() for path, target in FILE.findall(recipe(title))}


def commands_of(title):
    """Return the shell commands of a recipe, in order."""
    return [line for block in SHELL.findall(recipe(title)) for line in block.splitlines()]


def write_files(folder, files):
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)


def run(folder, *lines, path=(), cache=None):
    """Run lines of a shell in a folder, with folders in front of the import path; stdout and stderr together.

    cache: folder of cached files; None: the folder.
    """
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-ec", "\n".join(lines)],
        cwd=folder,
        env={
            **inherited,
            "PATH": programs,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "XDG_CACHE_HOME": str(cache or folder),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD_SECONDS,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def build(folder, *paths):
    """Compile modules into a copy of the packages; `make` would compile all modules."""
    (folder / "build.py").write_text(BUILD)
    run(folder, f"python build.py build_ext --inplace {' '.join(paths)}", path=[folder])


def copied_packages(folder):
    """Copy the installed packages, with their bytecode, to a folder, to which files can be added as if to the tree."""
    for name in ("cext", "mcts", "bots", "playout"):
        shutil.copytree(SITE / name, folder / name)
    return folder


def has_browser():
    """Return True if tests of the page can run."""
    return importlib.util.find_spec("playwright") is not None and shutil.which("chromium") is not None


@pytest.mark.long
@pytest.mark.parametrize(
    "title",
    ["A game as a Python class", "A game with chance", "A game with secrets", "A picture of a game", "A bot",
     "A searcher", "A rating model", "An executor"],
)  # fmt: skip
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


@pytest.mark.long
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
    copied_packages(tmp_path)
    title = "A game in Cython"
    ((source, _),) = files_of(title).items()
    write_files(tmp_path, files_of(title))
    for line in commands_of(title):
        if line == "make":
            build(tmp_path, source)
            continue
        if "--write" in line:  # would change the recordings of this clone
            assert (ROOT / line.split()[2]).exists()
            continue
        assert line.startswith(".venv/bin/python -P -m pytest tests/games ")
        # The page of the game is written by hand: tests of pages are left out.
        tests = [str(path) for path in sorted((ROOT / "tests" / "games").glob("test_contract*.py"))]
        command = f"python -P -m pytest -p no:cacheprovider -k take_away -m '' {' '.join(tests)}"
        out = run(ROOT, command, path=[tmp_path], cache=tmp_path)
        assert int(re.search(r"(\d+) passed", out)[1]) >= 10
    out = run(tmp_path, "python -m bots.cli arena take_away mcts random --games 4 --no-db", path=[tmp_path])
    assert "take_away(sticks=21,most=3)" in out


@pytest.mark.long
def test_a_game_in_another_package(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(ROOT / "examples" / "native_game", tmp_path / "package")
    install, *others = commands_of("A game in another package")
    assert install.startswith("pip install ")
    run(tmp_path / "package", f"python -m {install} --quiet --target {site}", path=[SITE])
    out = run(tmp_path, *others, path=[site, SITE])
    assert "nim(heaps=3-4-5,misere=false)" in out


@pytest.mark.long
@pytest.mark.parametrize("title", ["A selection policy", "A selection policy for several players", "A playout policy"])
def test_a_policy(title, tmp_path):
    write_files(tmp_path, files_of(title))
    out = run(tmp_path, *commands_of(title))
    assert "1 passed" in out or "[100%]" in out
    for name, path in re.findall(r"`(test_\w+)` in `(tests/[\w/]+\.py)`", recipe(title)):
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


@pytest.mark.long
@pytest.mark.parametrize("title", ["A feature of rulesheets", "A widget of the page"])
def test_a_change_in_the_tree(title, tmp_path, monkeypatch):
    """The difference that a recipe shows, in a copy of the packages."""
    if "page" in title and not has_browser():
        pytest.skip("needs playwright and chromium")
    monkeypatch.setenv("PLAYOUT_VARIANT", "baseline")  # which `build` compiles
    files = files_of(title)
    write_files(copied_packages(tmp_path), files)
    for line in commands_of(title):
        if line == "make":
            build(tmp_path, *re.findall(r"^\+\+\+ b/(.*\.pyx)$", "".join(files.values()), re.MULTILINE))
        else:
            out = run(tmp_path, line.removeprefix(".venv/bin/"), path=[tmp_path])
    assert re.search(r"\d passed|\[100%\]", out), out


def test_every_recipe_is_followed():
    headings = {page: re.findall(r"^## (.*)$", page.read_text(), re.MULTILINE) for page in PAGES}
    titles = [title for page in PAGES for title in headings[page]]
    linked = re.findall(r"^\| \[(.*?)\]\((extending/\w+\.md)#", INDEX.read_text(), re.MULTILINE)
    assert sorted(linked) == sorted((title, f"extending/{page.name}") for page in PAGES for title in headings[page])
    source = Path(__file__).read_text()
    assert [title for title in titles if f'"{title}"' not in source] == []
    shown = {(page.parent / target).resolve() for page in PAGES for _, target in FILE.findall(page.read_text())}
    assert {path for path in FILES.rglob("*.*") if path.suffix not in (".pyc", ".c", ".so")} == shown
