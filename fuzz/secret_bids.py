"""A game in Python that hides something, with chance and without it: secret bids for prizes."""

from __future__ import annotations

from typing import Any, NamedTuple

import mcts
from mcts.parameters import Flag

CARDS = 3


class Table(NamedTuple):
    """A state: the prizes so far, and the cards bid, those of the first player at even places."""

    prizes: tuple[int, ...]
    bids: tuple[int, ...]


class SecretBids(mcts.PythonGame):
    """Two players bid each of their cards once. The higher card takes the prize; nobody sees the other's card.

    With `dealt`, chance draws the prizes and the players bid in turns; else the prizes ascend and both bid at once.
    """

    name, players = "secret_bids", ("first", "second")
    num_actions, utility_sum = CARDS, 1.0
    PARAMETERS = {"dealt": Flag(True)}  # noqa: RUF012 (as in the documentation)

    @property
    def num_outcomes(self) -> int:
        return CARDS if self.parameters["dealt"] else 0

    def initial_state(self) -> Table:
        return Table(() if self.parameters["dealt"] else tuple(range(CARDS)), ())

    def acting_players(self, state: Table) -> int | tuple[int, ...]:
        if len(state.bids) == 2 * CARDS:
            return ()
        if not self.parameters["dealt"]:
            return 0, 1
        return mcts.CHANCE if 2 * len(state.prizes) == len(state.bids) else len(state.bids) % 2

    def chance_outcomes(self, state: Table) -> dict[int, int]:
        return {prize: 1 + prize for prize in range(CARDS) if prize not in state.prizes}

    def legal_actions(self, state: Table, player: int) -> list[int]:
        return [card for card in range(CARDS) if card not in state.bids[player::2]]

    def next_state(self, state: Table, joint: tuple[int, ...]) -> Table:
        if len(joint) > 2:
            return state._replace(prizes=(*state.prizes, joint[mcts.CHANCE]))
        return state._replace(bids=(*state.bids, *(card for card in joint if card != mcts.NOOP)))

    def observation(self, state: Table, player: int) -> Any:  # type: ignore[override]
        """Return the prizes, and who took each."""
        return state.prizes, tuple((first > second) - (first < second) for first, second in rounds(state))

    def returns(self, state: Table) -> list[float]:
        won = sum(
            (1 + prize) * ((first > second) - (first < second))
            for prize, (first, second) in zip(state.prizes, rounds(state), strict=True)
        )
        return [0.5 + won / 12, 0.5 - won / 12]

    def to_dict(self, state: Table) -> dict[str, Any]:
        return {"prizes": list(state.prizes), "bids": list(state.bids)}

    def from_dict(self, given: dict[str, Any]) -> Table:
        """Return the state that `to_dict` described, if play can lead to it."""
        table = Table(*(tuple(given[key]) if isinstance(given.get(key), list) else (None,) for key in Table._fields))
        hands = table.prizes, table.bids[::2], table.bids[1::2]
        dealt, waits = divmod(len(table.bids), 2)
        right = (dealt + waits, dealt + 1) if self.parameters["dealt"] else (CARDS,)
        if not (
            set(given) == set(Table._fields)
            and all(type(card) is int and 0 <= card < CARDS for hand in hands for card in hand)
            and all(len(set(hand)) == len(hand) for hand in hands)
            and len(table.prizes) in right
            and (self.parameters["dealt"] or (table.prizes == self.initial_state().prizes and not waits))
        ):
            raise mcts.StateError(f"{given!r} is no state; valid: such as {self.to_dict(self.initial_state())}")
        return table


def rounds(state: Table) -> list[tuple[int, int]]:
    """Return the cards of both players in each round that is over."""
    return list(zip(state.bids[::2], state.bids[1::2], strict=False))
