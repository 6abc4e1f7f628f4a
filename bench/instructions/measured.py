"""Runs workloads between the marks of callgrind, in the process that valgrind runs.

usage: python -m bench.instructions.measured MARKERS NAME ...     MARKERS: the library made of markers.c
"""

import ctypes
import gc
import sys

from .workloads import WORKLOADS


def main():
    """Run each workload twice: not counted, so that imports and tables are there, and counted."""
    path, *names = sys.argv[1:]
    markers = ctypes.CDLL(path)
    if not markers.is_counted():
        sys.exit("this process does not run under valgrind, so nothing is counted")
    gc.disable()  # when the collector runs depends on what was imported before
    for name in names:
        work = WORKLOADS[name]()
        work()
        markers.begin()
        work()
        markers.end(name.encode())


if __name__ == "__main__":
    main()
