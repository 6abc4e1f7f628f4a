"""Plain rules of tic_block."""

from __future__ import annotations

from typing import Any

from board_lines import has_line

from .boards import blanks, cell_of, marked

PLAYERS = ("xcplayer", "obplayer")


class TicBlock:
    """Tic-tac-toe, then a race on 4x4: one player builds a bridge, the other blocks it."""

    def __init__(self, block_phase: str) -> None:
        self.in_turns = block_phase == "alternating"

    def start(self) -> dict[str, Any]:
        return {"tic": "." * 9, "tic_scores": None, "block": None, "control": "xcplayer"}

    def acting(self, at: dict[str, Any]) -> list[int]:
        if at["block"] is None:
            return [0, 1] if is_decided(at["tic"]) else [PLAYERS.index(at["control"])]
        if "." not in at["block"] or has_bridge(at["block"]):
            return []
        return [PLAYERS.index(at["control"])] if self.in_turns else [0, 1]

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        if at["block"] is None:
            return ["reset"] if is_decided(at["tic"]) else blanks(at["tic"], 3)
        return blanks(at["block"], 4)

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        if at["block"] is None and is_decided(at["tic"]):
            scores = [50, 0] if has_line(at["tic"], "x") else [0, 50] if has_line(at["tic"], "o") else [25, 25]
            return {**at, "tic_scores": scores, "block": "." * 16, "control": "xcplayer" if self.in_turns else None}
        if len(texts) == 1:
            (player, text), *_ = texts.items()
            board, columns = ("tic", 3) if at["block"] is None else ("block", 4)
            changed = marked(at[board], cell_of(text, columns), "xo"[player])
            return {**at, board: changed, "control": PLAYERS[1 - player]}
        theirs, ours = cell_of(texts[1], 4), cell_of(texts[0], 4)
        board = marked(at["block"], theirs, "o")
        return {**at, "block": board if ours == theirs else marked(board, ours, "x")}

    def returns(self, at: dict[str, Any]) -> list[float]:
        first, second = at["tic_scores"]
        bridge = 50.0 if has_bridge(at["block"]) else 0.0
        return [first + bridge, second + 50.0 - bridge]


def is_decided(board: str) -> bool:
    """Return True if tic-tac-toe has ended."""
    return has_line(board, "x") or has_line(board, "o") or "." not in board


def has_bridge(board: str) -> bool:
    """Return True if x has a bridge from the top to the bottom."""
    reached = {column for column in range(4) if board[column] == "x"}
    for row in range(1, 4):
        reached = {
            column
            for column in range(4)
            if board[4 * row + column] == "x" and reached & {column - 1, column, column + 1}
        }
    return bool(reached)
