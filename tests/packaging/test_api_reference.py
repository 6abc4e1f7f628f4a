"""The reference in docs/api: it has an entry for every public name, and every public member has a docstring."""

import importlib
import inspect
import re
from dataclasses import fields, is_dataclass

from documents import DOCS

import mcts

PAGES = sorted((DOCS / "api").glob("*.md"))
ENTRIES_OF = re.compile(r"^```\{entries\} ?(.*)\n((?:.+\n)+?)```$", re.MULTILINE)
DATA = re.compile(r"^\.\. py:(?:type|data):: ([\w.]+)$", re.MULTILINE)
PUBLIC = ("mcts", "mcts.errors", "mcts.parameters", "mcts.pictures", "mcts.reference", "bots", "bots.arena", "playout")
"""Modules whose names in `__all__` are public."""


def entries(page):
    """Return the full names of the entries of a page."""
    text = page.read_text()
    blocks = [(f"{module}." if module else "", names) for module, names in ENTRIES_OF.findall(text)]
    return [before + line.split()[0] for before, names in blocks for line in names.splitlines()] + DATA.findall(text)


def thing_at(name):
    """Return the object with a full name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


ENTRIES = [name for page in PAGES for name in entries(page)]


def described(kind):
    """Return the names that the docstring of a class or a text below a field describes."""
    listed = re.findall(r"^ {4}(\w+(?:, \w+)*):", inspect.getdoc(kind), re.MULTILINE)
    below = (
        re.findall(r'^    (\w+): [^\n]*\n    """', inspect.getsource(kind), re.MULTILINE) if is_dataclass(kind) else []
    )
    return {name for names in listed for name in names.split(", ")} | set(below)


def undescribed(kind):
    """Return the names of public members that have no docstring, own or inherited, and no line in that of the class."""
    found = {
        name
        for name, member in vars(kind).items()
        if (callable(member) or inspect.isdatadescriptor(member))
        and not isinstance(member, type)
        and not inspect.getdoc(getattr(kind, name))
    }
    if is_dataclass(kind):
        found |= {field.name for field in fields(kind)} & set(kind.__annotations__)
    return sorted(name for name in found - described(kind) if not name.startswith("_"))


class Undescribed(mcts.Searcher):
    """A searcher that describes one of its attributes.

    Attributes:
        first: an attribute.
    """

    def run(self, *arguments, **keywords):
        return super().run(*arguments, **keywords)

    def other(self):
        return None

    @property
    def first(self):
        return 1

    @property
    def second(self):
        return 2


def test_every_public_name_has_one_entry():
    assert len(ENTRIES) == len(set(ENTRIES))
    names = [f"{module}.{name}" for module in PUBLIC for name in importlib.import_module(module).__all__]
    names = [name for name in names if not name.endswith("__") and not inspect.ismodule(thing_at(name))]
    assert [name for name in names if name not in ENTRIES and thing_at(name) not in map(thing_at, ENTRIES)] == []


def test_every_public_module_is_known():
    found = {"mcts", "bots"}
    for package in (importlib.import_module(name) for name in ("mcts", "bots", "bots.arena")):
        folder = DOCS.parent / package.__name__.replace(".", "/")
        for path in folder.glob("*.py"):
            if "__all__ = " in path.read_text():
                found.add(package.__name__ if path.stem == "__init__" else f"{package.__name__}.{path.stem}")
    # Their names are those of the package, which has them all.
    inner = {"mcts.game"}
    for name in inner:
        package = importlib.import_module(name.rpartition(".")[0])
        assert set(importlib.import_module(name).__all__) <= set(package.__all__), name
    assert found - inner <= set(PUBLIC)


def test_entries_and_their_members_have_docstrings():
    things = {name: thing_at(name) for name in ENTRIES}
    explained = [name for name, thing in things.items() if inspect.isroutine(thing) or inspect.isclass(thing)]
    assert [name for name in explained if inspect.getdoc(things[name]) in (None, "", inspect.getdoc(object))] == []
    missing = {name: undescribed(thing) for name, thing in things.items() if inspect.isclass(thing)}
    assert {name: members for name, members in missing.items() if members} == {}


def test_the_check_of_members_finds_what_is_missing():
    assert undescribed(Undescribed) == ["other", "second"]
