"""Draw the pictures of the documentation beside this file.

    python docs/images/draw.py                  # all of them
    python docs/images/draw.py game_mnk.svg     # some of them

Positions are read by the library; openings, strengths and tests come from docs/results, where the programs in bench
store them. It runs where playout is installed with the extra `plot`.
"""

import argparse
import sys
from collections.abc import Collection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from drawing import PICTURES

HERE = Path(__file__).parent


def chosen_pictures(description: str | None, pictures: Collection[str]) -> tuple[list[str], Path]:
    """Return the file names of the pictures that the command line asks for, and their folder.

    Args:
        description: of the program.
        pictures: file names of all pictures.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="file names of pictures; all by default")
    parser.add_argument("--folder", type=Path, default=HERE, help="where they are written (%(default)s)")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(pictures))
    if unknown:
        parser.error(f"no picture {', '.join(unknown)}; valid: {', '.join(pictures)}")
    return given.names or list(pictures), given.folder


def main() -> None:
    """Draw the pictures."""
    names, folder = chosen_pictures(__doc__, PICTURES)
    for name in names:
        (folder / name).write_text(PICTURES[name](), encoding="utf-8")


if __name__ == "__main__":
    main()
