"""Write the tables and plots of the documentation from stored results.

    python -m bench.pages            # write what differs
    python -m bench.pages --check    # change nothing; exit status 1 if something differs

Two comments mark the place of a section in its page: `<!-- results: NAME -->` and `<!-- end: NAME -->`. The table
`SECTIONS` in `sections.py` has all sections.
"""

import argparse
import sys

from mcts import PlayoutError

from .places import PageError, Pages


def main():
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description="Write tables and plots of the pages from stored results.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if a page or plot differs")
    check = parser.parse_args().check
    try:
        changed = Pages().differences() if check else Pages().write()
    except (PageError, PlayoutError) as error:
        sys.exit(f"bench.pages: {error}")
    if check and changed:
        sys.exit(f"these differ from the stored results: {', '.join(changed)}; python -m bench.pages writes them")
    print("all pages show the stored results" if not changed else f"written: {', '.join(changed)}")


main()
