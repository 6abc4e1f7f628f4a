"""Work in a process of its own, whose peak memory is that of the work alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

_PROGRAM = """
import json, re, sys
def peak():
    try:  # not getrusage, whose peak includes the process that started this one
        with open("/proc/self/status") as status:
            return int(re.search("VmHWM:\\s+(\\d+) kB", status.read())[1])
    except OSError:
        import resource
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes // 1024 if sys.platform == "darwin" else kilobytes
{code}
prepare(*sys.argv[1:])
print("ready", flush=True)
sys.stdin.readline()
before = peak()
found = work(*sys.argv[1:])
print(json.dumps({{**found, "peak_mb": peak() / 1024, "grown_mb": (peak() - before) / 1024}}), flush=True)
"""


class Child:
    """A process that has prepared its work and waits for the call.

    Args:
        code: Python source that defines `prepare(*arguments)` and `work(*arguments)`, which returns a dict of numbers.
        arguments: texts for both functions.

    Raises:
        RuntimeError: the process ended early; the message has its output.
    """

    def __init__(self, code: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM.format(code=code), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._line()

    def __call__(self) -> dict[str, float]:
        """Do the work once.

        Returns:
            What `work` returned, and in MB: `peak_mb` of the process, and `grown_mb` from the call on.
        """
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: dict[str, float] = json.loads(self._line())
        self.close()
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line: Any = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of a workload failed:\n{self._process.communicate()[1]}")
        text: str = line
        return text
