"""`Course`: the plies of one game from its start to the present state, as joint actions and as texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from mcts import Action, Game, State

from ..steps import step_text, step_texts

CHANCE_NAME = "chance"
"""Key of an outcome of chance in a ply."""

Ply = dict[str, str]
"""The actions of a ply: name of the player -> text, `?` for a hidden one. An outcome of chance has the key `chance`."""
HIDDEN = "?"
"""Stands for an action that is hidden."""
Joint = Sequence[Action]
"""A joint action, as `State.apply_actions` takes it."""


class Turn(NamedTuple):
    """A joint action or an outcome of chance, and what is known of the decisions."""

    joint: Joint
    seconds: Mapping[int, float] = MappingProxyType({})
    """Player -> time of the decision."""
    values: Mapping[int, float] = MappingProxyType({})
    """Player -> return that the bot expects."""


class Course:
    """A state that remembers how it was reached.

    Args:
        start: the first state; it is not changed.

    Attributes:
        state: the present state. `apply` changes it, `restart` replaces it.
        start: the first state.
        turns: the plies since the start, as joint actions.
        moves: their texts, as `step_text` writes them.
        deciders: the players who decided in each; none where chance decided.
    """

    def __init__(self, start: State) -> None:
        self.start = start
        self.restart(())

    def apply(self, turn: Turn) -> str:
        """Apply a joint action or an outcome of chance. Return its text, as `step_text` does."""
        acting = self.state.acting_players()
        texts = step_texts(self.state, acting, turn.joint)
        self.state.apply_actions(turn.joint)
        self.turns.append(turn)
        self.deciders.append(tuple(acting))
        self._texts.append(texts)
        self.moves.append("|".join(texts))
        return self.moves[-1]

    def restart(self, turns: Iterable[Turn]) -> None:
        """Go back to the start, and apply turns from there."""
        self.state = self.start.clone()
        self.turns: list[Turn] = []
        self.moves: list[str] = []
        self.deciders: list[tuple[int, ...]] = []
        self._texts: list[list[str]] = []
        for turn in turns:
            self.apply(turn)

    @property
    def plies(self) -> list[Ply]:
        """The plies since the start, as texts by name of the player."""
        players = self.state.game.players
        return [
            {players[player]: texts[player if len(texts) > 1 else 0] for player in acting} or {CHANCE_NAME: texts[0]}
            for acting, texts in zip(self.deciders, self._texts, strict=True)
        ]

    def states(self) -> list[State]:
        """Return the start, and the state after each ply."""
        found = [self.start.clone()]
        for turn in self.turns:
            found.append(found[-1].clone())
            found[-1].apply_actions(turn.joint)
        return found

    def seconds(self, player: int) -> float:
        """Return the time of all decisions of a player since the start, to the microsecond."""
        return round(sum(turn.seconds.get(player, 0.0) for turn in self.turns), 6)

    def steps(self) -> list[str] | None:
        """Return the texts of all steps from the initial state of the game; None if they do not lead to this state."""
        state, steps = self.state.game.new_initial_state(), []
        try:
            for joint in self.state.history():
                steps.append(step_text(state, state.acting_players(), joint))
                state.apply_actions(joint)
        except ValueError:
            return None
        return steps if state == self.state else None


def noticed(states: Sequence[State], player: int | None) -> list[int]:
    """Return the numbers of the plies that a player notices, counted from 0; for None those that all players notice.

    A player does not notice a ply of others after which it sees the same as before.

    Args:
        states: the state before the first ply, and after each.
        player: number of the player, or None.
    """
    eyes = range(states[0].game.num_players) if player is None else (player,)
    return [
        number
        for number, (before, after) in enumerate(pairwise(states))
        if all(eye in before.acting_players() or before.view(eye) != after.view(eye) for eye in eyes)
    ]


def seen_by(
    game: Game, player: int | None, befores: Sequence[State], plies: Sequence[Ply], joints: Sequence[Joint]
) -> list[Ply]:
    """Return plies as a player sees them, or as nobody in particular for None: with HIDDEN for what is not shown.

    Args:
        game: the game.
        player: number of the player, or None.
        befores: the state before each ply.
        plies: as texts.
        joints: the joint action, or the outcome of chance, of each.
    """
    own = set() if player is None else {game.players[player]}
    shown = own | set(game.players if game.info.public_actions else ())

    def is_shown(name: str, before: State, joint: Joint) -> bool:
        if name != CHANCE_NAME or player is None:
            return name in shown
        after = before.child(joint[-1]).view(player)
        return sum(before.child(outcome).view(player) == after for outcome, _ in before.chance_weights()) == 1

    return [
        {name: text if is_shown(name, before, joint) else HIDDEN for name, text in ply.items()}
        for before, ply, joint in zip(befores, plies, joints, strict=True)
    ]
