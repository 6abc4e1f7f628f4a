"""Measure Playout and other packages side by side: same game, same number of simulations, same run.

usage: python -m bench.peers [PACKAGE ...] [--passes N] [--short] [--results FILE] [--environments FOLDER]

`adapters` has one file for each other package, which declares what is installed and what is measured. Each package has
an environment and an interpreter of its own: one of them has the same name as a package of this project. Environments
are made on demand and kept. One pass measures each case of each package, and the same work by Playout right before it,
on one processor.
"""
