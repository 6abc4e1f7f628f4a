"""Games of this package in the interfaces of other packages, each of which is an extra.

`mcts.adapters.pettingzoo` and `mcts.adapters.gymnasium` are environments for reinforcement learning.
`mcts.adapters.openspiel` converts games in both directions.
"""
