"""Uniform playouts, the default: each legal action is drawn with the same probability. The simulation plays them."""
from ..policies.playout_table cimport new_playout_policy

PLAYOUT_POLICY = new_playout_policy("uniform", NULL, NULL, NULL)
