"""The function that draws positions. A package above this one sets it, so that rules do not depend on pictures."""

from __future__ import annotations

from collections.abc import Callable

_draw: Callable[..., str] | None = None


def set_drawing(function: Callable[..., str]) -> None:
    """Set the function for `State.to_svg` and `View.to_svg`, which is called with the position and their arguments."""
    global _draw
    _draw = function


def draw_position(position: object, **look: object) -> str:
    """Return the picture of a state or a view."""
    if _draw is None:
        raise RuntimeError("pictures are drawn by the package mcts; import it first")
    return _draw(position, **look)
