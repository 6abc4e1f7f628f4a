"""UCB1: highest mean + exploration * sqrt(ln N / n) (Auer, Cesa-Bianchi and Fischer 2002).

The default. It is compiled into the simulation, as `select_ucb1` of `select_single.pxd`.
"""
from ..selection_table cimport new_selection

SELECTION = new_selection("ucb1", 0, NULL)
