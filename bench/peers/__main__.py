"""The command `python -m bench.peers`."""

import argparse
import shlex
import sys
from pathlib import Path

from bots.benchmark.result_file import write_results

from .environments import default_folder
from .measure import compare, pin, result_file, start
from .ours import EXPLORATION
from .peer import all_names


def tell(text):
    """Print a remark on standard error."""
    print(text, file=sys.stderr, flush=True)


def main():
    """Measure, print and store the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="Measure other packages beside Playout.")
    parser.add_argument("package", nargs="*", help="adapters; default: all")
    parser.add_argument("--passes", type=int, default=11, help="interleaved measurements of each case")
    parser.add_argument("--short", action="store_true", help="one pass with tiny sizes, to try the programs")
    parser.add_argument("--results", type=Path, help="file that receives the results")
    parser.add_argument("--environments", type=Path, default=default_folder(), help="folder of the environments")
    given = parser.parse_args()
    names = given.package or all_names()
    for name in names:
        if name not in all_names():
            parser.error(f"unknown package {name!r}; valid: {', '.join(all_names())}")
    if given.passes < 1:
        parser.error(f"--passes is {given.passes}; valid: at least 1")
    pinned = pin()
    peers = start(names, given.environments, tell)
    try:
        found = compare(peers, 1 if given.short else given.passes, given.short, tell)
    finally:
        for peer in peers:
            peer.close()
    if not found:
        sys.exit("no other package could be measured; the reasons are above")
    width = max(len(comparison.name) for comparison in found)
    print(f"exploration {EXPLORATION}, {'one processor' if pinned else 'not pinned to a processor'}")
    print(f"{'package: case':{width}}  {'a second':>13}  {'Playout':>13}  {'ratio':>7}  lowest-highest")
    for comparison in found:
        print(comparison.line(width))
    if given.results:
        options = [*given.package, *(["--short"] if given.short else ["--passes", str(given.passes)])]
        write_results(given.results, result_file(found, shlex.join(["python", "-m", "bench.peers", *options])))


if __name__ == "__main__":
    main()
