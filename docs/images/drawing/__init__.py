"""The pictures of the documentation: file name -> function that returns the file. docs/images/draw.py writes them."""

from collections.abc import Callable

from . import concepts, openings, positions, schedules, statistics_plots
from .svg import Picture


def _written(draw: Callable[[], Picture]) -> Callable[[], str]:
    return lambda: draw().to_text()


PICTURES: dict[str, Callable[[], str]] = {
    **positions.PICTURES,
    **{name: _written(draw) for module in (openings, schedules, concepts) for name, draw in module.PICTURES.items()},
    **concepts.PLOTS,
    **statistics_plots.PICTURES,
}
