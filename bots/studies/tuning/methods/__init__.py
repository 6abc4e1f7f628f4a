"""Methods of optimisation. The method `name` is in `methods/name.py`, whose `METHOD` is its class.

A method is told the score of the first of two settings against the second, as often as it asks. What it asks is a
function of the space, the number of iterations, the seed and the scores so far: a study continues by telling it the
stored scores again.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from mcts import ParameterError

from ..space import Setting, Space


class Method(Protocol):
    """One run of an optimisation."""

    def ask(self) -> tuple[Setting, Setting]:
        """Return the next two settings that meet."""

    def tell(self, score: float) -> None:
        """Receive the result of the first of these settings, from -1 (it lost all games) to 1."""

    def best(self) -> Setting:
        """Return the best setting as far as it is known."""


def method_names() -> list[str]:
    """Return the names of all methods."""
    return sorted(found.name for found in pkgutil.iter_modules(__path__))


def new_method(name: str, space: Space, iterations: int, seed: int) -> Method:
    """Return a new run of a method.

    Args:
        name: one of `method_names()`.
        space: the parameters.
        iterations: number of times that it will ask.
        seed: root of its random numbers.

    Raises:
        ParameterError: there is no such method, or it needs a package that is not installed.
    """
    if name not in method_names():
        raise ParameterError(f"--method {name!r} is unknown; valid: {', '.join(method_names())}")
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        others = [other for other in method_names() if other != name]
        raise ParameterError(
            f"--method {name} needs {error.name}; valid: --method {' or '.join(others)}, "
            f"or --method {name} after pip install 'playout[tune]'"
        ) from None
    found: Method = module.METHOD(space, iterations, seed)
    return found
