"""The report of a tournament as a page: collect what it has to know from the games, then render it."""

from .collector import ReportData, collect
from .render import render

__all__ = ["ReportData", "collect", "render"]
