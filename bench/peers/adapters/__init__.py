"""Adapters, one file for each other package. The name of the file is the name of the adapter.

An adapter is a module with these names. It imports the package in `prepare` only, because Playout reads it too.

REQUIREMENTS        what pip installs, the package itself first
CASES               name of a case -> dict with
    ours            the work of Playout that it is compared with, a key of `bench.peers.ours.WORKS`
    count           number of simulations or playouts of one measurement
    same            what is equal, and what is not, as one sentence
                    Without it, the one case is that of `bench/peers/ttt_rules.py`.
REMARK              of the one case: what else is not equal; optional
prepare(rules)      import the package; return name of a case -> function(count, exploration) that returns a function
                    for the measured region. `rules` is the module `bench/peers/ttt_rules.py`. `exploration` is the
                    weight of UCB1's exploration term for values from 0 to 1; twice as large for values from -1 to 1.
"""
