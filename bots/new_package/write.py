"""Small packages to begin with: a game in Python or in Cython, or a bot, each with tests and a README."""

from __future__ import annotations

import keyword
import re
import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from string import Template

from mcts import ParameterError, PlayoutError
from mcts.registry import native_games

from ..registry import registered_bots

KINDS = {
    "game": ("package", "sticks", "game"),
    "secrets": ("package", "secrets"),
    "native_game": ("package", "sticks", "native_game"),
    "bot": ("package", "bot"),
}
"""Kind of a package -> the folders of `templates` that it has; `sticks` has the tests of an example."""
ENTRY_POINTS = """
# Commands and programs find the game by its name. The name maps to the module, which has INFO and GAME.
[project.entry-points."playout.games"]
{name} = "{name}.game"
"""
SUFFIX = ".tmpl"
OWN_PACKAGES = ("bots", "mcts", "cext")
"""Packages of Playout. A folder of the same name with `__init__.py` can come before them in the path of a program."""
PACKAGE = "PACKAGE"
"""Name of the folder in the templates that gets the name of the package."""


def write_package(kind: str, name: str, folder: Path) -> list[Path]:
    """Write a package, and return the paths of its files.

    Args:
        kind: one of `KINDS`.
        name: of the game or bot, and of its package: lower-case letters, digits and underscores.
        folder: folder of the package, which must not exist.

    Raises:
        ParameterError: the name is not valid or is taken, or a folder has the name of a package of Playout.
        PlayoutError: the folder exists, or cannot be written.
    """
    _check_name(kind, name)
    hidden = [part for part in folder.parts if part in OWN_PACKAGES]
    if hidden:
        raise ParameterError(
            f"folder {str(folder)!r}: a folder {hidden[0]!r} can hide the package {hidden[0]} of Playout; "
            f"valid: folders with other names than {', '.join(OWN_PACKAGES)}"
        )
    words = {
        "kind": "bot" if kind == "bot" else "game",
        "requires": '"setuptools>=77", "cython>=3.1", "playout"' if kind == "native_game" else '"setuptools>=77"',
        "entry_points": "" if kind == "bot" else ENTRY_POINTS.format(name=name),
        "name": name,
        "package": name,
        "dashed": name.replace("_", "-"),
        "class_name": "".join(part.capitalize() for part in name.split("_")),
    }
    written = []
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise PlayoutError(f"{folder} exists; valid: a folder that does not exist") from None
    except OSError as error:
        raise PlayoutError(f"{folder} cannot be made: {error.strerror}") from error
    try:
        with resources.as_file(resources.files(__package__) / "templates") as templates:
            sources = {
                source.relative_to(templates / layer): source
                for layer in KINDS[kind]
                for source in (templates / layer).rglob(f"*{SUFFIX}")
            }
            for place, source in sorted(sources.items()):
                path = folder / str(place).removesuffix(SUFFIX).replace(PACKAGE, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(Template(source.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
                written.append(path)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise PlayoutError(f"{folder} cannot be written: {error.strerror}") from error
    return written


def _check_name(kind: str, name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise ParameterError(
            f"{name!r} cannot be the name of a package; valid: lower-case letters, digits and single underscores, "
            "such as my_game"
        )
    taken = registered_bots() if kind == "bot" else native_games()
    if name in taken:
        raise ParameterError(f"{name!r} is taken; valid: a name other than {', '.join(taken)}")
    if find_spec(name) is not None:
        raise ParameterError(f"{name!r} is the name of an installed package; valid: another name")
