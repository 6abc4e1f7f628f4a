"""Sections of pages, one file each. The name of the file is the name in the comments that mark its place.

A section is a module with these names:

FILES               names of the files in bench/results that it reads, without `.json`; by default `("suite",)`
COMMAND             the command that writes them, as a user types it; by default that of the suite
markdown(*results)  return the text; one argument of type `ResultFile` for each file
plot(*results)      return a matplotlib Figure, drawn to docs/images/benchmarks_NAME.svg; optional, and then with ALT
ALT                 text that describes the plot to readers who do not see it
"""
