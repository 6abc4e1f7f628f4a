"""The pairings of tournaments as pictures."""

from __future__ import annotations

import math
from collections.abc import Callable

from .svg import BLUE, GOLD, GREEN, GRID, INK, MUTED, ORANGE, PAPER, SHADE, Picture

Point = tuple[float, float]


def bot(picture: Picture, at: Point, name: str, fill: str = PAPER) -> None:
    """Draw a bot as a circle with its letter."""
    picture.circle(*at, 15, fill, INK, 1.4)
    picture.text(at[0], at[1] + 4.5, name, 13, INK, "middle", bold=True)


def ring(center: Point, radius: float, count: int) -> list[Point]:
    """Return points on a circle, the first at the top."""
    angles = [2 * math.pi * number / count - math.pi / 2 for number in range(count)]
    return [(center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle)) for angle in angles]


def schedules() -> Picture:
    """The four pairings: round robin, gauntlet, Swiss and test."""
    picture = Picture(
        860,
        262,
        "Round robin: all meet. Gauntlet: one meets all. Swiss: equal scores meet. Test: two meet until it is decided",
    )
    titles = ("round robin", "gauntlet", "swiss", "test")
    notes = (
        "all bots meet",
        "the first meets all others",
        "equal scores meet",
        "two meet until it is decided",
    )
    lefts = (0, 205, 410, 650)
    widths = (205, 205, 240, 210)
    for title, note, left, width in zip(titles, notes, lefts, widths, strict=True):
        picture.text(left + width / 2, 30, title, 14, INK, "middle", bold=True)
        picture.text(left + width / 2, 244, note, 12, MUTED, "middle")
        if left:
            picture.line(left, 20, left, 242, GRID)
    points = ring((102, 136), 72, 5)
    for first in range(5):
        for second in range(first):
            picture.line(*points[first], *points[second], BLUE, 1.6)
    for number, at in enumerate(points):
        bot(picture, at, "ABCDE"[number])
    points = ring((307, 136), 74, 4)
    for at in points:
        picture.line(307, 136, *at, BLUE, 1.6)
    for number, at in enumerate(points):
        bot(picture, at, "BCDE"[number])
    bot(picture, (307, 136), "A", GOLD)
    _swiss(picture, 428)
    _test(picture, 668)
    return picture


def _swiss(picture: Picture, left: float) -> None:
    rounds = [
        [("A", "B"), ("C", "D"), ("E", "F")],
        [("A", "C"), ("B", "E"), ("D", "F")],
        [("A", "E"), ("B", "C"), ("D", "F")],
    ]
    for number, pairs in enumerate(rounds):
        x = left + 72 * number
        picture.text(x + 33, 58, f"round {number + 1}", 12, MUTED, "middle")
        for row, pair in enumerate(pairs):
            y = 88 + 50 * row
            picture.rect(x, y - 20, 66, 40, SHADE, rx=8)
            picture.line(x + 19, y, x + 47, y, BLUE, 1.6)
            for place, name in enumerate(pair):
                bot(picture, (x + 18 + 30 * place, y), name)


def _test(picture: Picture, left: float) -> None:
    bot(picture, (left + 60, 64), "A", GOLD)
    bot(picture, (left + 112, 64), "B")
    picture.line(left + 75, 64, left + 97, 64, BLUE, 1.6)
    top, bottom = 104, 208
    for y, words, color in ((top, "A is better", GREEN), (bottom, "A is not better", ORANGE)):
        picture.line(left + 6, y, left + 168, y, color, 1.6, stroke_dasharray="5 4")
        picture.text(left + 8, y - 6 if y == top else y + 16, words, 12, color)
    steps = [0, 4, -3, 2, 9, 5, 14, 10, 19, 26, 21, 30, 38, 33, 44, 52]
    points = [(left + 8 + 10 * number, (top + bottom) / 2 - step) for number, step in enumerate(steps)]
    picture.path("M" + " L".join(f"{x:g},{y:g}" for x, y in points), BLUE, 2, stroke_linejoin="round")
    picture.circle(*points[-1], 4, BLUE, BLUE)


PICTURES: dict[str, Callable[[], Picture]] = {"schedules.svg": schedules}
