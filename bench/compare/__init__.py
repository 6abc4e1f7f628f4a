"""Compare two versions: two installations in one run that alternates, or stored results.

`python -m bench.compare --help` describes the command.
"""
