"""Boards of rulesheets: which facts are cells, in which order, and which moves name them."""

from .plan import BoardPlan, find_boards
from .winning import Decisions

__all__ = ["BoardPlan", "Decisions", "find_boards"]
