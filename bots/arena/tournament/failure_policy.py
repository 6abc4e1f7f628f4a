"""Policies for bots that fail: forfeit the game, play it again, or abort the tournament."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from cext.arguments import whole_number_in
from mcts import Game
from mcts.errors import LimitError
from mcts.primitives.failures import failures_named

from ...errors import KINDS
from ...game.failures import NO_SEAT, Failure, forfeited

FORFEIT = "forfeit"
REPLAY = "replay"
ABORT = "abort"
ABORT_ALWAYS = ",".join(f"{kind.split()[0]}={ABORT}" for kind in KINDS)
"""Text of the policies that abort a tournament after any failure."""

MOST_REPLAYS = 100
_POLICY = re.compile(r"(forfeit|abort|replay)(?::(\d{1,9}))?")


@dataclass(frozen=True)
class FailurePolicy:
    """Policy for one kind of failure.

    Args:
        action: FORFEIT; ABORT; or REPLAY, which plays the game again and forfeits it if it fails every time.
        times: maximum number of replays, 1 to 100; 0 for the other actions.

    Raises:
        LimitError: a value is out of range.
    """

    action: str = FORFEIT
    times: int = 0

    def __post_init__(self) -> None:
        if self.action not in (FORFEIT, REPLAY, ABORT):
            raise LimitError(f"{self.action!r} is not a failure policy; valid: {FORFEIT}, {REPLAY}, {ABORT}")
        least, most = (1, MOST_REPLAYS) if self.action == REPLAY else (0, 0)
        times = whole_number_in("number of replays", self.times, least, most, LimitError)
        object.__setattr__(self, "times", times)

    def __str__(self) -> str:
        return f"{self.action}:{self.times}" if self.times > 1 else self.action


REPLAY_ONCE = FailurePolicy(REPLAY, 1)


@dataclass(frozen=True)
class FailurePolicies:
    """A policy for each kind of failure.

    By default, every failure forfeits the game, except the death of a worker process: the bot may not have caused it,
    so the game is replayed once. The text form, such as `crash=replay,stall=abort,late=replay:3`, lists the policies
    that differ from the defaults.
    """

    crash: FailurePolicy = FailurePolicy()
    illegal: FailurePolicy = FailurePolicy()
    unreadable: FailurePolicy = FailurePolicy()
    late: FailurePolicy = FailurePolicy()
    stall: FailurePolicy = FailurePolicy()
    death: FailurePolicy = REPLAY_ONCE
    memory: FailurePolicy = FailurePolicy()

    def __str__(self) -> str:
        changed = [
            (field.name, getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return ",".join(f"{name}={policy}" for name, policy in changed)

    def of(self, kind: str) -> FailurePolicy:
        """Return the policy for a kind of failure, one of `errors.KINDS`."""
        policy: FailurePolicy = getattr(self, kind.split()[0])
        return policy

    def verdict(self, kinds: Iterable[str], replays: int = 0) -> str:
        """Return the action for a game that failed.

        Args:
            kinds: kinds of the failures in the game, one or more.
            replays: number of times the game has been replayed already.

        Returns:
            ABORT if a policy demands it; else REPLAY if a policy allows another replay; else FORFEIT.
        """
        policies = [self.of(kind) for kind in kinds]
        if any(policy.action == ABORT for policy in policies):
            return ABORT
        return REPLAY if any(policy.times > replays for policy in policies) else FORFEIT


DEFAULT_POLICIES = FailurePolicies()
_CAUSES = tuple(kind.split()[0] for kind in KINDS)


def parse_policies(text: str) -> FailurePolicies:
    """Return the policies described by a text such as `crash=replay,stall=abort,late=replay:3`.

    Raises:
        LimitError: the text has another form.
    """
    found: dict[str, FailurePolicy] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        cause, _, policy = (piece.strip() for piece in part.partition("="))
        match = _POLICY.fullmatch(policy)
        if cause not in _CAUSES or match is None or (match[2] and match[1] != REPLAY):
            raise LimitError(
                f"{part!r} is not a failure policy; valid: CAUSE=forfeit, CAUSE=replay, CAUSE=replay:TIMES or "
                f"CAUSE=abort, where CAUSE is one of {', '.join(_CAUSES)}"
            )
        if cause in found:
            raise LimitError(f"{cause!r} appears twice in {text!r}; valid: one policy per cause")
        with failures_named(repr(part), LimitError, LimitError):
            found[cause] = FailurePolicy(match[1], int(match[2] or 1) if match[1] == REPLAY else 0)
    return FailurePolicies(**found)


def forfeited_returns(game: Game, failures: Sequence[Failure]) -> tuple[float, ...] | None:
    """Return the result of a game that failures ended.

    Every bot that failed gets the least return of the game, and every other bot the greatest.

    Returns:
        Return of each player; None, which counts for nobody, if a failure has no known seat.
    """
    failed = {failure.seat for failure in failures}
    if NO_SEAT in failed:
        return None
    return forfeited(game, failed)
