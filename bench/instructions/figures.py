"""The stored figures, and their comparison with new counts."""

import importlib.metadata
import json
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from .callgrind import CORE_MODULE

FILE = Path(__file__).with_name("figures.json")
ABOUT = "instructions by callgrind; python -m bench.instructions --write renews this file"
ROOM = 0.03
COMPILER = re.compile(rb"(GCC): \([^)]*\) (\d+\.\d+\.\d+)|(clang) version (\d+\.\d+\.\d+)")
KEYS = ("compiler", "libc")
"""What must be equal for a comparison of `core`."""


@dataclass(frozen=True)
class Difference:
    """A count that differs from its figure by more than there is room for."""

    variant: str
    name: str
    column: str
    figure: int
    count: int

    @property
    def change(self):
        """Change relative to the figure."""
        return self.count / self.figure - 1


def origin():
    """Return what the counts depend on besides the sources: compiler, C library, interpreter and Cython."""
    return {
        "compiler": compiler_of(CORE_MODULE),
        "libc": " ".join(platform.libc_ver()),
        "python": f"{platform.python_version()}, {platform.python_compiler()}",
        "cython": version_of("cython"),
    }


def compiler_of(module):
    """Return name and version of the compiler of a module, which compilers write into it, or "unknown"."""
    found = COMPILER.search(Path(module).read_bytes())
    return "unknown" if found is None else " ".join(part.decode() for part in found.groups() if part)


def version_of(package):
    """Return the installed version of a package, or "not installed"."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def incomparable(stored, here):
    """Return a sentence that names what differs, or None if `core` can be compared."""
    differ = [key for key in KEYS if stored[key] != here[key] or here[key] == "unknown"]
    if not differ:
        return None
    return "; ".join(f"{key}: the figures are for {stored[key]}, this build has {here[key]}" for key in differ)


def compare(stored, counts, here):
    """Return the differences beyond the room. `all` is compared only with the same interpreter.

    Args:
        stored: content of the file of figures.
        counts: machine code -> name of a workload -> column -> instructions.
        here: result of `origin`.

    Raises:
        KeyError: a workload has no figure.
    """
    columns = ("core", "all") if stored["python"] == here["python"] else ("core",)
    found = []
    for variant, names in counts.items():
        for name, row in names.items():
            figures = stored["figures"][variant][name]
            differences = [Difference(variant, name, column, figures[column], row[column]) for column in columns]
            found += [
                difference
                for difference in differences
                if abs(difference.count - difference.figure) > ROOM * difference.figure
            ]
    return found


def read(path=FILE):
    """Return the content of the file of figures."""
    return json.loads(Path(path).read_text())


def write(counts, here, path=FILE):
    """Write a new file of figures."""
    Path(path).write_text(json.dumps({"about": ABOUT, **here, "figures": counts}, indent=1) + "\n")
