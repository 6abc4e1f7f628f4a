"""Results of searches: the statistics of a root, the action that is played, the tree as data."""
