"""Dependencies point one way: between the packages, inside them, and without circles. Every import and cimport is read.

cext <- mcts <- bots <- playout <- (bench, examples, tests)
"""

import ast
import graphlib
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

LAYERS = ["cext", "mcts", "bots", "playout"]
SOURCES = sorted(
    path for layer in LAYERS for kind in ("*.py", "*.pyi", "*.pyx", "*.pxd") for path in (ROOT / layer).rglob(kind)
)
CYTHON_IMPORT = re.compile(
    r"^\s*(?:from\s+(?P<source>[.\w]+)\s+c?import\s+(?P<names>[^#\n]+)|c?import\s+(?P<whole>[^#\n]+))"
)
CYTHON_ITSELF = {"libc", "libcpp", "cpython", "cython", "posix"}
DISTRIBUTIONS = {"multiprocessing-logging": "multiprocessing_logging", "pillow": "PIL", "resvg-py": "resvg_py"}
BROUGHT = {"fastapi": ("pydantic", "starlette"), "open_spiel": ("pyspiel",), "rich": ("markdown_it",)}
"""Dependency -> packages of its own interface that it always installs."""


def module_of(path, root=ROOT):
    """The dotted name of a source file."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def absolute(path, dots, name, root):
    """What a relative import of a file means."""
    if not dots:
        return name
    package = path.relative_to(root).parent.parts
    return ".".join([*package[: len(package) - dots + 1], *([name] if name else [])])


def with_names(source, names):
    """`from source import names` may mean modules below source: all that it may mean."""
    return [source, *(f"{source}.{name}" for name in names)]


def python_imports(path, root):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = absolute(path, node.level, node.module or "", root)
            yield from with_names(source, [alias.name for alias in node.names])


def cython_imports(path, root):
    # Brackets and backslashes may spread one import over several lines.
    text = re.sub(r"\\\n", " ", path.read_text())
    text = re.sub(r"import\s*\(([^)]*)\)", lambda match: "import " + " ".join(match[1].split()), text)
    for line in text.splitlines():
        match = CYTHON_IMPORT.match(line)
        if match is None:
            continue
        if match["whole"]:
            yield from (part.split()[0] for part in match["whole"].split(","))
            continue
        bare = match["source"].lstrip(".")
        source = absolute(path, len(match["source"]) - len(bare), bare, root)
        yield from with_names(source, [part.split()[0] for part in match["names"].split(",") if part.strip()])


@cache
def imports(path, root=ROOT):
    """Dotted names of all that a file imports or cimports."""
    read = python_imports if path.suffix in (".py", ".pyi") else cython_imports
    return set(read(path, root))


def declared():
    """Top-level names that the project's dependencies provide, those that users may leave out among them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needs = [
        *project["dependencies"],
        *(need for name in extras if name not in ("test", "lint", "bench") for need in extras[name]),
    ]
    names = {re.match(r"[\w-]+", need)[0] for need in needs}
    return {
        *(DISTRIBUTIONS.get(name, name) for name in names),
        *(module for name in names for module in BROUGHT.get(name, ())),
    }


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_downwards(layer):
    allowed = {*LAYERS[: LAYERS.index(layer) + 1], *sys.stdlib_module_names}
    allowed |= CYTHON_ITSELF | {"numpy"} if layer == "cext" else declared()
    sources = [path for path in SOURCES if path.relative_to(ROOT).parts[0] == layer]
    assert [(path, name) for path in sources for name in imports(path) if name.split(".")[0] not in allowed] == []


def game_of(module):
    """Return the game that a module of `cext.games` belongs to, None for other modules and for what games share."""
    match = re.match(r"cext\.games\.(?:lanes\.)?(\w+)", module)
    return match[1] if match and match[1] not in ("common", "lanes") else None


GAME_SOURCES = [path for path in SOURCES if game_of(module_of(path))]


def test_games_are_files_and_packages():
    assert {"mnk", "bidding_3d_ttt"} < {game_of(module_of(path)) for path in GAME_SOURCES}


def test_games_do_not_import_each_other():
    games = {game_of(module_of(path)) for path in GAME_SOURCES}
    for path in GAME_SOURCES:
        assert {game_of(name) for name in imports(path)} & games <= {game_of(module_of(path))}, path


LAYER_TABLE = re.compile(r"^### `([\w.]+)`\n\n\| Parts \|.*\n\| --- .*\n((?:\|.*\n)+)", re.MULTILINE)


def layers():
    """Return package -> its parts from bottom to top, from the tables of layers in docs."""
    found = {}
    for page in sorted((ROOT / "docs").glob("*.md")):
        for package, rows in LAYER_TABLE.findall(page.read_text()):
            assert package not in found, f"{page} repeats the layers of {package}"
            found[package] = [part for row in rows.splitlines() for part in re.findall(r"`([^`]+)`", row.split("|")[1])]
    return found


ORDERS = layers()


def test_the_pages_have_the_layers_of_all_packages():
    assert {*LAYERS[:-1], "cext.search", "cext.exact", "mcts.exact", "bots.arena"} <= set(ORDERS)


@cache
def dependencies():
    """Module -> modules of this project that it imports. `from package import module` imports the module alone."""
    modules = {module_of(path) for path in SOURCES}
    found = {module: set() for module in modules}
    for path in SOURCES:
        names = imports(path)
        for name in names:
            if name in modules and any(other.rpartition(".")[0] == name and other in modules for other in names):
                continue
            while name and name not in modules:
                name = name.rpartition(".")[0]
            if name and name != module_of(path):
                found[module_of(path)].add(name)
    return found


def test_no_circle_of_imports():
    list(graphlib.TopologicalSorter(dependencies()).static_order())  # raises CycleError


@pytest.mark.parametrize("package", ORDERS)
def test_parts_of_a_package_import_only_from_those_below(package):
    order = ORDERS[package]
    assert len(order) == len(set(order))
    parts = {path.stem for path in (ROOT / Path(*package.split("."))).iterdir() if path in SOURCES or path.is_dir()}
    assert parts - {"__init__", "__pycache__", "x86_64_v3", "x86_64_v4"} == set(order)
    wrong = []
    for module, below in dependencies().items():
        for other in below:
            if module.startswith(f"{package}.") and other.startswith(f"{package}."):
                upper, lower = (name[len(package) + 1 :].split(".")[0] for name in (module, other))
                if order.index(lower) > order.index(upper):
                    wrong.append(f"{module} imports {other}")
    assert wrong == []


def test_imports_are_read_from_python_and_cython(tmp_path):
    folder = tmp_path / "cext" / "games"
    folder.mkdir(parents=True)
    cython = folder / "a.pyx"
    lines = ["from ..rng cimport (rng_t,", "    rng_below)", "cimport numpy as np", "from . cimport b", "import os, re"]
    cython.write_text("\n".join(lines))
    below = {"cext.rng", "cext.rng.rng_t", "cext.rng.rng_below", "cext.games", "cext.games.b"}
    assert imports(cython, tmp_path) == {*below, "numpy", "os", "re"}
    plain = folder / "c.py"
    plain.write_text("from ..errors import E\ndef f():\n    import bots.cli\n    from . import d\n")
    assert imports(plain, tmp_path) == {"cext.errors", "cext.errors.E", "bots.cli", "cext.games", "cext.games.d"}
    assert module_of(plain, tmp_path) == "cext.games.c"


def test_all_kinds_of_sources_are_read():
    assert {path.suffix for path in SOURCES} == {".py", ".pyi", ".pyx", ".pxd"}
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == set(LAYERS)
