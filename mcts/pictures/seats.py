"""Draws the players: as cards below the board, or in small pictures as marks with numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .canvas import Canvas, fitting, width_of
from .marks import draw_mark
from .parts import Seat, display_name

_COIN = 8.5
"""Space from one disc to the next; discs overlap."""
_GAP = 10.0
_SMALLEST_NAME = 0.7
"""Size of a long name, as a share of the usual one, below which its end is left out instead."""


def draw_cards(canvas: Canvas, seats: Sequence[Seat], x: float, y: float, width: float, scale: float) -> float:
    """Draw a card for each player, up to three beside each other. Return the lower end."""
    across = len(seats) if len(seats) <= 3 else 2
    if across > 2:  # too narrow for a name and a result on one line
        seats = [replace(seat, result="", detail=" ".join(filter(None, (seat.result, seat.detail)))) for seat in seats]
    has_details = any(seat.detail or seat.note or seat.coins for seat in seats)
    high = (56.0 if has_details else 36.0) * scale
    gap = _GAP * scale
    wide = (width - gap * (across - 1)) / across
    for place, seat in enumerate(seats):
        left, top = x + place % across * (wide + gap), y + place // across * (high + gap)
        with canvas.group(seat=seat.name):
            _draw_card(canvas, seat, left, top, wide, high, scale)
    return y + -(-len(seats) // across) * (high + gap) - gap


def _draw_card(canvas: Canvas, seat: Seat, x: float, y: float, wide: float, high: float, scale: float) -> None:
    is_lit = seat.is_acting or seat.is_winner
    canvas.rect("acting" if is_lit else "card", x, y, wide, high, corner=9 * scale)
    color = seat.mark.color if seat.mark else "gray"
    if is_lit:
        canvas.frame(f"s-{color}", x, y, wide, high, corner=9 * scale, line=1.8 * scale)
    left, right, base = x + 12 * scale, x + wide - 12 * scale, y + 23 * scale
    if seat.mark is not None:
        draw_mark(canvas, seat.mark, left + 9 * scale, base - 5 * scale, 30 * scale)
        left += 27 * scale
    size, small = 15 * scale, 12.5 * scale
    if seat.result:
        canvas.text("ink", right, base, seat.result, size, anchor="end", bold=True)
        right -= width_of(seat.result, size) + 6 * scale
    elif seat.badge:
        wide_badge = width_of(seat.badge, 11 * scale) + 10 * scale
        canvas.rect(
            f"t-{color}", right - wide_badge + 4 * scale, base - 13 * scale, wide_badge, 18 * scale, corner=9 * scale
        )
        canvas.text(f"f-{color}", right - wide_badge / 2 + 4 * scale, base, seat.badge, 11 * scale, anchor="middle")
        right -= wide_badge
    right += 4 * scale  # the corner of the card is round, but far from this line
    name = display_name(seat.name)
    size *= min(1.0, max(_SMALLEST_NAME, (right - left) / width_of(name, size)))
    canvas.text("ink", left, base, fitting(name, right - left, size), size, bold=is_lit)
    left, right, base = x + 12 * scale, x + wide - 12 * scale, y + 45 * scale
    if seat.note:
        canvas.text("muted", right, base, seat.note, small, anchor="end")
        right -= width_of(seat.note, small) + 6 * scale
    discs = (seat.coins * _COIN + 8) * scale
    if seat.coins > 0 and discs + width_of(seat.detail, small) <= right - left:
        for coin in range(seat.coins):
            place = left + (5 + coin * _COIN) * scale
            canvas.circle("coin coinedge", place, base - 4.5 * scale, 5 * scale, line=1.2 * scale)
        left += discs
    canvas.text("muted", left, base, fitting(seat.detail, right - left, small) if seat.detail else "", small)


def draw_small_seats(canvas: Canvas, seats: Sequence[Seat], x: float, y: float, width: float) -> float:
    """Draw the marks of the players with their numbers on one line. Return the lower end."""
    high, size = width * 0.14, width * 0.085
    wide = width / max(len(seats), 1)
    for place, seat in enumerate(seats):
        left = x + place * wide
        with canvas.group(seat=seat.name):
            if seat.is_acting or seat.is_winner:
                color = seat.mark.color if seat.mark else "gray"
                canvas.rect("acting", left + 2, y, wide - 4, high, corner=high * 0.3)
                canvas.frame(f"s-{color}", left + 2, y, wide - 4, high, corner=high * 0.3, line=width * 0.012)
            number = seat.result or seat.number
            long = size * 1.6 * bool(seat.mark) + (width_of(number, size) if number else 0)
            at = left + max((wide - long) / 2, 4)
            if seat.mark is not None:
                draw_mark(canvas, seat.mark, at + size * 0.7, y + high / 2, size * 1.9)
                at += size * 1.7
            if number:
                canvas.text("ink", at, y + high / 2 + size * 0.36, fitting(number, left + wide - at, size), size)
            elif seat.mark is None:
                name = fitting(display_name(seat.name), wide - 12, size)
                canvas.text("ink", left + 8, y + high / 2 + size * 0.36, name, size)
    return y + high
