"""Records from JSON, as the arguments of `Record`, which checks the values. No game and no bot is loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ..errors import RecordError
from ..system.checked_json import CheckedObject, shown
from .parts import FORMAT, VERSION, RecordedFailure, RecordedPly, RecordedRules, RecordedSeat, RecordedView

MOST_BYTES = 64 << 20
"""Size of the largest file that is read."""
_SEED = re.compile(r"[0-9]{1,20}")


def parts_of(given: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `Record`, of these names, that data from JSON contains. Raises RecordError."""
    head = CheckedObject("the record", given, RecordError)
    if (name := head.get("format", None)) != FORMAT:
        raise RecordError(f"format is {shown(name)}; valid: {FORMAT}, as Match.save and playout records -o write")
    version = head.get("version")
    if type(version) is int and version > VERSION:
        raise RecordError(f"version is {shown(version)}; valid: 1 to {VERSION}: a later version of Playout wrote it")
    if type(version) is not int or version < 1:
        raise RecordError(f"version is {shown(version)}; valid: 1 to {VERSION}")
    head.check_keys(("format", "version", *names))
    found = {name: head.get(name) for name in names if name != "rules"}
    return found | {
        "seats": _parts(RecordedSeat, "seat", head.items("seats")),
        "plies": _parts(RecordedPly, "ply", head.items("plies"), "seconds", "values"),
        "returns": None if found["returns"] is None else tuple(head.items("returns")),
        "resigned": tuple(head.items("resigned")),
        "failures": _parts(RecordedFailure, "failure", head.items("failures")),
        "seed": _seed(found["seed"]),
        "view": None if found["view"] is None else _part(RecordedView, "view of the record", found["view"]),
        "rules": None if head.get("rules", None) is None else _part(RecordedRules, "rules", head.get("rules"), "text"),
    }


def _parts(kind: Any, what: str, given: Sequence[Any], *optional: str) -> tuple[Any, ...]:
    return tuple(_part(kind, f"{what} {number}", part, *optional) for number, part in enumerate(given, 1))


def _part(kind: Any, where: str, given: Any, *optional: str) -> Any:
    """Return a part of a record from an object with its keys, some of which are optional."""
    part = CheckedObject(where, given, RecordError)
    names = [one.name for one in fields(kind)]
    part.check_keys(names)
    return kind(**{name: part.get(name) for name in names if name in part.given or name not in optional})


def _seed(given: Any) -> int | None:
    if given is None:
        return None
    if not isinstance(given, str) or not _SEED.fullmatch(given) or int(given) >= 2**64:
        raise RecordError(f"seed is {shown(given)}; valid: a whole number from 0 to 2**64 - 1 as a text, or null")
    return int(given)
