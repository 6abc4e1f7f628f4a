"""Runs inputs through a target, each with a limit of time, and the process with a limit of memory.

    python -m fuzz.drivers.replay TARGET [FILE ...]

Without files it runs the corpus. The first finding ends it with status 1 and names the input.
"""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from fuzz.registry import RSS_MB, TIMEOUT_SECONDS, load_target, stored_inputs


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after some seconds."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def limit_memory(megabytes: int) -> None:
    """Let allocations fail that would take more address space than now and `megabytes`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def main() -> None:
    """Run the inputs that the command line names."""
    name, *files = sys.argv[1:]
    target = load_target(name)
    inputs = {path: Path(path).read_bytes() for path in files}
    if not files:
        inputs = {f"seed {place}": seed for place, seed in enumerate(target.seeds)}
        inputs |= {f"stored input {found}": data for found, data in stored_inputs(name).items()}
    limit_memory(RSS_MB)
    for what, data in {"the empty input": b"", **inputs}.items():
        try:
            with time_limit(TIMEOUT_SECONDS):
                target.run(data)
        except Exception as error:
            error.add_note(f"target {name}, {what}")
            raise
    print(f"{name}: {len(inputs)} inputs")


if __name__ == "__main__":
    main()
