"""Kinds of cases of the rules of games. tests/games/cases has a module of cases for each game; test_cases.py runs them.

A module of cases has these names, all but GAME as needed:
    GAME: spec of the game of every case that names none.
    INFO: list of `Info`.
    BAD_SPECS: list of (spec, expression that the error's message contains).
    PLAYS: dict of a rule in plain words -> `Play`.
    NO_ACTIONS: list of `NoActions`.
    BASE, BAD_STATES: a dict of a state, and a list of `BadState` or (changes of BASE, expression).
    OPTIONAL: keys that the dict of a state may lack.
    NEARLY: dict of spec -> hypothesis strategy of dicts that are states or nearly so.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import mcts


class Info(NamedTuple):
    """What a game says of itself."""

    spec: str
    canonical_spec: str
    players: tuple[str, ...]
    num_actions: int | None
    """None where actions are not listed."""
    utility_sum: float | None = 100
    has_hidden_information: bool = False
    range: tuple[float, float] = (0, 100)


@dataclass
class Play:
    """Steps from a position, and what holds after them. What is left out is not checked.

    Attributes:
        steps: action texts; the texts of a joint action are separated by blanks.
        start: dict of the position; None for the first state of a game.
        state: some keys of the state's dict.
        acting: names of the players who decide.
        legal: name of a player -> all its legal actions, in order.
        allows: name of a player -> some of its legal actions.
        forbids: name of a player -> some actions that are not legal, or these and what the error says.
        numbers: text of an action -> its number, for the one player who decides.
        returns: given exactly where the game is over.
        drawing: last line of the drawing.
    """

    steps: list[str] = field(default_factory=list)
    spec: str | None = None
    start: dict[str, Any] | None = None
    state: dict[str, Any] = field(default_factory=dict)
    acting: tuple[str, ...] | None = None
    legal: dict[str, list[str]] = field(default_factory=dict)
    allows: dict[str, list[str]] = field(default_factory=dict)
    forbids: dict[str, list[str] | dict[str, str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    returns: list[float] | None = None
    drawing: str | None = None


class NoActions(NamedTuple):
    """Texts or other objects that are no action of the first player, and what the error says."""

    wrong: list[Any]
    message: str = "valid"
    start: dict[str, Any] | None = None
    spec: str | None = None


class BadState(NamedTuple):
    """A whole dict that is no state, and what the error says."""

    given: dict[str, Any]
    message: str
    spec: str | None = None


def position(spec, start, steps=()):
    """Return the state of a game that some steps lead to from the dict `start`, or from the first state."""
    game = mcts.load_game(spec)
    state = game.new_initial_state() if start is None else game.state_from_dict(start)
    for step in steps:
        take_step(state, step)
    return state


def take_step(state, step):
    """Apply the action of the player who decides, or a joint action with its texts separated by blanks."""
    texts = step.split()
    if len(texts) == 1:
        state.apply_action(state.string_to_action(state.current_player(), step))
    else:
        state.apply_actions([state.string_to_action(player, text) for player, text in enumerate(texts)])


def rows(text):
    """Return a board that is written with blanks between its rows."""
    return "".join(text.split())
