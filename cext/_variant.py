"""Choice between the two builds of the compiled modules.

The baseline build runs on any processor. The build in the folder `x86_64_v3` uses AVX2 and BMI2; it contains the
modules with inner loops. Both come from the same C files and have the same module names; the folder that comes first in
the path of a package decides. The environment variable PLAYOUT_VARIANT (`baseline` or `x86_64_v3`) overrides the
choice, for tests and comparisons.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from ._cpu import has_x86_64_v3

BASELINE = "baseline"
V3 = "x86_64_v3"
FOLDER = Path(__file__).parent


def available() -> tuple[str, ...]:
    """Return the names of the builds that are installed and run on this processor, the baseline first."""
    built = any((FOLDER / V3).glob("game_table.*"))
    return (BASELINE, V3) if built and has_x86_64_v3() else (BASELINE,)


def choose() -> str:
    """Return the name of the build to use: the one in PLAYOUT_VARIANT, else the fastest that runs here.

    Raises:
        ImportError: the build in PLAYOUT_VARIANT is unknown, missing or not for this processor.
    """
    names = available()
    wish = os.environ.get("PLAYOUT_VARIANT", "")
    if not wish:
        return names[-1]
    if wish not in names:
        raise ImportError(f"PLAYOUT_VARIANT={wish!r} cannot be used here; valid: {', '.join(names)}")
    return wish


def search_path(package_path: Iterable[str], *below: str) -> list[str]:
    """Return `package_path` with the folder of the chosen build in front. `below` is the path of the subpackage."""
    path = list(package_path)
    return path if NAME == BASELINE else [str(FOLDER.joinpath(NAME, *below)), *path]


NAME = choose()
