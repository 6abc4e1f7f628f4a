"""Draw the pictures of the documentation beside this file.

    python docs/images/draw.py                  # all of them
    python docs/images/draw.py game_mnk.svg     # some of them

Positions are read by the library; openings, strengths and tests come from docs/results, where the programs in bench
store them. It runs where playout is installed with the extra `plot`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from chosen_pictures import chosen_pictures
from drawing import PICTURES


def main() -> None:
    """Draw the pictures."""
    names, folder = chosen_pictures(__doc__, PICTURES)
    for name in names:
        (folder / name).write_text(PICTURES[name](), encoding="utf-8")


if __name__ == "__main__":
    main()
