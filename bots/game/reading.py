"""Records from JSON. A record may come from anyone: reading checks every part of it, and loads no game and no bot."""

from __future__ import annotations

import re
from typing import Any

from ..errors import RecordError
from ..system.checked_json import CheckedObject, shown
from .parts import (
    FORMAT,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_RESTARTS,
    VERSION,
    RecordedFailure,
    RecordedPly,
    RecordedRules,
    RecordedSeat,
    RecordedView,
)

MOST_BYTES = 64 << 20
"""Size of the largest file that is read."""
_SEED = re.compile(r"[0-9]{1,20}")
_KEYS = (
    "format", "version", "library", "date", "game_id", "game", "seed", "restarts", "seats", "ending", "returns",
    "resigned", "failures", "view", "start", "opening", "plies", "rules",
)  # fmt: skip


def parts_of(given: Any) -> dict[str, Any]:
    """Return the arguments of `Record` that data from JSON contains. Raises RecordError."""
    head = CheckedObject("the record", given, RecordError)
    if (name := head.get("format", None)) != FORMAT:
        raise RecordError(f"format is {shown(name)}; valid: {FORMAT}, as Match.save and playout records -o write")
    version = head.get("version")
    if type(version) is int and version > VERSION:
        raise RecordError(f"version is {shown(version)}; valid: 1 to {VERSION}: a later version of Playout wrote it")
    if type(version) is not int or version < 1:
        raise RecordError(f"version is {shown(version)}; valid: 1 to {VERSION}")
    return _version_1(head)


def _version_1(head: CheckedObject) -> dict[str, Any]:
    head.check_keys(_KEYS)
    returns = None if head.get("returns") is None else tuple(map(_number("returns"), head.items("returns")))
    return {
        "game": head.text("game", LONGEST_NAME),
        "seats": tuple(_seat(f"seat {number}", seat) for number, seat in enumerate(head.items("seats"), 1)),
        "plies": tuple(_ply(f"ply {number}", ply) for number, ply in enumerate(head.items("plies"), 1)),
        "ending": head.text("ending"),
        "returns": returns,
        "resigned": tuple(map(_text("resigned"), head.items("resigned"))),
        "failures": tuple(_failure(f"failure {number}", item) for number, item in enumerate(head.items("failures"), 1)),
        "start": None if head.get("start") is None else head.text("start", LONGEST_TEXT),
        "opening": head.whole("opening", 0, MOST_RESTARTS),
        "seed": _seed(head.get("seed")),
        "restarts": head.whole("restarts", 0, MOST_RESTARTS),
        "library": head.text("library", LONGEST_NAME),
        "date": head.text("date"),
        "game_id": head.text("game_id", LONGEST_NAME),
        "view": None if head.get("view") is None else _view(head.object("view")),
        "rules": None if head.get("rules", None) is None else _rules(head.object("rules")),
    }


def _seat(where: str, given: Any) -> RecordedSeat:
    seat = CheckedObject(where, given, RecordError)
    seat.check_keys(("player", "bot", "name", "seconds"))
    return RecordedSeat(
        player=seat.text("player", LONGEST_NAME),
        bot=None if seat.get("bot") is None else seat.text("bot", LONGEST_TEXT),
        name=seat.text("name", LONGEST_NAME),
        seconds=None if seat.get("seconds") is None else seat.number("seconds"),
    )


def _ply(where: str, given: Any) -> RecordedPly:
    ply = CheckedObject(where, given, RecordError)
    ply.check_keys(("actions", "seconds", "values"))
    actions, seconds, values = ply.object("actions"), ply.object("seconds", {}), ply.object("values", {})
    return RecordedPly(
        {key: None if actions.get(key) is None else actions.text(key, LONGEST_TEXT) for key in actions.names()},
        {key: seconds.number(key) for key in seconds.names()},
        {key: values.number(key) for key in values.names()},
    )


def _failure(where: str, given: Any) -> RecordedFailure:
    failure = CheckedObject(where, given, RecordError)
    failure.check_keys(("player", "kind", "message", "ply"))
    return RecordedFailure(
        player=None if failure.get("player") is None else failure.text("player", LONGEST_NAME),
        kind=failure.text("kind"),
        message=failure.text("message", LONGEST_NAME),
        ply=failure.whole("ply", 0, MOST_RESTARTS),
    )


def _view(view: CheckedObject) -> RecordedView:
    view.check_keys(("player", "text"))
    return RecordedView(view.text("player", LONGEST_NAME), view.text("text", LONGEST_TEXT))


def _rules(rules: CheckedObject) -> RecordedRules:
    rules.check_keys(("sha256", "text"))
    text = rules.get("text", None)
    if text is not None and not isinstance(text, str):
        raise RecordError(f"text of rules is {shown(text)}; valid: the text of a rulesheet")
    return RecordedRules(rules.text("sha256"), text)


def _seed(given: Any) -> int | None:
    if given is None:
        return None
    if not isinstance(given, str) or not _SEED.fullmatch(given) or int(given) >= 2**64:
        raise RecordError(f"seed is {shown(given)}; valid: a whole number from 0 to 2**64 - 1 as a text, or null")
    return int(given)


def _number(where: str) -> Any:
    return lambda given: CheckedObject(where, {"an item": given}, RecordError).number("an item")


def _text(where: str) -> Any:
    return lambda given: CheckedObject(where, {"an item": given}, RecordError).text("an item", LONGEST_NAME)
