"""UCB1: highest mean + exploration * sqrt(ln N / n) (Auer, Cesa-Bianchi and Fischer 2002).

The default. It is compiled into the simulation, as `select_ucb1` and `select_ucb1_shared` of `select_single.pxd`.
"""
from ..selection_table cimport SHARES_TREE, new_selection

SELECTION = new_selection("ucb1", SHARES_TREE, NULL)
