"""Two builds of every compiled module lie side by side; this chooses one for the process.

The plain build runs on any processor. The build in the folder `x86_64_v3` uses AVX2 and BMI2. Both come from the same C
files and have the same module names, so the choice is a matter of which folder is searched first. The environment
variable PLAYOUT_VARIANT (`baseline` or `x86_64_v3`) overrides the choice, for tests and for comparing the two.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from ._cpu import has_x86_64_v3

BASELINE = "baseline"
V3 = "x86_64_v3"
FOLDER = Path(__file__).parent


def available() -> tuple[str, ...]:
    """Names of the builds that this installation has and this processor can run, plainest first."""
    built = any((FOLDER / V3).glob("game.*"))
    return (BASELINE, V3) if built and has_x86_64_v3() else (BASELINE,)


def choose() -> str:
    """The name of the build to use: the fastest that runs here, or what PLAYOUT_VARIANT says.

    Raises:
        ImportError: PLAYOUT_VARIANT names a build that is unknown, missing or not for this processor.
    """
    names = available()
    wish = os.environ.get("PLAYOUT_VARIANT", "")
    if not wish:
        return names[-1]
    if wish not in names:
        raise ImportError(f"PLAYOUT_VARIANT={wish!r} cannot be used here; valid: {', '.join(names)}")
    return wish


def search_path(package_path: Iterable[str], *below: str) -> list[str]:
    """`package_path` with the folder of the chosen build in front (`below` names the subpackage)."""
    path = list(package_path)
    return path if NAME == BASELINE else [str(FOLDER.joinpath(NAME, *below)), *path]


NAME = choose()
