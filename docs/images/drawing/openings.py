"""Pictures of openings, from docs/results/openings.json, which bench/openings.py writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .positions import CELL, board
from .svg import INK, MUTED, Picture

RESULTS = Path(__file__).parent.parent.parent / "results"
WIN, DRAW, LOSS = "#bfe3c8", "#eef1f4", "#f6c9c1"
LIGHT, DARK = (255, 255, 255), (106, 163, 219)


def stored(key: str) -> Any:
    """Return an entry of the file."""
    return json.loads((RESULTS / "openings.json").read_text())[key]


def cell_of(action: str, columns: int) -> int:
    """Return the cell of an action such as `mark(2,3)`."""
    row, column = (int(word) for word in re.findall(r"\d+", action))
    return (row - 1) * columns + column - 1


def blend(share: float) -> str:
    """Return a color between LIGHT (0) and DARK (1)."""
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in zip(LIGHT, DARK, strict=True))


def _values(picture: Picture, left: float, top: float, rows: int, columns: int, actions: Mapping[str, Any]) -> None:
    fills, texts = {}, {}
    for action, found in actions.items():
        cell, value = cell_of(action, columns), found["value"]
        fills[cell] = WIN if value > 50 else DRAW if value == 50 else LOSS
        texts[cell] = f"{value:g}"
    board(picture, left, top, columns, "." * (rows * columns), 40, fills, texts)


def mnk() -> Picture:
    """Exact values of the first mark on four boards of mnk."""
    picture = Picture(800, 268, "Exact value to x of each first mark, on four boards")
    left = 40.0
    for m, n, k in ((3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4)):
        (found,) = stored(f"mnk(m={m},n={n},k={k})")["players"].values()
        picture.text(left + 20 * m, 28, f"m={m}, n={n}, k={k}", 13, INK, "middle", bold=True)
        _values(picture, left, 60, n, m, found["actions"])
        left += 40 * m + 42
    for number, (color, words) in enumerate(((WIN, "x wins"), (DRAW, "draw"), (LOSS, "o wins"))):
        picture.rect(40 + 110 * number, 238, 14, 14, color, MUTED, rx=3)
        picture.text(60 + 110 * number, 250, words, 12, MUTED)
    return picture


def points_ttt() -> Picture:
    """Exact values to o of all replies to each first action of x."""
    found = stored("points_ttt replies")
    picture = Picture(690, 246, "Exact value to o of each reply to the first action of x")
    left = 42.0
    for action, after in found.items():
        ((_, replies),) = after["players"].items()
        actions = {reply: one for reply, one in replies["actions"].items() if reply != "pass"}
        marks = ["."] * 9
        if action != "pass":
            marks[cell_of(action, 3)] = "x"
        fills = {}
        for reply, one in actions.items():
            fills[cell_of(reply, 3)] = WIN if one["value"] > 50 else DRAW if one["value"] == 50 else LOSS
        texts = {cell_of(reply, 3): f"{one['value']:g}" for reply, one in actions.items()}
        picture.text(left + 60, 28, action, 13, INK, "middle", bold=True)
        board(picture, left, 58, 3, marks, 40, fills, texts)
        picture.text(left + 60, 201, f"o passes: {replies['actions']['pass']['value']:g}", 12, MUTED, "middle")
        left += 162
    picture.text(42, 230, "100: o wins, 50: draw, 0: x wins", 12, MUTED)
    return picture


def tic_block() -> Picture:
    """The optimal mixed strategies at the start of the simultaneous block phase."""
    players = stored("tic_block block phase")["players"]
    picture = Picture(500, 282, "Optimal probabilities at the start of the block phase, in percent")
    for number, (name, mark) in enumerate((("xcplayer", "x"), ("obplayer", "o"))):
        left = 44 + 236 * number
        picture.mark(mark, left + 2 * CELL - 44, 24, 24)
        picture.text(left + 2 * CELL - 28, 29, name, 13, INK, bold=True)
        chances = {cell_of(action, 4): one["probability"] for action, one in players[name]["actions"].items()}
        greatest = max(chances.values())
        fills = {cell: blend(chance / greatest) for cell, chance in chances.items()}
        texts = {cell: f"{100 * chance:.1f}" for cell, chance in chances.items() if chance > 0}
        board(picture, left, 64, 4, "." * 16, fills=fills, texts=texts)
    return picture


def three_player_ttt() -> Picture:
    """Values of the first mark in three_player_ttt by a search."""
    picture = Picture(
        300,
        290,
        "Mean return of xplayer after each first mark, by a large search",
    )
    values = {cell_of(action, 5): one["value"] for action, one in stored("three_player_ttt")["actions"].items()}
    low, high = min(values.values()), max(values.values())
    fills = {cell: blend((value - low) / (high - low)) for cell, value in values.items()}
    texts = {cell: f"{value:.1f}" for cell, value in values.items()}
    board(picture, 40, 40, 5, "." * 25, fills=fills, texts=texts)
    return picture


PICTURES: dict[str, Callable[[], Picture]] = {
    f"openings_{function.__name__}.svg": function for function in (mnk, points_ttt, three_player_ttt)
}
