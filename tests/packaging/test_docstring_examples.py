"""Examples in docstrings: they run, and the names that readers meet first have one."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import bots
import cext
import mcts
from bots import arena

NAMES = {"arena": arena, "bots": bots, "mcts": mcts}
"""Names that examples use without an import."""
MUST = [
    mcts.load_game, mcts.State, mcts.View, mcts.playouts, mcts.MCTS, mcts.solve, mcts.load_searcher, bots.load_bot,
    arena.describe,
]  # fmt: skip


def things_of(package):
    """Yield the full name and the object of everything that the modules of a package define."""
    for entry in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".x86_64_v" in entry.name or entry.name.endswith("__main__"):
            continue
        module = importlib.import_module(entry.name)
        yield entry.name, module
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) != entry.name:
                continue
            yield f"{entry.name}.{name}", thing
            if inspect.isclass(thing):
                yield from ((f"{entry.name}.{name}.{key}", member) for key, member in vars(thing).items())


def example_of(name, thing):
    """Return the examples of a docstring as one test, or None."""
    kinds = (inspect.ismodule, inspect.isclass, inspect.isroutine, inspect.isdatadescriptor)
    text = getattr(thing, "__doc__", None) if any(is_kind(thing) for is_kind in kinds) else None
    if not isinstance(text, str) or ">>>" not in text:
        return None
    return doctest.DocTestParser().get_doctest(text, dict(NAMES), name, None, 0)


@pytest.mark.parametrize("package", [cext, mcts, bots], ids=lambda package: package.__name__)
def test_the_examples_of_a_package_run(package, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told, runner = [], doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in filter(None, (example_of(name, thing) for name, thing in things_of(package))):
        runner.run(test, out=told.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(told)


@pytest.mark.parametrize("thing", MUST, ids=lambda thing: thing.__name__)
def test_a_name_that_readers_meet_first_has_an_example(thing):
    assert example_of(thing.__name__, thing) is not None


def test_an_error_is_found():
    def wrong():
        """Return a wrong example.

        >>> mcts.load_game("mnk").num_actions
        10
        """

    told = []
    result = doctest.DocTestRunner().run(example_of("wrong", wrong), out=told.append)
    assert (result.failed, result.attempted) == (1, 1)
    assert "Expected:\n    10\nGot:\n    9\n" in "".join(told)
