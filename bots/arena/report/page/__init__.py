"""The report of a tournament as a page: `collect` reads its games, `render` makes the HTML."""

from .collector import GameSurvey, collect
from .page_data import render

__all__ = ["GameSurvey", "collect", "render"]
