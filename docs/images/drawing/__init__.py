"""The pictures of the documentation, each by a function that returns the file.

docs/images/draw.py writes PICTURES beside itself. The build of the site draws STILLS, which stand in place of figures.
"""

from collections.abc import Callable

from . import concepts, openings, positions, schedules, statistics_plots
from .positions import POSITIONS as POSITIONS
from .svg import Picture


def _written(draw: Callable[[], Picture]) -> Callable[[], str]:
    return lambda: draw().to_text()


PICTURES: dict[str, Callable[[], str]] = {
    **{name: _written(draw) for module in (openings, schedules, concepts) for name, draw in module.PICTURES.items()},
}
"""File name -> function."""
STILLS: dict[str, Callable[[], str]] = {
    **positions.STILLS,
    **statistics_plots.STILLS,
    **concepts.STILLS,
    "mixed": _written(concepts.mixed_strategies),
    "mixed_tic_block": _written(openings.tic_block),
}
"""Name of a figure -> function."""
