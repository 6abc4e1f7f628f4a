"""One chip on four tiles of each board, then the cheapest plan, without search."""

from __future__ import annotations

from itertools import combinations

from .common.bid_plans import PlannedBids, Table, Tile, has_line

TILES_OF_A_BOARD = 4


class WebBot(PlannedBids):
    """Bids one chip on four tiles of each board in round 1, and later on the cheapest plan."""

    NAME = "web"
    SUMMARY = "for bidding_3d_ttt, without search: one chip on four tiles of each board, then the cheapest plan"

    def wishes(self, table: Table) -> dict[Tile, float]:
        if table.round > 1:
            return super().wishes(table)
        wishes: dict[Tile, float] = {}
        for board in range(9):
            tiles = table.open_tiles(board)
            self.random.shuffle(tiles)
            sets = combinations(tiles, min(len(tiles), TILES_OF_A_BOARD))
            wishes |= dict.fromkeys(next(chosen for chosen in sets if not has_line(cell for _, cell in chosen)), 1.0)
        return wishes

    def chips_to_bid(self, table: Table) -> int:
        if table.round == 1:
            return min(table.chips, 7 * TILES_OF_A_BOARD)
        return super().chips_to_bid(table)


BOT = WebBot
