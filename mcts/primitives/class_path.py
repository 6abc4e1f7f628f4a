"""Classes named by their path, `package.module.Class`, as games and bots of other packages are."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TypeVar

from .places import with_place

T = TypeVar("T")


def class_at(path: str, base: type[T], base_name: str) -> type[T]:
    """Import a class by its path.

    Args:
        path: module and class joined by dots.
        base: the required base class.
        base_name: public name of `base` for messages, e.g. `mcts.PythonGame`.

    Raises:
        LookupError: the module or the class does not exist; the message says which.
        ImportError: the module exists, and its import raised an exception.
    """
    module_path, _, name = path.rpartition(".")
    if name == "py":
        raise LookupError(f"it is a file; valid: {module_path}.CLASS, with the folder of the file in PYTHONPATH")
    try:
        module = importlib.import_module(module_path)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_path}.".startswith(f"{error.name}."):
            raise ImportError(f"cannot import {module_path!r} ({error})") from error
        top = module_path.partition(".")[0]
        is_here = Path(f"{top}.py").exists() or Path(top).is_dir()
        hint = "is it installed, or its folder in PYTHONPATH?"
        if is_here:
            hint = f"{top} is in this folder, which is not searched; valid: PYTHONPATH=. before the command"
        raise LookupError(f"cannot import {module_path!r} ({error}); {hint}") from error
    except (Exception, SystemExit) as error:
        raise ImportError(
            f"cannot import {module_path!r} ({with_place(f'{type(error).__name__}: {error}', error)})"
        ) from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise LookupError(f"{module_path!r} has no class {name!r} derived from {base_name}")
    return kind


def named_class(
    what: str, path: str, base: type[T], base_name: str, error: type[Exception], advice: str = ""
) -> type[T]:
    """Import a class by its path, as `class_at`.

    Raises:
        error: the class does not exist, or cannot be imported; the message begins with what the class is for.
    """
    try:
        return class_at(path, base, base_name)
    except (LookupError, ImportError) as reason:
        raise error(f"unknown {what} {path!r}: {reason}{advice}") from reason.__cause__


def own_path(kind: type, path: str) -> str:
    """Return the path of the module that defines a class; `path` if the class cannot be found there."""
    module = sys.modules.get(kind.__module__)
    found = getattr(module, kind.__qualname__, None)
    return f"{kind.__module__}.{kind.__qualname__}" if found is kind else path
