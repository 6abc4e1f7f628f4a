"""Checks of arguments, for bots and packages that build on `mcts`."""

from cext.arguments import require, seed_bits, shown, whole_number, whole_number_in

__all__ = ["require", "seed_bits", "shown", "whole_number", "whole_number_in"]
