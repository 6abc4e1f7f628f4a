"""What is done about a bot that fails: it forfeits, the game is played again, or the whole tournament stops."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

from mcts import LimitError

from ...failures import KINDS

FORFEIT = "forfeit"
REPLAY = "replay"
ABORT = "abort"

MOST_REPLAYS = 100
_POLICY = re.compile(r"(forfeit|abort|replay)(?::(\d+))?")


@dataclass(frozen=True)
class Policy:
    """What is done about one kind of failure.

    Args:
        action: FORFEIT; REPLAY, which plays the game again, and forfeits it when that did not help; or ABORT.
        times: how often a game is played again, 1 to 100; 0 for the other actions.
    """

    action: str = FORFEIT
    times: int = 0

    def __str__(self) -> str:
        return f"{self.action}:{self.times}" if self.times > 1 else self.action


REPLAY_ONCE = Policy(REPLAY, 1)


@dataclass(frozen=True)
class FailurePolicies:
    """A policy for each kind of failure.

    Its text, `crash=replay,stall=abort,late=replay:3`, names those that differ from the defaults: every failure is a
    forfeit, except that a game in which a worker process died is played once more, since it may not have been the bot's
    fault.
    """

    crash: Policy = Policy()
    illegal: Policy = Policy()
    unreadable: Policy = Policy()
    late: Policy = Policy()
    stall: Policy = Policy()
    death: Policy = REPLAY_ONCE
    memory: Policy = Policy()

    def __str__(self) -> str:
        changed = [
            (field.name, getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return ",".join(f"{name}={policy}" for name, policy in changed)

    def of(self, kind: str) -> Policy:
        """The policy for a kind of failure, one of `failures.KINDS`."""
        policy: Policy = getattr(self, kind.split()[0])
        return policy

    def verdict(self, kinds: Iterable[str], played_again: int = 0) -> str:
        """What is to be done about a game that failed.

        Args:
            kinds: of its failures, at least one.
            played_again: how often it has been played again already.

        Returns:
            ABORT if any of them asks for it; else REPLAY, as long as any of them allows one more; else FORFEIT.
        """
        policies = [self.of(kind) for kind in kinds]
        if any(policy.action == ABORT for policy in policies):
            return ABORT
        return REPLAY if any(policy.times > played_again for policy in policies) else FORFEIT


DEFAULT_POLICIES = FailurePolicies()
_CAUSES = tuple(kind.split()[0] for kind in KINDS)


def parse_policies(text: str) -> FailurePolicies:
    """The policies that a text like `crash=replay,stall=abort,late=replay:3` names.

    Raises:
        LimitError: the text reads otherwise.
    """
    found: dict[str, Policy] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        cause, _, policy = (piece.strip() for piece in part.partition("="))
        match = _POLICY.fullmatch(policy)
        if cause not in _CAUSES or match is None or (match[2] and match[1] != REPLAY):
            raise LimitError(
                f"{part!r} is no policy for failures; valid: CAUSE=forfeit, CAUSE=replay, CAUSE=replay:TIMES or "
                f"CAUSE=abort, where CAUSE is one of {', '.join(_CAUSES)}"
            )
        if cause in found:
            raise LimitError(f"{cause!r} stands twice in {text!r}")
        times = int(match[2] or 1) if match[1] == REPLAY else 0
        if match[1] == REPLAY and not 1 <= times <= MOST_REPLAYS:
            raise LimitError(f"{part!r} asks for {times} replays; valid: 1 to {MOST_REPLAYS}")
        found[cause] = Policy(match[1], times)
    return FailurePolicies(**found)
