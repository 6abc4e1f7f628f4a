"""Display names of the bots of a tournament. They do not affect its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cext.arguments import counted

from ...errors import TournamentError

MOST_CHARACTERS = 60
_MOST_DIGITS = 10


def unique_labels(names: Sequence[str]) -> list[str]:
    """Return the names, with #2, #3 and so on appended to repeated ones."""
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return labels


def labels_of(bots: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return a label for each bot: its name, or its spec if it has no name.

    Args:
        bots: specs.
        names: a name for each bot, empty for a bot without one; or no names at all.

    Raises:
        TournamentError: a name is not valid, or two bots have the same label.
    """
    if not any(names):
        return tuple(unique_labels(bots))
    if len(names) != len(bots):
        raise TournamentError(
            f"{counted(len(names), 'name')} for {counted(len(bots), 'bot')}; valid: one for each, empty for none"
        )
    for name in filter(None, names):
        check_name(name)
    specs = iter(unique_labels([bot for bot, name in zip(bots, names, strict=True) if not name]))
    labels = tuple(name or next(specs) for name in names)
    twice = [label for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise TournamentError(f"two bots have the label {twice[0]!r}; valid: a different name for each bot")
    return labels


def check_name(name: object) -> None:
    """Raise TournamentError unless a name is short and printable."""
    if (
        not isinstance(name, str)
        or not 1 <= len(name) <= MOST_CHARACTERS
        or not name.isprintable()
        or name != name.strip()
    ):
        shown = repr(name)[: MOST_CHARACTERS + 20]
        raise TournamentError(
            f"{shown} is not a name for a bot; valid: 1 to {MOST_CHARACTERS} printable characters, "
            "without spaces at the ends"
        )


def bot_number(text: str, num_bots: int) -> int | None:
    """Return the number of a bot in a text, counted from 1; None if it names no bot."""
    digits = text.strip()
    # int() refuses very long numbers.
    if not digits.isdecimal() or len(digits) > _MOST_DIGITS or not 1 <= int(digits) <= num_bots:
        return None
    return int(digits)


def read_names(num_bots: int, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names given as texts NUMBER=NAME, such as `2=new`; empty for the other bots. Numbers begin at 1.

    Raises:
        TournamentError: a text has another form, no bot has the number, or a bot is named twice.
    """
    found: dict[int, str] = {}
    for text in texts:
        given, equals, name = text.partition("=")
        number = bot_number(given, num_bots)
        if not equals or number is None:
            raise TournamentError(
                f"{text!r} does not name a bot; valid: NUMBER=NAME as in 1=new, the number from 1 to {num_bots}"
            )
        if number in found:
            raise TournamentError(f"bot {number} has two names, {found[number]!r} and {name!r}; valid: one")
        check_name(name)
        found[number] = name
    return tuple(found.get(number, "") for number in range(1, num_bots + 1)) if found else ()
