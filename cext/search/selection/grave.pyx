"""GRAVE: highest mean, mixed with the mean of the arm's action wherever it was played (Cazenave 2015).

It is compiled into the simulation, as `select_grave` of `select_grave.pxd`.
"""
from ..policies.selection_table cimport CHOOSES_UNTRIED, NEEDS_AMAF, new_selection

SELECTION = new_selection("grave", NEEDS_AMAF | CHOOSES_UNTRIED, NULL)
