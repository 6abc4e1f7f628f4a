"""The description of one workload, and the workloads of a folder."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

EXPLORATION = 1.4
"""Weight of exploration in all searches of workloads, whatever the default: a changed default changes no workload."""


@dataclass(frozen=True)
class Workload:
    """Work of a fixed amount, whose time is measured.

    A workload always does the same amount of work, because many rates depend on it: a search becomes slower while its
    tree grows. Slow machines take longer for a round.
    """

    name: str
    """`group/case`, for example `playouts/points_ttt`. Results of the same name are compared."""
    unit: str
    """The unit of a rate, in the plural: `playouts`, `simulations`, `calls`."""
    units: int
    """Number of units of one round."""
    prepare: Callable[[int], Callable[[], Any]]
    """Return the function of one round of that many units. Its call is timed; `prepare` is not."""
    short_units: int = 1
    """Number of units of a round in a smoke test; 0 for work that cannot be made short, and is left out there."""
    quick: bool = False
    """True if `playout bench` measures it."""
    rounds: int = 2
    """Rounds in each pass over all workloads."""
    warmup_rounds: int = 1
    """Rounds before those, whose times are not used."""
    passes: int = 10
    """Largest number of passes; fewer for slow workloads."""
    needs_mb: int = 0
    """Free memory that the workload needs, in MB; it is left out where there is less."""
    values: Callable[[Any], Mapping[str, float]] = field(default=lambda returned: {})
    """Return further figures from what the last round returned, such as bytes per simulation."""

    @property
    def group(self) -> str:
        """The part of the name before the slash."""
        return self.name.partition("/")[0]

    def timed(self, units: int) -> tuple[float, Any]:
        """Run one round of a number of units, without Python's collector of cycles.

        Returns:
            The time of the round in seconds, without its preparation, and what the round returned.
        """
        run = self.prepare(units)
        enabled = gc.isenabled()
        gc.disable()
        try:
            begin = time.perf_counter()
            returned = run()
            return time.perf_counter() - begin, returned
        finally:
            if enabled:
                gc.enable()


def workloads_of(package: str, folders: Iterable[str]) -> tuple[Workload, ...]:
    """Return the workloads of all files of a package, by the name of the file and in its order.

    Args:
        package: its name.
        folders: where its files are.

    Raises:
        ValueError: two workloads have the same name.
    """
    files = sorted(module.name for module in pkgutil.iter_modules(folders))
    modules = [importlib.import_module(f"{package}.{name}") for name in files]
    found: list[Workload] = [workload for module in modules for workload in getattr(module, "WORKLOADS", ())]
    names = [workload.name for workload in found]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"several workloads are called {', '.join(sorted(repeated))}")
    return tuple(found)
