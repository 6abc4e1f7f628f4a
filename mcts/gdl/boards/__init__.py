"""Boards of rulesheets: which facts are cells, in which order, and which moves name them."""

from .plan import BoardPlan, Sample, find_boards
from .winning import Decisions

__all__ = ["BoardPlan", "Decisions", "Sample", "find_boards"]
