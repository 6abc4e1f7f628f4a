"""Bids of `bidding_3d_ttt` without search: a position as a player sees it, plans, and the base of bots with plans."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from mcts import Action, Game, Limit, View

from ...base import NO_LIMIT, Bot

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""Lines of the tiles of a board, and of the boards."""
ROUNDS = 3
BOARDS_OF_ROUND_2 = 2
"""Most boards of a bid in round 2."""

Tile = tuple[int, int]
"""A board and a tile of it, both from 0."""


def has_line(cells: Iterable[int]) -> bool:
    """Return True if tiles of one board contain a line."""
    taken = set(cells)
    return any(taken.issuperset(line) for line in LINES)


@dataclass(frozen=True)
class Table:
    """A position of `bidding_3d_ttt` as one player sees it."""

    round: int
    chips: int
    """Chips that the player has left."""
    owner: Sequence[Sequence[int]]
    """By board and tile: 1 for a tile of the player, -1 for one of the opponent, 0 for one of nobody."""
    control: Sequence[int]
    """By board: 1, -1, 0 for nobody or 2 for both."""
    recapture: bool

    @classmethod
    def of(cls, view: View) -> Table:
        """Return the position of a view."""
        shown, game = view.to_dict(), view.game
        letters = [name[0] for name in game.players]
        signs = {".": 0, letters[view.player]: 1, letters[1 - view.player]: -1}
        owners = [signs[letter] for letter in shown["tiles"]]
        control = [2 if len(held) > 1 else signs[held or "."] for held in shown["boards"]]
        return cls(
            shown["round"],
            shown["chips"][view.player],
            [owners[9 * board : 9 * board + 9] for board in range(9)],
            control,
            game.parameters["recapture"],
        )

    def open_tiles(self, board: int) -> list[Tile]:
        """Return the tiles of a board that can be bid on."""
        if self.control[board]:
            return []
        return [(board, cell) for cell in range(9) if self.recapture or not self.owner[board][cell]]

    def missing(self, board: int, line: Iterable[int], side: int = 1) -> list[Tile] | None:
        """Return the tiles that a side needs to complete a line of a board, or None if it cannot.

        Args:
            board: a board that nobody controls.
            line: three tiles.
            side: 1 for the player, -1 for the opponent.
        """
        wanted = [(board, cell) for cell in line if self.owner[board][cell] != side]
        if not self.recapture and any(self.owner[board][cell] for _, cell in wanted):
            return None
        return wanted

    def cheapest_line(self, board: int, draw: random.Random) -> list[Tile] | None:
        """Return the missing tiles of a line of a board with the fewest, [] on a board of the player.

        Return None if the player can no longer control the board. Ties are broken at random.
        """
        if self.control[board] > 0:
            return []
        if self.control[board] < 0:
            return None
        lines = [wanted for line in LINES if (wanted := self.missing(board, line)) is not None]
        return min(lines, key=lambda wanted: (len(wanted), draw.random()), default=None)

    def plan(self, draw: random.Random, near: int | None = None) -> list[Tile]:
        """Return the missing tiles of the cheapest plan: three boards in a line, else the cheapest three boards.

        Args:
            draw: breaks ties.
            near: a board that the plan contains if possible.
        """
        lines = [self.cheapest_line(board, draw) for board in range(9)]
        plans = []
        for boards in LINES:
            found = [lines[board] for board in boards]
            wanted = [tile for line in found if line is not None for tile in line]
            if None not in found and wanted:
                plans.append((near is not None and near not in boards, len(wanted), draw.random(), wanted))
        if plans:
            return min(plans)[-1]
        single = sorted((len(line), draw.random(), line) for line in lines if line)
        return [tile for _, _, line in single[:3] for tile in line]

    def weight(self, tile: Tile) -> int:
        """Return the number of lines a tile matters to: those through it that a side can complete, on its board and,
        for every such line, of boards."""
        board, cell = tile
        count = 0
        for side in (1, -1):
            inside = sum(cell in line and self.missing(board, line, side) is not None for line in LINES)
            through = sum(board in line and all(self.control[b] in (0, side, 2) for b in line) for line in LINES)
            count += inside * (1 + through)
        return count


class PlannedBids(Bot):
    """Base of bots that bid by a plan, without search. They play `bidding_3d_ttt`, and see only their view.

    A subclass may override `wishes`. Tiles that the round forbids are left out, then the chips are distributed.
    """

    SHARES: ClassVar[tuple[float, float, float]] = (1 / 3, 1 / 2, 1.0)
    """Share of the chips left that a bid of each round spends."""

    def why_unsupported(self, game: Game) -> str | None:
        if game.name != "bidding_3d_ttt":
            return f"it only knows the bids of bidding_3d_ttt; use {'mcts' if game.is_enumerable else 'random'}"
        return None

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        self.check_game(view.game)
        table = Table.of(view)
        allowed = self._allowed(table, self.wishes(table))
        return self._distributed(allowed, self.chips_to_bid(table))

    def wishes(self, table: Table) -> dict[Tile, float]:
        """Return open tiles with weights above 0; chips are distributed in proportion to the weights.

        Without an override they are the tiles of the cheapest plan, with equal weights.
        """
        return dict.fromkeys(table.plan(self.random), 1.0)

    def chips_to_bid(self, table: Table) -> int:
        """Return the number of chips of a bid."""
        return min(table.chips, round(self.SHARES[table.round - 1] * table.chips))

    def _allowed(self, table: Table, wishes: dict[Tile, float]) -> dict[Tile, float]:
        """Return the wishes that the round allows, those of great weight first; ties in random order."""
        order = sorted(wishes, key=lambda tile: (-wishes[tile], self.random.random()))
        if table.round == ROUNDS:
            return {tile: wishes[tile] for tile in order}
        if table.round == 1:
            kept: dict[Tile, float] = {}
            for board, cell in order:
                if not has_line([cell, *(c for b, c in kept if b == board)]):
                    kept[board, cell] = wishes[board, cell]
            return kept
        sums = [sum(weight for (board, _), weight in wishes.items() if board == b) for b in range(9)]
        best = max(
            combinations(range(9), BOARDS_OF_ROUND_2),
            key=lambda pair: (sum(sums[b] for b in pair), self.random.random()),
        )
        return {tile: wishes[tile] for tile in order if tile[0] in best}

    def _distributed(self, wishes: dict[Tile, float], chips: int) -> Action:
        """Return the bid: chips in proportion to the weights, the rest to the greatest remainders, ties at random.

        If there are fewer chips than tiles, the last tiles get none.
        """
        bid = [0] * 81
        tiles = list(wishes)[:chips]
        if not tiles:
            return tuple(bid)
        total = sum(wishes[tile] for tile in tiles)
        spare = chips - len(tiles)
        parts = {tile: spare * wishes[tile] / total for tile in tiles}
        for (board, cell), part in parts.items():
            bid[9 * board + cell] = 1 + int(part)
        rest = chips - sum(bid)
        for board, cell in sorted(tiles, key=lambda tile: (int(parts[tile]) - parts[tile], self.random.random()))[
            :rest
        ]:
            bid[9 * board + cell] += 1
        return tuple(bid)
