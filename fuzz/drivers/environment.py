"""Environment of a process that fuzzes: where it finds the packages, and the libraries of the sanitizers."""

from __future__ import annotations

import importlib.util
import os
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
"""The instrumented build, see `fuzz.native.build`."""
SANITIZER_OPTIONS = (
    "detect_leaks=0",  # Python frees little at its end
    "allocator_may_return_null=1",
    "handle_abort=1",
    "malloc_context_size=1",  # longer stacks of allocations would take three quarters of the time
    "quarantine_size_mb=64",
)
PROGRAM = "FUZZ_PROGRAM"
"""Variable with the path of a program that starts the same target. libFuzzer starts it again when it merges inputs."""
SANITIZER = "asan_with_fuzzer.so"
"""The library of atheris that contains libFuzzer and the runtime of the sanitizers."""


def has_engine() -> bool:
    """Return True if atheris is installed."""
    return importlib.util.find_spec("atheris") is not None


def is_built() -> bool:
    """Return True if there is an instrumented build."""
    return any((BUILD / "lib").glob("fuzz_tables.*"))


def environment(*, instrumented: bool) -> dict[str, str]:
    """Return the variables of a process.

    Args:
        instrumented: True to use the instrumented build and the sanitizers; False to use the installed packages.
    """
    site = sysconfig.get_path("platlib")
    packages = str(BUILD / "lib") if instrumented else site
    path = [packages, str(ROOT / "tests" / "helpers"), str(ROOT)]
    # A source folder before the installed packages would hide them.
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1"}
    if instrumented:
        found |= {
            "LD_PRELOAD": str(Path(site, SANITIZER)),
            "PLAYOUT_VARIANT": "baseline",
            "ASAN_OPTIONS": ":".join(SANITIZER_OPTIONS),
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
    return found
