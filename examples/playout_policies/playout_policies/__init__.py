"""Playout policies outside the tree of Playout: decisive playouts and MAST."""
