"""Plain rules of games in which players bid."""

from __future__ import annotations

from typing import Any

from board_lines import LINES_3X3, has_line

from .boards import blanks, cell_of, marked, split


class BiddingTtt:
    """Tic-tac-toe in which sealed bids decide who marks."""

    def __init__(self, coins: int, o_coins: int | None, tiebreaker: str | None) -> None:
        self.coins = [coins, coins if o_coins is None else o_coins]
        self.tiebreaker = tiebreaker or "x"

    def start(self) -> dict[str, Any]:
        return {
            "board": "." * 9,
            "coins": list(self.coins),
            "tiebreaker": self.tiebreaker,
            "stage": "bidding",
            "control": None,
        }

    def acting(self, at: dict[str, Any]) -> list[int]:
        if has_line(at["board"], "x") or has_line(at["board"], "o") or "." not in at["board"]:
            return []
        return [0, 1] if at["stage"] == "bidding" else ["xo".index(at["control"])]

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        if at["stage"] == "marking":
            return blanks(at["board"], 3)
        bids = range(at["coins"][player] + 1)
        return [f"bid({bid})" for bid in bids] + [
            f"bid({bid},tiebreaker)" for bid in bids if at["tiebreaker"] == "xo"[player]
        ]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        if at["stage"] == "marking":
            (player, text), *_ = texts.items()
            board = marked(at["board"], cell_of(text, 3), "xo"[player])
            return {**at, "board": board, "stage": "bidding", "control": None}
        bids = [int(texts[player].removeprefix("bid(").rstrip(")").split(",")[0]) for player in range(2)]
        holder = "xo".index(at["tiebreaker"])
        adds = "tiebreaker" in texts[holder]
        winner = bids.index(max(bids)) if bids[0] != bids[1] else holder if adds else 1 - holder
        coins = list(at["coins"])
        coins[winner] -= bids[winner]
        coins[1 - winner] += bids[winner]
        kept = "xo"[1 - winner] if adds and winner == holder else at["tiebreaker"]
        return {**at, "coins": coins, "tiebreaker": kept, "stage": "marking", "control": "xo"[winner]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        return split(has_line(at["board"], "x"), has_line(at["board"], "o"))


class Bidding3d:
    """Nine boards, three rounds of sealed bids on 81 tiles. An action is its 81 numbers, not its text."""

    def __init__(self, chips: int, recapture: bool) -> None:
        self.chips, self.recapture = chips, recapture

    def start(self) -> dict[str, Any]:
        return {
            "round": 1,
            "chips": [self.chips, self.chips],
            "tiles": "." * 81,
            "boards": ["", "", "", "r", "", "b", "", "", ""],
            "history": [],
        }

    def acting(self, at: dict[str, Any]) -> list[int]:
        is_over = len(at["history"]) == 3 or any(self.has_row(at, player) for player in "rb")
        return [] if is_over else [0, 1]

    def is_legal(self, at: dict[str, Any], player: int, bid: tuple[int, ...]) -> bool:
        """Return True if a bid follows the rules of the round."""
        tiles = [tile for tile, count in enumerate(bid) if count]
        is_open = all(at["boards"][tile // 9] == "" and (self.recapture or at["tiles"][tile] == ".") for tile in tiles)
        on = {board: {tile % 9 for tile in tiles if tile // 9 == board} for board in range(9)}
        allowed = {
            1: not any(line <= on[board] for board in on for line in LINES_3X3),
            2: sum(map(bool, on.values())) <= 2,
            3: True,
        }
        return is_open and sum(bid) <= at["chips"][player] and allowed[at["round"]]

    def after_bids(self, at: dict[str, Any], bids: list[tuple[int, ...]]) -> dict[str, Any]:
        """Return the position after the bids of both players."""
        tiles = "".join(
            "r" if red > blue else "b" if blue > red else owner
            for red, blue, owner in zip(*bids, at["tiles"], strict=True)
        )
        boards = [
            held or "".join(player for player in "rb" if has_line(tiles[9 * board : 9 * board + 9], player))
            for board, held in enumerate(at["boards"])
        ]
        found = {
            "chips": [chips - sum(bid) for chips, bid in zip(at["chips"], bids, strict=True)],
            "tiles": tiles,
            "boards": boards,
            "history": [*at["history"], {"bids": [list(bid) for bid in bids], "tiles": tiles}],
        }
        return {"round": at["round"] + 1 if self.acting(found) else at["round"], **found}

    def returns(self, at: dict[str, Any]) -> list[float]:
        rows = [self.has_row(at, player) for player in "rb"]
        if rows[0] != rows[1]:
            return split(*rows)
        ranks = [
            (sum(player in held for held in at["boards"]), at["tiles"].count(player), chips)
            for player, chips in zip("rb", at["chips"], strict=True)
        ]
        return [50.0, 50.0] if ranks[0] == ranks[1] else [100.0, 0.0] if ranks[0] > ranks[1] else [0.0, 100.0]

    def has_row(self, at: dict[str, Any], player: str) -> bool:
        """Return True if a player controls three boards in a line."""
        return any(all(player in at["boards"][board] for board in line) for line in LINES_3X3)
