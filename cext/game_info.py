"""The description of a game that heads its file: name, players, parameters, range of the returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .errors import ParameterError
from .parameters import Parameter

WINS, RETURNS = "wins", "returns"
SCORES = (WINS, RETURNS)


@dataclass(frozen=True)
class GameInfo:
    """Describe a game before one is made. Utilities are on the game's own scale."""

    name: str
    """The name without parameters, as in `mnk`."""
    summary: str
    """One line."""
    players: tuple[str, ...]
    """The names of the players, in seat order."""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    """Name -> kind; the kind has the default and the range."""
    min_utility: float = 0.0
    """Least return of a player."""
    max_utility: float = 100.0
    """Greatest return of a player."""
    utility_sum: float | None = 100.0
    """The sum of all players' returns where it is always the same, else None (a general-sum game)."""
    rules: str = ""
    """The rules as Markdown, for games of other packages. Built-in games have a page in docs/games."""
    title: str = ""
    """The name for people, as in `Connect four`; empty: the name in words."""
    size: str = ""
    """The size of the board, as in `7x6`, with the default parameters; empty if there is none."""
    kind: str = ""
    """`turns` or `simultaneous`, then `, hidden` and `, chance` where true; empty: known when the game is made."""
    example: str = ""
    """A position as text that shows what the game looks like; empty: the initial one."""
    hint: str = ""
    """How to enter an action with a pointer, where the board alone does not show it."""
    amounts: str = ""
    """The word of actions that put amounts on places, and the names of the places, as in `spread left middle right`
    for `spread(5,3,2)`; the word alone if the picture describes the amounts."""
    phrases: dict[str, str] = field(default_factory=dict)
    """Kind of action -> words that follow the player, as in `{"take": "takes {2} from {1}"}` for `take(a,3)`; `{}` is
    the notation on the board or all arguments, `{sum}` the amounts of a bid. A phrase that begins with a capital letter
    is a sentence without the player, as for chance. Other actions are played."""
    public_actions: bool = False
    """True if everybody sees what the players do, in a game that hides something else."""
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Name of a variant for people -> the parameters that it changes; the first one is the default."""
    score: str = WINS
    """`wins` if tournaments count who has the higher return, `returns` if they count by how much, as in poker."""

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise ParameterError(f"{self.name}.score is {self.score!r}; valid: {', '.join(SCORES)}")
