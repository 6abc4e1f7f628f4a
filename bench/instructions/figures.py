"""The stored figures, and their comparison with new counts."""

import importlib.metadata
import platform
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from bots.benchmark.machine import describe_machine
from bots.benchmark.result_file import Result, ResultFile, write_results

FILE = Path(__file__).parent.parent / "results" / "instructions.json"
COMMAND = "python -m bench.instructions --write"
TOLERANCE = 0.03
KEYS = ("compiler", "libc")
"""Facts of the machine that must be equal for a comparison of `core`."""
PYTHON_KEYS = ("python", "implementation", "python_build")
"""Facts that must be equal for a comparison of `all`."""


@dataclass(frozen=True)
class Difference:
    """A count that differs from its figure by more than the tolerance."""

    name: str
    column: str
    figure: float
    count: float

    @property
    def change(self):
        """Change relative to the figure."""
        return self.count / self.figure - 1


def describe_build():
    """Return what the counts depend on besides the sources, by name."""
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    build = platform.python_compiler() + (", profile-guided" if optimised else "")
    return {**describe_machine(), "python_build": build, "cython": version_of("cython")}


def version_of(package):
    """Return the installed version of a package, or "not installed"."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def difference_of(keys, stored, here):
    """Return a text that names the facts which differ, or None.

    Args:
        keys: names of facts.
        stored: facts of the figures.
        here: facts of this build.
    """
    differ = [key for key in keys if stored.get(key) is None or stored.get(key) != here.get(key)]
    if not differ:
        return None
    return "; ".join(f"{key}: the figures are for {stored.get(key)}, this build has {here.get(key)}" for key in differ)


def name_of(workload, variant):
    """Return the name of a result."""
    return f"instructions/{workload}, {variant}"


def results_of(counts):
    """Return the results of counts: machine code -> workload -> column -> instructions."""
    return [
        Result(name_of(workload, variant), values=row)
        for variant, rows in counts.items()
        for workload, row in rows.items()
    ]


def compare(stored, counted, here):
    """Return the differences beyond the tolerance. `all` is compared only with the same interpreter.

    Args:
        stored: the file of figures, a ResultFile.
        counted: new results.
        here: facts of this build.

    Raises:
        ResultFileError: a result has no figure.
    """
    columns = ("core",) if difference_of(PYTHON_KEYS, stored.machine, here) else ("core", "all")
    found = []
    for result in counted:
        figures = stored.find(result.name).values
        differences = [Difference(result.name, key, figures[key], result.values[key]) for key in columns]
        found += [each for each in differences if abs(each.count - each.figure) > TOLERANCE * each.figure]
    return found


def write(results, here, path=FILE):
    """Write a new file of figures."""
    write_results(Path(path), ResultFile(COMMAND, here, tuple(results)))
