"""Failures of the same bot, kind and message, counted together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...game.failures import Failure

NUMBERS_OF_GROUP = 20
"""Most numbers of games that a group keeps."""
FAILURE_GROUPS = 200
"""Most groups of failures on a page."""
OTHER_MESSAGES = "(other messages)"

BotKey = TypeVar("BotKey", int, str)
"""Index or label of a bot."""


@dataclass
class FailureGroup(Generic[BotKey]):
    """Failures of the same bot, kind and message."""

    bot: BotKey
    kind: str
    message: str
    log: str
    """Log of the first failure."""
    count: int = 0
    """Number of failures."""
    numbers: list[int] = field(default_factory=list)
    """Numbers of the first games with such a failure."""


class FailureGroups(Generic[BotKey]):
    """Groups failures as they come, in bounded memory.

    Args:
        most_groups: groups to keep; failures with further messages form one more group for each bot and kind. None
            for no limit.
    """

    def __init__(self, most_groups: int | None = None) -> None:
        self._most_groups = most_groups
        self._groups: dict[tuple[BotKey, str, str], FailureGroup[BotKey]] = {}

    def add(self, number: int, bot: BotKey, failure: Failure) -> None:
        """Count a failure in the game with this number."""
        key = (bot, failure.kind, failure.message)
        if key not in self._groups and self._most_groups is not None and len(self._groups) >= self._most_groups:
            key = (bot, failure.kind, OTHER_MESSAGES)
        group = self._groups.setdefault(key, FailureGroup(*key, failure.log))
        group.count += 1
        if len(group.numbers) < NUMBERS_OF_GROUP and number not in group.numbers:
            group.numbers.append(number)

    def sorted(self) -> list[FailureGroup[BotKey]]:
        """Return the groups, the most frequent first."""
        return sorted(self._groups.values(), key=lambda group: (-group.count, group.numbers))
