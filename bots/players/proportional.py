"""Chips in proportion to the lines that tiles matter to, without search."""

from __future__ import annotations

from .common.bid_plans import PlannedBids, Table, Tile


class ProportionalBot(PlannedBids):
    """Bids on every tile in proportion to the number of lines that it still matters to."""

    NAME = "proportional"
    SUMMARY = "for bidding_3d_ttt, without search: chips in proportion to the lines that a tile matters to"

    def wishes(self, table: Table) -> dict[Tile, float]:
        tiles = [tile for board in range(9) for tile in table.open_tiles(board)]
        return {tile: float(weight) for tile in tiles if (weight := table.weight(tile))}


BOT = ProportionalBot
