"""Rules that end a game early: a bot resigns, both bots agree to a draw, or the game is too long."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from cext.arguments import whole_number_in
from mcts import Game

from ...errors import TournamentError
from ...system.checked_json import is_number

MOST_MOVES = 10_000
MOST_PLIES = 1_000_000


def _check_rule(name: str, value: Any, moves: Any) -> None:
    if value is None:
        if moves != 0:
            raise TournamentError(f"{name} rule: {moves!r} moves without a value; valid: both, or neither")
        return
    if not is_number(value):
        raise TournamentError(f"{name} value {value!r} is not valid; valid: a finite number")
    whole_number_in(f"{name} moves", moves, 1, MOST_MOVES, TournamentError)


@dataclass(frozen=True)
class Adjudication:
    """Rules that end a game early. By default, all rules are off.

    The value of a decision is the return that the bot expects for itself, on the scale of the game. Bots that give no
    values neither resign nor agree to draws.

    Args:
        resign_value: a bot resigns after a number of decisions in a row with this value or less.
        resign_moves: this number of decisions, 1 to 10,000; 0 without `resign_value`.
        draw_margin: a draw is agreed after a number of decisions in a row in which both bots' values differ from a draw
            by this much or less.
        draw_moves: this number of decisions of each bot, 1 to 10,000; 0 without `draw_margin`.
        max_plies: a game ends after this number of plies, without the opening; 1 to 1,000,000.

    Raises:
        TournamentError: a value is out of range.
    """

    resign_value: float | None = None
    resign_moves: int = 0
    draw_margin: float | None = None
    draw_moves: int = 0
    max_plies: int | None = None

    def __post_init__(self) -> None:
        _check_rule("resign", self.resign_value, self.resign_moves)
        _check_rule("draw", self.draw_margin, self.draw_moves)
        if self.draw_margin is not None and self.draw_margin < 0:
            raise TournamentError(f"draw margin {self.draw_margin!r} is below 0; valid: 0 and up")
        if self.max_plies is not None:
            object.__setattr__(
                self, "max_plies", whole_number_in("max_plies", self.max_plies, 1, MOST_PLIES, TournamentError)
            )

    @property
    def reads_values(self) -> bool:
        """True if a rule needs the values of bots."""
        return self.resign_value is not None or self.draw_margin is not None

    def check_game(self, game: Game) -> None:
        """Raise TournamentError if the rules do not fit a game."""
        if not self.reads_values:
            return
        if game.num_players != 2 or game.utility_sum is None:
            raise TournamentError(
                f"bots cannot resign or agree to a draw in {game.spec}: that needs two players whose returns have a "
                "constant sum; valid there: a maximum number of plies"
            )
        draw = game.utility_sum / 2
        if self.resign_value is not None and not game.min_utility <= self.resign_value < draw:
            raise TournamentError(
                f"resign value {self.resign_value:g} does not fit {game.spec}; "
                f"valid: from {game.min_utility:g}, a loss, to below {draw:g}, a draw"
            )
        if self.draw_margin is not None and self.draw_margin >= game.max_utility - draw:
            raise TournamentError(
                f"draw margin {self.draw_margin:g} does not fit {game.spec}; "
                f"valid: from 0 to below {game.max_utility - draw:g}"
            )

    def __str__(self) -> str:
        parts = []
        if self.resign_value is not None:
            parts.append(f"resign={self.resign_value:g},{self.resign_moves}")
        if self.draw_margin is not None:
            parts.append(f"draw={self.draw_margin:g},{self.draw_moves}")
        if self.max_plies is not None:
            parts.append(f"max-plies={self.max_plies}")
        return " ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as data for JSON; `Adjudication(**data)` restores them."""
        return asdict(self)


NO_ADJUDICATION = Adjudication()


def read_adjudication(resign: str | None, draw: str | None, max_plies: int | None) -> Adjudication:
    """Return the rules given as texts of the form VALUE,MOVES, such as `5,3`.

    Raises:
        TournamentError: a text has another form, or a value is out of range.
    """
    resign_value, resign_moves = (None, 0) if resign is None else _value_and_moves("resign", resign)
    draw_margin, draw_moves = (None, 0) if draw is None else _value_and_moves("draw", draw)
    return Adjudication(resign_value, resign_moves, draw_margin, draw_moves, max_plies)


def _value_and_moves(name: str, text: str) -> tuple[float, int]:
    value, _, moves = text.partition(",")
    try:
        return float(value), int(moves)
    except ValueError:
        raise TournamentError(
            f"{name} {text!r} is not VALUE,MOVES; valid: a return of the game and a number of decisions, as in 5,3"
        ) from None
