"""A game written in Python, searched and played like the built-in ones.

Domineering: on a board of squares one player places dominoes upright, the other flat. A player who cannot place one
loses.

usage: python examples/python_game.py
"""

import random
from typing import Any

import playout

ROWS = COLUMNS = 4
UPRIGHT, FLAT = 0, 1
State = tuple[int, int]


class Domineering(playout.PythonGame):
    """One player places dominoes upright, the other flat. A player who cannot place one loses."""

    # The description of the game. Actions are integers from 0: here the cell of the upper or left half of a domino,
    # counted row by row.
    name = "domineering"
    players = ("upright", "flat")
    num_actions = ROWS * COLUMNS
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0

    # A state is any object with == and hash that is never changed, only replaced: here the covered cells as the bits of
    # an integer, and the player to move.

    def initial_state(self) -> State:
        return 0, UPRIGHT

    def acting_players(self, state: State) -> int | tuple[int, ...]:
        # One player, a tuple of players who decide at the same time, or () when the game is over.
        covered, mover = state
        return mover if free_cells(covered, mover) else ()

    def legal_actions(self, state: State, player: int) -> list[int]:
        covered, _ = state
        return free_cells(covered, player)

    def next_state(self, state: State, joint: tuple[int, ...]) -> State:
        # joint has one action for each player, -1 for players who do not decide.
        covered, mover = state
        return covered | domino(joint[mover], mover), 1 - mover

    def returns(self, state: State) -> list[float]:
        # Called only when the game is over. The player to move cannot place a domino.
        _, loser = state
        return [0.0, 1.0] if loser == UPRIGHT else [1.0, 0.0]

    # The methods below are optional. Commands and records show the texts of actions; files contain states as dicts.

    def action_to_string(self, state: State, player: int, action: int) -> str:
        return f"place({action // COLUMNS + 1},{action % COLUMNS + 1})"

    def to_dict(self, state: State) -> dict[str, Any]:
        covered, mover = state
        return {"covered": covered, "to_move": self.players[mover]}

    def from_dict(self, given: dict[str, Any]) -> State:
        try:
            covered, mover = int(given["covered"]), self.players.index(given["to_move"])
        except (KeyError, TypeError, ValueError) as error:
            raise playout.errors.StateError(
                f"{given!r} is not a state of domineering; valid keys: covered, to_move"
            ) from error
        if not 0 <= covered < 1 << ROWS * COLUMNS:
            raise playout.errors.StateError(
                f"covered={covered} is out of range; valid: 0 to {(1 << ROWS * COLUMNS) - 1}"
            )
        return covered, mover

    def draw(self, state: State) -> str:
        covered, _ = state
        return "\n".join(
            " ".join("#" if covered >> (row * COLUMNS + column) & 1 else "." for column in range(COLUMNS))
            for row in range(ROWS)
        )


def domino(cell: int, player: int) -> int:
    """Return the two cells of a domino as bits."""
    return 1 << cell | 1 << (cell + (COLUMNS if player == UPRIGHT else 1))


def fits(cell: int, player: int) -> bool:
    """Return True if a domino of this player is on the board."""
    return cell < (ROWS - 1) * COLUMNS if player == UPRIGHT else cell % COLUMNS < COLUMNS - 1


DOMINOES = [[(cell, domino(cell, p)) for cell in range(ROWS * COLUMNS) if fits(cell, p)] for p in (UPRIGHT, FLAT)]


def free_cells(covered: int, player: int) -> list[int]:
    """Return the cells on which a player can place a domino."""
    return [cell for cell, bits in DOMINOES[player] if not covered & bits]


def main() -> None:
    """Play a game of the search against random actions."""
    game = Domineering()
    search = playout.MCTS(game, seed=1)
    state = game.new_initial_state()
    luck = random.Random(1)
    while not state.is_terminal():
        player = state.current_player()
        if player == UPRIGHT:
            found = search.run(state, simulations=3000)
            action, why = found.action, f"expects to win {found.values[player]:.0%}"
        else:
            action, why = luck.choice(state.legal_actions()), "plays at random"
        print(f"{game.players[player]} {state.action_to_string(player, action)}, {why}")
        state.apply_action(action)
        print(state, end="\n\n")
    print("returns:", dict(zip(game.players, state.returns(), strict=True)))

    # An exception in the code of the game is raised by the search unchanged.
    class Broken(Domineering):
        """Raises an error when four cells are covered."""

        name = "broken"

        def legal_actions(self, state: State, player: int) -> list[int]:
            if state[0].bit_count() >= 4:
                raise RuntimeError("four cells are covered")
            return super().legal_actions(state, player)

    broken = Broken()
    try:
        playout.MCTS(broken).run(broken.new_initial_state(), simulations=100)
    except RuntimeError as error:
        print("the game failed:", error)


if __name__ == "__main__":
    main()
