"""The arguments of the programs beside this file: which pictures to make, and where."""

import argparse
from collections.abc import Collection
from pathlib import Path

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
