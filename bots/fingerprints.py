"""Fingerprints of the code of bots, so that games of a former state of a bot can be told from those of the present."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from .registry import registered_kind

UNKNOWN = ""
"""Fingerprint of code that cannot be found."""
_DIGITS = 16


def code_of(bots: Sequence[str]) -> list[str]:
    """Return the version of this package, and a fingerprint for each bot.

    The code of a bot of this package is that of its version, so its fingerprint is "playout". For another one it is
    made of the file of its module alone; modules that this one imports do not count. Nothing is imported.

    Args:
        bots: their specs.
    """
    return [package_version(), *map(_fingerprint, bots)]


@cache
def package_version() -> str:
    """Return the installed version of this package, UNKNOWN where it is not installed."""
    try:
        return importlib.metadata.version("playout")
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN


def changes(then: Sequence[str], now: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Return what has changed between two results of `code_of`, a sentence each.

    Args:
        then: the earlier one, of the same bots or of the first of them.
        now: the later one.
        bots: their specs.
    """
    found = []
    if UNKNOWN not in (then[0], now[0]) and then[0] != now[0]:
        found.append(f"playout {then[0]} played them, this is playout {now[0]}")
    found += dict.fromkeys(
        f"the code of {bot} has changed"
        for bot, old, new in zip(bots, then[1:], now[1:], strict=False)
        if UNKNOWN not in (old, new) and old != new
    )
    return found


def _fingerprint(spec: str) -> str:
    head = spec.split("(")[0].split(":")[0].strip()
    path, _, _ = head.rpartition(".")
    if not path:
        kind = registered_kind(head)
        if kind is None:
            return "playout"
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    else:
        file = _file_of(path)
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:_DIGITS] if file else UNKNOWN
    except OSError:
        return UNKNOWN


def _file_of(module: str) -> str | None:
    """The file of a module, found without running its code or that of the packages that it is in."""
    found: ModuleSpec | None = None
    where: Sequence[str] | None = None
    names = module.split(".")
    for depth in range(1, len(names) + 1):
        try:
            found = PathFinder.find_spec(".".join(names[:depth]), where)
        except (ImportError, ValueError):
            return None
        if found is None:
            return None
        where = list(found.submodule_search_locations or ())
    return None if found is None else found.origin
