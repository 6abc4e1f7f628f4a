"""Rulesheets by name: those of the package, and the texts of files that were loaded before on this machine."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakValueDictionary

from cext.arguments import shown
from cext.game_info import SCORES, WINS, GameInfo
from cext.parameters import Integer, Parameter

from ..errors import RulesheetError
from ..primitives.failures import failures_named
from ..primitives.files import cache_folder, keep_within, read_regular, write_whole
from .head import Head, read_head
from .parser import MAX_CHARACTERS, RANDOM

SUFFIX = ".kif"
SHOWN_DIGITS = 16
"""Digits of the SHA-256 of a file that stand in the spec of its game."""
PARAMETERS: dict[str, Parameter] = {
    "max_steps": Integer(1000, 1, 100_000),
    "seconds": Integer(60, 1, 3600),
}

MAX_BYTES = 64 << 20
"""Limit of the size of the texts that are kept: those that were not used for longest are deleted."""

_CACHE = "rulesheets"
_FOLDER = Path(__file__).parent.parent / "rulesheets"
_ROLE = re.compile(r"\(\s*role\s+([^\s()?]+)\s*\)", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n]*")
_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9]")
_in_use: WeakValueDictionary[str, TextGame] = WeakValueDictionary()
"""First digits of the SHA-256 -> a game of this process with the text."""


class TextGame(Protocol):
    """A game of a rulesheet."""

    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""


@cache
def library_games() -> tuple[str, ...]:
    """Return the names of the rulesheets of the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob(f"*{SUFFIX}")))


def library_text(name: str) -> str:
    """Return a rulesheet of the package. Raises RulesheetError if it cannot be read."""
    return read_file(_FOLDER / f"{name}{SUFFIX}")


def library_rules(name: str, text: str) -> str:
    """Return the rules of a rulesheet of the package in words and the headline of its text; empty for another text."""
    if name not in library_games() or text != library_text(name):
        return ""
    return f"{read_file(_FOLDER / f'{name}.md')}\n## Source\n\n"


@cache
def library_info(name: str) -> GameInfo:
    """Return the description of a rulesheet of the package, which is not compiled.

    Its `utility_sum` is None: the network of the game tells whether the sum is constant.
    """
    text = library_text(name)
    head = read_head(text)
    roles = dict.fromkeys(_ROLE.findall(_COMMENT.sub("", text)))
    players = tuple(role for role in roles if role.lower() != RANDOM)
    return info_of(name, head, players, summary=head.summary, kind=head.fields.get("kind", "turns"))


def info_of(name: str, head: Head, players: tuple[str, ...], **more: Any) -> GameInfo:
    """Return the description of a rulesheet.

    Args:
        name: of the game.
        head: of the rulesheet.
        players: the roles.
        more: further fields of `GameInfo`, at least `summary`.
    """
    fields: dict[str, Any] = {"parameters": PARAMETERS, "utility_sum": None, "title": head.title}
    fields |= {key: head.fields.get(key, "") for key in ("size", "hint", "amounts")}
    phrases = (part.partition("=") for part in head.fields.get("phrases", "").split(","))
    fields["phrases"] = {kind.strip(): phrase.strip() for kind, sign, phrase in phrases if sign}
    fields["score"] = head.fields["score"] if head.fields.get("score") in SCORES else WINS
    return GameInfo(name=name, players=players, **fields | more)


def file_name(path: str) -> str:
    """Return the name of a file as a spec can have it, without its folder. Other letters become underscores.

    Example:
        >>> from mcts.gdl.rulesheets import file_name
        >>> file_name("games/connect-four.kif")
        'connect_four.kif'
    """
    stem = _OTHER_LETTERS.sub("_", Path(path).name.removesuffix(SUFFIX))
    return f"{'' if stem[:1].isalpha() else '_'}{stem}{SUFFIX}"


def read_file(path: Path | str) -> str:
    """Return the text of a rulesheet.

    Raises:
        RulesheetError: the file cannot be read.
    """
    with failures_named(f"{path} cannot be read", RulesheetError, OSError, ValueError):
        return read_regular(path, MAX_CHARACTERS).decode("utf-8")


def digest_of(text: str) -> str:
    """Return the SHA-256 of the text of a rulesheet, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str, least: int = 64) -> bool:
    """Return True for 64 hexadecimal digits in small letters, or for the first `least` or more of them."""
    return re.fullmatch(rf"[0-9a-f]{{{least},64}}", text) is not None


def note(game: TextGame) -> None:
    """Let this process load a game by its SHA-256 alone, as long as it is in use."""
    _in_use[game.digest[:SHOWN_DIGITS]] = game


def remember(game: TextGame) -> None:
    """Keep the text of a file in the cache of the user, so that all processes load its game by its SHA-256 alone.

    Where the folder cannot be written, it is not kept.
    """
    path = cache_folder(_CACHE) / f"{game.digest[:SHOWN_DIGITS]}{SUFFIX}"
    with suppress(OSError):
        if path.exists():
            os.utime(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, game.text.encode("utf-8"), mode=0o600)
        keep_within(path.parent, SUFFIX, MAX_BYTES)


def remembered(name: str, digits: str) -> str:
    """Return the text of a file by its SHA-256, or by 16 or more of its first digits.

    Args:
        name: of the game, for the message.
        digits: of the SHA-256.

    Raises:
        RulesheetError: no file with this text was loaded on this machine.
    """
    if is_digest(digits, SHOWN_DIGITS):
        key = digits[:SHOWN_DIGITS]
        known = _in_use.get(key)
        if known is not None and known.digest.startswith(digits):
            return known.text
        with suppress(RulesheetError):
            path = cache_folder(_CACHE) / f"{key}{SUFFIX}"
            text = read_file(path)
            if digest_of(text).startswith(digits):
                with suppress(OSError):
                    os.utime(path)
                return text
    raise RulesheetError(
        f"the rulesheet {name} with the SHA-256 {shown(digits)} was not loaded on this machine; valid: the file itself"
    )
