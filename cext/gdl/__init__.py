"""Games that are networks of conjunctions, made from rulesheets by `mcts.gdl`."""
