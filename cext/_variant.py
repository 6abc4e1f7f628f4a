"""Choice between the builds of the compiled modules.

The baseline build runs on any processor. The build in the folder `x86_64_v3` uses AVX2 and BMI2; it contains the
modules with inner loops. The build in `x86_64_v4` uses AVX-512, and contains the few modules that its wider vectors
make faster; the others come from `x86_64_v3`. All come from the same C files and have the same module names; the folder
that comes first in the path of a package decides. The environment variable PLAYOUT_VARIANT (`baseline`, `x86_64_v3` or
`x86_64_v4`) overrides the choice, for tests and comparisons.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from ._cpu import has_x86_64_v3, has_x86_64_v4

BASELINE = "baseline"
V3 = "x86_64_v3"
V4 = "x86_64_v4"
FOLDER = Path(__file__).parent


def available() -> tuple[str, ...]:
    """Return the names of the builds that are installed and run on this processor, the baseline first."""
    names = [BASELINE]
    for name, module, runs_here in ((V3, "game/game_table", has_x86_64_v3), (V4, "gdl/wide_games", has_x86_64_v4)):
        if not (any((FOLDER / name).glob(f"{module}.*")) and runs_here()):
            break
        names.append(name)
    return tuple(names)


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
    """Return `package_path` with the folders of the chosen build in front. `below` is the path of the subpackage."""
    folders = [FOLDER.joinpath(name, *below) for name in {V3: (V3,), V4: (V4, V3)}.get(NAME, ())]
    return [*(str(folder) for folder in folders if folder.is_dir()), *package_path]


NAME = choose()
