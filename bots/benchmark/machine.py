"""Description of the machine, the build and the Python that results come from."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cext import _variant
from cext.build_info import COMPILER, FLAGS

_CPUINFO = Path("/proc/cpuinfo")
_KEYS = {"cpu family": "family", "model": "model", "stepping": "stepping"}


def describe_machine() -> dict[str, str | int | float]:
    """Return what the speed of a build depends on, by name, as plain data.

    What a system does not tell is left out. `load` is the number of processes that ran in the last minute, on average.
    """
    found: dict[str, str | int | float] = {
        "processor": _processor(),
        "architecture": platform.machine(),
        "cores": usable_cores(),
        "system": platform.system(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "machine_code": _variant.NAME,
        "compiler": COMPILER,
        "flags": FLAGS,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "numpy": _version("numpy"),
        "playout": _version("playout"),
        "memory_mb": _memory_mb(),
    }
    if hasattr(os, "getloadavg"):
        found["load"] = round(os.getloadavg()[0], 2)
    return {name: value for name, value in found.items() if value != ""}


def usable_cores() -> int:
    """Return the number of processors on which this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    """Return the name of the processor. Family, model and stepping tell generations of one name apart."""
    try:
        lines = _CPUINFO.read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    pairs = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = pairs.get("model name", "") or platform.processor()
    numbers = [f"{short} {pairs[key]}" for key, short in _KEYS.items() if key in pairs]
    return f"{name} ({', '.join(numbers)})" if name and numbers else name


def _memory_mb() -> int | str:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, ValueError, OSError):
        return ""


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
