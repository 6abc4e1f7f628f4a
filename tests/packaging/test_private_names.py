"""The tests use no private names of the packages: they test what a user sees, and a change of form breaks none."""

import ast
import re
from pathlib import Path

import pytest
from support import ROOT

TESTS = ROOT / "tests"
PUBLIC = {"_variant", "_cpu", "_cyutility", "_repr_svg_"}
"""Modules of `cext` about its builds, and a method that notebooks call."""
OF_OTHERS = {
    "_thread", "_exit", "_getframe", "_replace", "_connection",
    "_cumulative_rewards", "_module",
}  # fmt: skip
"""Names of the standard library and of other packages."""
EXCEPTIONS = {
    "helpers/registries.py": "what a test registers is forgotten, which no program needs",
    "helpers/engine_games.py": "the log of an engine that has not failed; a moving clock; the condition of a worker",
}
"""File -> what is only to be had by a private name."""
PRIVATE = re.compile(r"_(?!_)\w+")
PATH = re.compile(r"(?:bots|cext|mcts)(?:\.\w+)+")
PATCHES = ("setattr", "delattr", "getattr", "hasattr")
MAY_HAVE = re.compile(r"\._[a-z]\w|[\"']_[a-z]\w+[\"']|import .*\b_(?!_)")
"""In each file with a private name; others are not parsed."""


def names_of(node):
    """The names in an attribute that is not of `self` or `cls`, in an import, or in a text that stands for them."""
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls")):
            return []
        case ast.Attribute(attr=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return ".".join([getattr(node, "module", None) or "", *(alias.name for alias in names)]).split(".")
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[_, ast.Constant(value=str(text)), *_]):
            return [text] if name in PATCHES else []
        case ast.Constant(value=str(text)) if PATH.fullmatch(text):
            return text.split(".")
    return []


def names_in(text):
    """The private names in a file of tests, as (line, name)."""
    nodes = ast.walk(ast.parse(text))
    return sorted({(node.lineno, name) for node in nodes for name in names_of(node) if PRIVATE.fullmatch(name)})


def test_no_test_uses_a_private_name():
    found = {}
    for path in sorted(set(TESTS.rglob("*.py")) - {Path(__file__)}):
        if MAY_HAVE.search(text := path.read_text()):
            used = [(line, name) for line, name in names_in(text) if name not in PUBLIC | OF_OTHERS]
            found[path.relative_to(TESTS).as_posix()] = used
    wrong = [f"tests/{file}:{line} {name}" for file in found.keys() - EXCEPTIONS for line, name in found[file]]
    assert not wrong, f"private names: {', '.join(sorted(wrong))}; valid: what a user sees, or a function of a helper"
    assert [file for file in EXCEPTIONS if not found.get(file)] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("bot._engine.log", ["_engine"]),
        ("self._made, cls._made, bot.__dict__, _own", []),
        ("from bots.registry import find_bot, _registered", ["_registered"]),
        ("import mcts._hidden", ["_hidden"]),
        ("patch.setattr('bots.registry._registered', {})", ["_registered"]),
        ("patch.setattr(Host, '_send', send); getattr(host, '_send')", ["_send"]),
        ("state.to_text() == 'x.o/._x'", []),
    ],
)
def test_private_names_are_found(text, names):
    assert sorted({name for _, name in names_in(text)}) == names
    assert MAY_HAVE.search(text) or not names
