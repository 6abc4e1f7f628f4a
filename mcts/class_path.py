"""Classes named by their path, `package.module.Class`, as games and bots of other packages are."""

from __future__ import annotations

import importlib
import sys
from typing import TypeVar

T = TypeVar("T")


def class_at(path: str, base: type[T], base_name: str) -> type[T]:
    """Import the class that a path names.

    Args:
        path: module and class joined by dots.
        base: what the class has to derive from.
        base_name: what a user calls `base`, for the message, e.g. `mcts.PythonGame`.

    Raises:
        LookupError: there is no such module or class; the message says which.
        ImportError: the module is there, and an exception ended its import.
    """
    module_path, _, name = path.rpartition(".")
    try:
        module = importlib.import_module(module_path)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_path}.".startswith(f"{error.name}."):
            raise ImportError(f"cannot import {module_path!r} ({error})") from error
        hint = "is it installed, or its folder in PYTHONPATH?"
        raise LookupError(f"cannot import {module_path!r} ({error}); {hint}") from error
    except (Exception, SystemExit) as error:
        raise ImportError(f"cannot import {module_path!r} ({type(error).__name__}: {error})") from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise LookupError(f"{module_path!r} has no class {name!r} derived from {base_name}")
    return kind


def own_path(kind: type, path: str) -> str:
    """The path of a class where it is defined; `path`, by which it was found, if it cannot be found there."""
    module = sys.modules.get(kind.__module__)
    found = getattr(module, kind.__qualname__, None)
    return f"{kind.__module__}.{kind.__qualname__}" if found is kind else path
