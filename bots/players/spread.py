"""A few chips on many tiles, without search."""

from __future__ import annotations

from .common.bid_plans import PlannedBids, Table, Tile


class SpreadBot(PlannedBids):
    """Spreads two thirds of its chips over all boards in round 1, and later bids evenly on the tiles that matter."""

    NAME = "spread"
    SUMMARY = "for bidding_3d_ttt, without search: a few chips on many tiles"
    SHARES = (2 / 3, 1 / 2, 1.0)

    def wishes(self, table: Table) -> dict[Tile, float]:
        tiles = [tile for board in range(9) for tile in table.open_tiles(board)]
        return {tile: 1.0 for tile in tiles if table.round == 1 or table.weight(tile)}


BOT = SpreadBot
