"""Tools of `mcts` and `bots`: intervals, classes by path, guards of objects, times of reports."""
