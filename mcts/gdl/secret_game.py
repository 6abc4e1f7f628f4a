"""Games of GDL-II (Thielscher 2010): rulesheets in which chance plays the role `random`, or `sees` hides something."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from cext.arguments import shown
from cext.game.game import CHANCE, NOOP, Game, State, View
from cext.game.python_game import PythonGame
from cext.spec import parse_spec

from ..errors import RulesheetError, StateError
from ..pictures.facts import seats_of
from ..pictures.parts import Picture
from .game import RulesheetGame
from .network import Network, is_constant_sum
from .parser import RANDOM
from .rules import PERCEPT

Percepts = tuple[str, ...]


class Position(NamedTuple):
    """A state.

    Attributes:
        sheet: state of the game in which `random` is one of the players.
        waiting: the actions of all roles where chance draws its move next, after the players; else empty.
        percepts: what each player has seen in the last step.
    """

    sheet: State
    waiting: tuple[int, ...]
    percepts: tuple[Percepts, ...]


class SecretRulesheetGame(PythonGame):
    """The game of a rulesheet of GDL-II.

    The role `random` is no player: chance draws each of its legal moves with the same probability, after the players
    have chosen their moves of the step. A player sees the percepts that `sees` gives it, its own moves and
    who decides. Without a rule for `sees`, it sees everything.

    Args:
        sheet: the game of the rulesheet, in which `random` is a player and nothing is hidden.

    Attributes:
        sheet: the same.
        text: the rulesheet.
    """

    def __init__(self, sheet: RulesheetGame) -> None:
        network = sheet.network
        self.sheet, self.text = sheet, sheet.text
        self._roles = [role for role, name in enumerate(network.roles) if name != RANDOM]
        self._random = network.roles.index(RANDOM) if RANDOM in network.roles else -1
        self._prefixes = [f"{PERCEPT}({network.roles[role]}," for role in self._roles]
        if not self._roles:
            raise RulesheetError(f"{sheet.name}: `{RANDOM}` is the only role")
        goals = [network.goals[role] for role in self._roles]
        if not network.has_percepts:
            self.observation = None  # type: ignore[method-assign, assignment]
        players = tuple(sheet.players[role] for role in self._roles)
        total = 100.0 if len(goals) == 2 and is_constant_sum(*goals) else None
        super().__init__(replace(sheet.info, players=players, utility_sum=total), **sheet.parameters)
        self.name_by(sheet.name, parse_spec(sheet.spec)[1])

    @property
    def num_actions(self) -> int:
        return max(len(self.sheet.network.moves[role]) for role in self._roles)

    @property
    def num_outcomes(self) -> int:
        return len(self.sheet.network.moves[self._random]) if self._random >= 0 else 0

    @property
    def digest(self) -> str:
        return self.sheet.digest

    def initial_state(self) -> Position:
        return self._position(self.sheet.new_initial_state())

    def acting_players(self, state: Position) -> int | tuple[int, ...]:
        if state.waiting:
            return CHANCE
        acting = state.sheet.acting_players()
        players = tuple(player for player, role in enumerate(self._roles) if role in acting)
        return players or (CHANCE if acting else ())

    def legal_actions(self, state: Position, player: int) -> list[int]:
        return state.sheet.legal_actions(self._roles[player])

    def chance_outcomes(self, state: Position) -> dict[int, int]:
        return dict.fromkeys(state.sheet.legal_actions(self._random), 1)

    def next_state(self, state: Position, joint: tuple[int, ...]) -> Position:
        sheet, moves = state.sheet, list(state.waiting)
        if not moves:
            moves = [NOOP] * sheet.game.num_players
            for player, role in enumerate(self._roles):
                moves[role] = joint[player]
        if self._random in sheet.acting_players():
            choices = sheet.legal_actions(self._random)
            is_drawn = len(joint) > len(self._roles)
            if not is_drawn and len(choices) > 1:
                return Position(sheet, tuple(moves), state.percepts)
            moves[self._random] = joint[CHANCE] if is_drawn else choices[0]
        after = sheet.clone()
        after.apply_actions(moves)
        return self._position(after)

    def returns(self, state: Position) -> list[float]:
        found = state.sheet.returns()
        values = [found[role] for role in self._roles]
        return values if self.utility_sum is None or sum(values) == self.utility_sum else [50.0, 50.0]

    def observation(self, state: Position, player: int) -> Percepts:  # type: ignore[override]
        """Return the percepts of a player in the last step."""
        return state.percepts[player]

    def action_to_string(self, state: Position | None, player: int, action: int) -> str:
        role = self._random if player == CHANCE else self._roles[player]
        sheet = self.sheet.new_initial_state() if state is None else state.sheet
        return sheet.action_to_string(role, action)

    def to_dict(self, state: Position) -> dict[str, Any]:
        """Return the dict of the sheet's state, and `waiting`, the numbers of the moves that wait for chance."""
        return {**state.sheet.to_dict(), "waiting": list(state.waiting)}

    def from_dict(self, given: dict[str, Any]) -> Position:
        rest = dict(given)
        waiting = rest.pop("waiting", None)
        position = self._position(self.sheet.state_from_dict(rest))
        acting = position.sheet.acting_players()
        if waiting == []:
            return position
        if not (
            self._random in acting
            and isinstance(waiting, list)
            and len(waiting) == len(self.sheet.players)
            and all(type(move) is int for move in waiting)
            and any(role in acting for role in self._roles)
            and all(
                position.sheet.is_legal(role, move) if role in acting and role != self._random else move == NOOP
                for role, move in enumerate(waiting)
            )
        ):
            raise StateError(
                f"'waiting' is {shown(waiting)}; valid: [], or a legal move of each role where chance is next"
            )
        return position._replace(waiting=tuple(waiting))

    def draw(self, state: Position) -> str:
        return str(state.sheet)

    def picture(self, position: State | View) -> Picture | None:
        """Return the boards of the rulesheet; of a view in which something is hidden, what the player has seen."""
        if isinstance(position, View):
            if self.has_hidden_information:
                return Picture(lines=tuple(self._seen(position)), seats=seats_of(position))
            position = position.state()
        key: Any = position.key()[1]
        found = self.sheet.picture(key.state.sheet if self.has_hidden_information else key.sheet)
        return None if found is None else replace(found, seats=tuple(found.seats[role] for role in self._roles))

    def _position(self, sheet: State) -> Position:
        facts = sheet.to_dict()["facts"] if self.has_hidden_information else ()
        percepts = tuple(
            tuple(text.removeprefix(prefix).removesuffix(")") for text in facts if text.startswith(prefix))
            for prefix in self._prefixes
        )
        return Position(sheet, (), percepts)

    def _seen(self, view: View) -> Iterator[str]:
        """Yield a line for each step that a player has noticed: its own move, and the percepts."""
        for action, percepts, _ in view.to_dict()["seen"]:
            own = [] if action == NOOP else [self.action_to_string(None, view.player, action)]
            yield ": ".join([*own, "  ".join(literal_eval(percepts)) or "nothing seen"])

    def __reduce__(self) -> tuple[Any, ...]:
        return SecretRulesheetGame, (self.sheet,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretRulesheetGame) and self.sheet == other.sheet

    def __hash__(self) -> int:
        return hash(self.sheet)


def rulesheet_game(text: str, name: str, /, **given: Any) -> RulesheetGame | SecretRulesheetGame:
    """Return the game of a rulesheet, in GDL or GDL-II.

    Args:
        text, name, given: as for `RulesheetGame`.

    Raises:
        RulesheetError, ParameterError: as for `RulesheetGame`.
    """
    sheet = RulesheetGame(text, name, **given)
    return SecretRulesheetGame(sheet) if sheet.network.is_gdl_ii else sheet


def sheet_of(game: Game) -> RulesheetGame | None:
    """Return the game of a rulesheet in which chance is a player and nothing is hidden; None for other games."""
    if isinstance(game, SecretRulesheetGame):
        return game.sheet
    return game if isinstance(game, RulesheetGame) else None


def refuse_gdl_ii(network: Network) -> Network:
    """Return a network. Raises RulesheetError if it is one of GDL-II, where that is not supported."""
    if network.is_gdl_ii:
        raise RulesheetError(
            f"the rules have `sees` or the role `{RANDOM}`; valid here: rules without chance and secrets"
        )
    return network
