"""Plain rules of games in which players mark cells of one board in turns."""

from __future__ import annotations

from typing import Any

from board_lines import has_line, lines


def cell_text(cell: int, columns: int) -> str:
    """Return the text of the action that marks a cell, counted from 0 row by row."""
    return f"mark({cell // columns + 1},{cell % columns + 1})"


def cell_of(text: str, columns: int) -> int:
    """Return the cell of a text."""
    row, column = map(int, text.removeprefix("mark(").removesuffix(")").split(","))
    return (row - 1) * columns + column - 1


def blanks(board: str, columns: int) -> list[str]:
    """Return the texts of the marks on all blank cells."""
    return [cell_text(cell, columns) for cell, mark in enumerate(board) if mark == "."]


def marked(board: str, cell: int, mark: str) -> str:
    """Return the board with a mark on a blank cell."""
    assert board[cell] == "."
    return board[:cell] + mark + board[cell + 1 :]


def split(first: float, second: float) -> list[float]:
    """Return 100 for the player with the higher number, 50 each for equal ones."""
    return [50.0, 50.0] if first == second else [100.0, 0.0] if first > second else [0.0, 100.0]


class Mnk:
    """k in a row on m columns and n rows."""

    def __init__(self, m: int, n: int, k: int) -> None:
        self.columns, self.cells = m, m * n
        self.lines = lines(m, n, k)

    def start(self) -> dict[str, Any]:
        return {"board": "." * self.cells, "to_move": "x"}

    def acting(self, at: dict[str, Any]) -> list[int]:
        return [] if at["to_move"] is None else ["xo".index(at["to_move"])]

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        return blanks(at["board"], self.columns)

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (player, text), *_ = texts.items()
        board = marked(at["board"], cell_of(text, self.columns), "xo"[player])
        is_over = has_line(board, "xo"[player], self.lines) or "." not in board
        return {"board": board, "to_move": None if is_over else "ox"[player]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        return split(has_line(at["board"], "x", self.lines), has_line(at["board"], "o", self.lines))


class DarkMnk(Mnk):
    """k in a row; a try on a mark of the other is refused."""

    def __init__(self, m: int, n: int, k: int, retry: bool) -> None:
        super().__init__(m, n, k)
        self.retry = retry

    def start(self) -> dict[str, Any]:
        return {**super().start(), "x_tries": [], "o_tries": []}

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        known = at[f"{'xo'[player]}_tries"]
        return [text for text in blanks("." * self.cells, self.columns) if text[5] + text[7] not in known]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (player, text), *_ = texts.items()
        key = f"{'xo'[player]}_tries"
        told = {**at, key: [*at[key], text[5] + text[7]]}
        if at["board"][cell_of(text, self.columns)] == ".":
            return {**told, **super().after(at, texts)}
        return {**told, "to_move": "xo"[player] if self.retry else "ox"[player]}


class Dice:
    """Tic-tac-toe in which a throw names the row of each mark."""

    def start(self) -> dict[str, Any]:
        return {"board": "." * 9, "row": None, "to_move": "x"}

    def acting(self, at: dict[str, Any]) -> list[int]:
        return [] if at["row"] is None else ["xo".index(at["to_move"])]

    def outcomes(self, at: dict[str, Any]) -> dict[str, int]:
        if at["row"] is not None or at["to_move"] is None:
            return {}
        blank = [at["board"][3 * row : 3 * row + 3].count(".") for row in range(3)]
        return {f"throw({row + 1})": count for row, count in enumerate(blank) if count}

    def after_outcome(self, at: dict[str, Any], text: str) -> dict[str, Any]:
        return {**at, "row": int(text[6])}

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        return [text for text in blanks(at["board"], 3) if text.startswith(f"mark({at['row']},")]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (player, text), *_ = texts.items()
        board = marked(at["board"], cell_of(text, 3), "xo"[player])
        is_over = has_line(board, "xo"[player]) or "." not in board
        return {"board": board, "row": None, "to_move": None if is_over else "ox"[player]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        return split(has_line(at["board"], "x"), has_line(at["board"], "o"))


class Points:
    """Tic-tac-toe in which marks cost points."""

    def start(self) -> dict[str, Any]:
        return {"board": "." * 9, "balances": [1, 0], "to_move": "x", "passes": 0}

    def acting(self, at: dict[str, Any]) -> list[int]:
        is_over = (
            has_line(at["board"], "x") or has_line(at["board"], "o") or "." not in at["board"] or at["passes"] == 2
        )
        return [] if is_over else ["xo".index(at["to_move"])]

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        return [*(blanks(at["board"], 3) if at["balances"][player] > 0 else []), "pass"]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (player, text), *_ = texts.items()
        found = {**at, "balances": list(at["balances"]), "passes": 0}
        if text == "pass":
            found["passes"] = at["passes"] + 1 if at["balances"][player] > 0 else 0
        else:
            cell = cell_of(text, 3)
            found["board"] = marked(at["board"], cell, "xo"[player])
            found["balances"][player] -= 4 if cell == 4 else 3 if cell % 2 == 0 else 2
        if self.acting(found):
            found["to_move"] = "ox"[player]
            found["balances"][1 - player] += 2
        return found

    def returns(self, at: dict[str, Any]) -> list[float]:
        won = [has_line(at["board"], mark) for mark in "xo"]
        return split(*won) if any(won) else split(*at["balances"])


class ThreePlayers:
    """Three players on 5x5: four in a row first, three in a row second."""

    PLAYERS = ("xplayer", "oplayer", "zplayer")

    def __init__(self, torus: bool) -> None:
        self.fours, self.threes = lines(5, 5, 4, torus), lines(5, 5, 3, torus)

    def start(self) -> dict[str, Any]:
        return {"board": "." * 25, "control": "xplayer"}

    def acting(self, at: dict[str, Any]) -> list[int]:
        is_over = "." not in at["board"] or any(has_line(at["board"], mark, self.fours) for mark in "xoz")
        return [] if is_over else [self.PLAYERS.index(at["control"])]

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        return blanks(at["board"], 5)

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (player, text), *_ = texts.items()
        return {
            "board": marked(at["board"], cell_of(text, 5), "xoz"[player]),
            "control": self.PLAYERS[(player + 1) % 3],
        }

    def returns(self, at: dict[str, Any]) -> list[float]:
        four = [has_line(at["board"], mark, self.fours) for mark in "xoz"]
        three = [has_line(at["board"], mark, self.threes) for mark in "xoz"]
        rest = 0.0 if any(four) else 33.0
        return [100.0 if four[player] else 66.0 if three[player] else rest for player in range(3)]
