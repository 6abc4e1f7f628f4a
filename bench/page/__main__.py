"""The command `python -m bench.page`."""

import argparse
import sys

from mcts import PlayoutError

from .pages import PageError, Pages


def main():
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description="Write tables, plots and figures of the pages from stored results.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if a page or plot differs")
    check = parser.parse_args().check
    try:
        changed = Pages().differences() if check else Pages().write()
    except (PageError, PlayoutError) as error:
        sys.exit(f"bench.page: {error}")
    if check and changed:
        sys.exit(f"these do not show the stored results: {', '.join(changed)}; python -m bench.page writes them")
    print("all pages show the stored results" if not changed else f"written: {', '.join(changed)}")


main()
