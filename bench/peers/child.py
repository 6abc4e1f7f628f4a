"""Runs one adapter in the environment of its package. It imports nothing of this project but the rules beside it.

usage: python -I child.py ADAPTER

ADAPTER is the file of an adapter. The first line on standard output is a JSON dict with the versions of the installed
packages. After each line `count exploration case` on standard input, a line has the time of the case in seconds.
"""

import gc
import importlib.util
import json
import os
import sys
import time
from importlib.metadata import distributions
from pathlib import Path


def load(name, path):
    """Return the module in a file. No folder is added to the path of imports."""
    found = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def main():
    """Prepare the cases, then measure what is asked for."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints must not become an answer
    rules = load("ttt_rules", Path(__file__).with_name("ttt_rules.py"))
    cases = load("adapter", sys.argv[1]).prepare(rules)
    print(json.dumps({found.metadata["Name"]: found.version for found in distributions()}), file=answers, flush=True)
    for line in sys.stdin:
        count, exploration, case = line.strip().split(" ", 2)
        run = cases[case](int(count), float(exploration))
        gc.collect()
        begin = time.perf_counter()
        run()
        print(time.perf_counter() - begin, file=answers, flush=True)


if __name__ == "__main__":
    main()
