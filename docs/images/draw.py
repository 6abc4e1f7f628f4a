"""Draw the pictures of the documentation beside this file.

    python docs/images/draw.py                  # all of them
    python docs/images/draw.py game_mnk.svg     # some of them

Positions are read by the library; openings, strengths and tests come from docs/results, where the programs in bench
store them. It runs where playout is installed with the extra `plot`.
"""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from drawing import PICTURES  # noqa: E402


def main() -> None:
    """Draw the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="file names of pictures; all by default")
    parser.add_argument("--folder", type=Path, default=HERE, help="where they are written (%(default)s)")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(PICTURES))
    if unknown:
        parser.error(f"no picture {', '.join(unknown)}; valid: {', '.join(PICTURES)}")
    for name in given.names or PICTURES:
        (given.folder / name).write_text(PICTURES[name](), encoding="utf-8")


if __name__ == "__main__":
    main()
