"""All chips on one line of boards, without search."""

from __future__ import annotations

from .common.bid_plans import PlannedBids, Table, Tile


class FocusBot(PlannedBids):
    """Bids on the cheapest plan, a line of three boards, in every round and on nothing else."""

    NAME = "focus"
    SUMMARY = "for bidding_3d_ttt, without search: all chips on one line of boards"

    def wishes(self, table: Table) -> dict[Tile, float]:
        return dict.fromkeys(table.plan(self.random), 1.0)


BOT = FocusBot
