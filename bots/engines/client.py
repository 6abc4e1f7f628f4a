"""`EngineClient`: a running engine that is asked for its moves, in time. A protocol is a subclass in its own file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from mcts import Action, Game, Limit, View

from ..clocks import TurnLimit
from ..errors import BotFailureError
from .options import EngineOption
from .process import EngineProcess

SHOWN = 60
"""Most characters of an unreadable answer in a message."""


@dataclass(frozen=True)
class AnswerTimes:
    """Time limits for one answer of an engine."""

    deadline: float
    """Time after which an answer is late, on the monotonic clock."""
    by_clock: bool
    """True if the deadline is the end of the player's clock."""
    stop_seconds: float
    """Time for a late engine to answer `stop`. With an answer the failure is "late", without one "stall"."""
    stop_at: float | None = None
    """Time to send `stop` to an engine without a limit, on the monotonic clock; None for never."""


class EngineClient:
    """A running engine that has completed the handshake.

    Deadlines are points in time on the monotonic clock. A protocol overrides the methods that raise
    NotImplementedError; those that talk to the engine raise BotFailureError.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
        memory_mb: memory limit of all its processes together; None for no limit.
        deadline: end of the handshake.

    Raises:
        BotFailureError: the engine cannot be started, or its handshake fails.
    """

    def __init__(self, command: Sequence[str], folder: str, memory_mb: int | None, deadline: float) -> None:
        self.process = EngineProcess(command, folder, memory_mb)
        self.name = ""
        self.options: list[EngineOption] = []
        self.score: float | None = None
        """Last score before the last move, from -100 for a loss to 100 for a win; None without one."""
        try:
            self._shake_hands(deadline)
        except BaseException:
            self.process.close()
            raise

    KNOWS_STARTS: ClassVar[bool] = False
    """True if the engine takes steps from another position than the initial state, which is `start`."""
    start = ""
    """Text of the position before the steps of `decide`; empty for the initial state."""

    def options_of(self, game: Game, seed: int) -> dict[str, str]:
        """Return the values of options that name a game and a seed; none of them need exist."""
        return {}

    def new_game(self, game: Game, options: Mapping[str, str], deadline: float) -> None:
        """Set the options that have changed, and prepare the engine for another game."""
        raise NotImplementedError

    def decide(
        self, view: View, steps: Sequence[str] | None, limit: Limit, clocks: TurnLimit, times: AnswerTimes
    ) -> str:
        """Return the text of the engine's action.

        Args:
            view: of the player who decides.
            steps: those since the start of the game, as `Bot.inform` takes them; None if they are secret or unknown.
            limit: of the decision.
            clocks: has the clocks of all players.
            times: time limits.

        Raises:
            BotFailureError: the engine does not answer in time, or its answer cannot be read.
        """
        raise NotImplementedError

    def synchronise(self, deadline: float) -> None:
        """Wait until the engine is ready. Raises BotFailureError, also if it has answered without being asked."""

    def action(self, view: View, text: str) -> Action:
        """Return the action of an answer. Any error means that there is none."""
        return view.string_to_action(text)

    def stop(self) -> None:
        """Ask the engine for its move soon, from another thread than that of `decide`. Without effect if it cannot."""

    def error_text(self) -> str:
        """Return the last error that the engine has reported, as the end of a message; empty without one."""
        return ""

    def _shake_hands(self, deadline: float) -> None:
        raise NotImplementedError

    def _fail(self, kind: str, message: str) -> NoReturn:
        raise BotFailureError(kind, message, self.process.log)
