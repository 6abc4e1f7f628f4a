"""Fingerprints of the code of bots, which show whether a bot has changed since its games were stored."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from ..registry import registered_kind
from ..system.version import UNKNOWN, package_version

_DIGITS = 16


def code_of(bots: Sequence[str]) -> list[str]:
    """Return the version of this package, and a fingerprint for each bot. Nothing is imported.

    The fingerprint of a bot of this package is "playout", since the version identifies its code. The fingerprint of
    another bot is a hash of the file of its module, without the modules that it imports.

    Args:
        bots: specs of the bots.
    """
    return [package_version(), *map(_fingerprint, bots)]


def changes(then: Sequence[str], now: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Return a sentence for each change between two results of `code_of`.

    Args:
        then: earlier result, for the same bots or the first of them.
        now: later result.
        bots: specs of the bots.
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
    """Return the file of a module, without running code of the module or of its packages."""
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
