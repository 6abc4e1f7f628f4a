"""Measure two installations in one run: in every pass, each workload in both, one after the other.

Both sides run the workloads of these sources, so that the work is the same. Each pass starts new processes: the place
of code and data in memory differs from process to process, and with it the speed.
"""

import fnmatch
import json
import os
import subprocess
import time
import uuid
from contextlib import ExitStack
from pathlib import Path

from bots.benchmark.machine import describe_machine
from bots.benchmark.result_file import Result, ResultFile

from .intervals import LEAST_SAMPLES

WORKLOADS = Path(__file__).parent.parent / "workloads"
WORKER = Path(__file__).parent / "worker.py"


class EnvironmentFailedError(Exception):
    """An interpreter cannot measure the workloads. The message has the reason."""


class Side:
    """One installation, measured by a process.

    Args:
        python: path of its interpreter.
    """

    def __init__(self, python, workloads=WORKLOADS):
        self.python = python
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        try:
            self._process = subprocess.Popen(
                [python, "-P", str(WORKER), str(workloads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=inherited,
                text=True,
            )
        except OSError as error:
            raise EnvironmentFailedError(f"{python}: {error.strerror}; valid: a path of an interpreter") from None
        self.about = self._answer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def time_of(self, name):
        """Run one round of a workload and return the answer of the process. Raises EnvironmentFailedError."""
        try:
            self._process.stdin.write(f"{name}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer has the reason
        answer = self._answer()
        if "error" in answer:
            raise EnvironmentFailedError(f"{self.python}: {name}: {answer['error']}")
        return answer

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            _, errors = self._process.communicate()
            reason = errors.strip().splitlines()[-1] if errors.strip() else f"status {self._process.returncode}"
            raise EnvironmentFailedError(f"{self.python}: {reason}; valid: an interpreter with playout installed")
        return json.loads(line)


def measure_pair(pythons, seconds, pattern=None, on_pass=lambda passes: None, workloads=WORKLOADS):
    """Measure two installations and return a ResultFile of each; pass i of one and pass i of the other are a pair.

    Args:
        pythons: the two interpreters.
        seconds: about how long; at least LEAST_SAMPLES passes are measured.
        pattern: workloads to measure, as a pattern of shells; None for those of `playout bench`.
        on_pass: called with the number of passes after each.
        workloads: folder of the workloads.

    Raises:
        EnvironmentFailedError: an interpreter cannot measure the workloads.
    """
    begin = time.perf_counter()
    times = {}
    passes = 0
    while passes < LEAST_SAMPLES or time.perf_counter() - begin < seconds * passes / (passes + 1):
        with ExitStack() as stack:
            sides = [stack.enter_context(Side(python, workloads)) for python in pythons]
            names = chosen_names(sides, pattern)
            for name in names if passes % 2 == 0 else reversed(names):
                for side in sides:
                    side.time_of(name)  # warms up
                order = (0, 1) if passes % 2 == 0 else (1, 0)
                answers = {place: sides[place].time_of(name) for place in order}
                for place in (0, 1):
                    times.setdefault(name, ([], []))[place].append(answers[place])
            about = [side.about for side in sides]
        passes += 1
        on_pass(passes)
    run = uuid.uuid4().hex
    return tuple(
        ResultFile(
            f"python -m bench.compare --run {pythons[0]} {pythons[1]}",
            {**describe_machine(), **about[place]["machine"], "run": run},
            tuple(_result(name, answers[place]) for name, answers in times.items()),
        )
        for place in (0, 1)
    )


def chosen_names(sides, pattern):
    """Return the names of the workloads to measure, which both have. Raises EnvironmentFailedError if there is none."""
    first, second = (side.about["quick"] for side in sides)
    both = [name for name in first if name in second]
    names = [name for name in both if (first[name] if pattern is None else fnmatch.fnmatchcase(name, pattern))]
    if not names:
        failed = "".join(f"; {file}: {why}" for side in sides for file, why in side.about["failed"].items())
        raise EnvironmentFailedError(f"no workload matches {pattern!r}; valid: {', '.join(both) or 'none'}{failed}")
    return names


def _result(name, answers):
    return Result(name, answers[0]["unit"], answers[0]["units"], tuple((answer["seconds"],) for answer in answers))
