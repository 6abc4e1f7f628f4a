"""Write the tables, plots and figures of the documentation from stored results.

usage: python -m bench.page [--check]

A page marks the place of a section by two comments, `<!-- results: NAME -->` and `<!-- end: NAME -->`. The module
`sections/NAME.py` writes what is between them from files of `bench/results`, and may draw a plot into `docs/images`.
"""
