"""Puts small faults into the sources, one at a time, and counts those that the tests notice.

    make mutants N=60 SEED=7     60 faults in all parts; SEED is the number of the commit if it is not given
    make mutants CHANGED=1       in the lines of the change alone (see PLAYOUT_SINCE in .ci/long_tests.py)
    make mutants LONG=1          faults that no short test notices are judged by long tests too

What survives is printed with a diff. docs/development.md says how to read it.
"""

import argparse
import json
import re
import subprocess
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import faults
import long_tests
import psutil
from lines import SAMPLE, Recording
from rooms import FOLDER, ROOT, Room
from selection import CHOSEN
from verdicts import report

LEAST_SECONDS, TIMES = 90, 6
"""A test is ended after LEAST_SECONDS and TIMES the recorded time of the longest one of its run, counted from the end
of the test before. The fault then counts as noticed."""
SHORT_SECONDS = 150.0
"""Seconds of tests of `make test`, by their recorded time, for a fault: those that run its line come first, and of
these the quickest, which are the most."""
LONG_SECONDS = 60.0
"""Processor seconds of long tests, by their stored times, for a fault that no short test notices."""
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


class Judge:
    """Runs tests on one fault after the other, in a room of its own.

    Args:
        number: names the room.
        recording: the tests of a line.
    """

    def __init__(self, number, recording):
        self.room = Room(str(number))
        self.room.make()
        self.recording = recording

    def judge(self, fault, by_short, by_long):
        """Return a verdict, by short tests, long tests or both: `short`, `long`, `survived` or `not compiled`.

        The second value is a test that failed, or the message of the compiler.
        """
        refused = self.room.put(fault)
        try:
            return ("not compiled", refused) if refused else self._run_tests(fault, by_short, by_long)
        finally:
            self.room.take_back(fault)

    def _run_tests(self, fault, by_short, by_long):
        tests = self.recording.tests_of(fault)
        if by_short and (failed := self._first_short_failure(fault, tests)) is not None:
            return "short", failed
        if by_long:
            functions = self._long_tests(fault, tests)
            failed = self._first_failure(list(functions), "long", max(functions.values(), default=0.0))
            if failed is not None:
                return "long", failed
        return "survived", "" if tests else "no test runs the line"

    def _first_short_failure(self, fault, tests):
        left = SHORT_SECONDS
        for some in (tests, self.recording.others_of(fault, tests)):
            chosen = set()
            for test in sorted(some, key=self.recording.seconds.get):
                left -= self.recording.seconds[test]
                if left > 0.0:
                    chosen.add(test)
            longest = max(map(self.recording.seconds.get, chosen), default=0.0)
            failed = self._first_failure([test for test in some if test in chosen], "not long", longest)
            if failed is not None:
                return failed
        return None

    def _long_tests(self, fault, tests):
        """Return the long tests that are nearest to a fault, and their times: of the same files, then of its areas."""
        times = json.loads(long_tests.TIMES.read_text(encoding="utf-8"))
        files = {test.partition("::")[0] for test in tests}
        areas = long_tests.areas_of([fault.path])
        near = [name for name in times if name.startswith(areas) or name.partition("::")[0] in files]
        near.sort(key=lambda name: (name.partition("::")[0] not in files, times[name]))
        chosen = {}
        for name in near:
            if sum(chosen.values()) + times[name] <= LONG_SECONDS:
                chosen[name] = times[name]
        return chosen

    def _first_failure(self, tests, marks, longest):
        """Return the id of a test that fails, "a time limit", or None; `longest` is the time of the longest test."""
        if not tests:
            return None
        chosen = self.room.path / "chosen.txt"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        command = [
            str(self.room.path / ".venv" / "bin" / "python"), "-m", "pytest", "-x", "-m", marks, "-p", "no:benchmark",
            "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "selection", "--basetemp", str(self.room.path / "tmp"),
            "-rfE", "--tb=line", *dict.fromkeys(test.partition("::")[0] for test in tests),
        ]  # fmt: skip
        environ = {**self.room.environ, CHOSEN: str(chosen), "PLAYOUT_SAMPLE": SAMPLE}
        written = self.room.path / "output.txt"  # pytest writes a letter after each test
        with (
            open(written, "w", encoding="utf-8") as file,
            subprocess.Popen(
                command, cwd=self.room.path, env=environ, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
            ) as process,
        ):  # fmt: skip
            size = -1
            while process.poll() is None:
                if size == (size := written.stat().st_size):
                    self._end_processes()
                    return "a time limit"
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LEAST_SECONDS + TIMES * longest)
        self._end_processes()
        if process.returncode in (0, 5):
            return None
        output = written.read_text(encoding="utf-8", errors="replace")
        failed = FAILED.search(output)
        return failed[1] if failed else f"status {process.returncode}: {output[-300:]}"

    def _end_processes(self):
        """Kill all processes that tests in this room have left."""
        for process in psutil.process_iter():
            try:
                if process.environ().get(CHOSEN) == str(self.room.path / "chosen.txt"):
                    process.kill()
            except psutil.Error:
                continue


def changed_lines():
    """Return path -> lines of the packages that the change adds or alters."""
    found = defaultdict(set)
    done = subprocess.run(
        ["git", "diff", "-U0", long_tests.before_change(), "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    path = ""
    for row in done.stdout.splitlines():
        if row.startswith("+++ "):
            path = row.removeprefix("+++ b/")
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row):
            begin, count = int(match[1]), int(match[2] or 1)
            found[path].update(range(begin, begin + count))
    return {path: lines for path, lines in found.items() if path in set(faults.files())}


class Run:
    """Faults of one draw, and their verdicts.

    Args:
        seed: decides the draw.
        lines: path -> lines that may get a fault; None for all.
        with_long: whether long tests judge too.
    """

    def __init__(self, seed, lines, with_long):
        self.recording = Recording.newest()
        self.with_long = with_long
        kind = "" if lines is None else "-changed"
        self._log = FOLDER / f"verdicts-{self.recording.key[:12]}-{seed}{kind}.jsonl"
        stored = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        self._known = {(row["path"], row["line"], row["diff"]): row for row in map(json.loads, stored)}
        self._drawn = faults.draw(seed, lines)
        self._lock = threading.Lock()
        self._open = 0  # faults that are being judged
        self.rows = []

    def judge_all(self, number, jobs):
        """Judge `number` faults that can be compiled, `jobs` at a time. Verdicts of an earlier run are not repeated."""
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda name: self._work(name, number), range(jobs)))
        return self.rows

    def _work(self, name, number):
        judge = Judge(name, self.recording)
        while (fault := self._next(number)) is not None:
            row = self._known.get((fault.path, fault.line, fault.diff))
            if row is None or (self.with_long and row["verdict"] == "survived" and not row["with_long"]):
                verdict, by = judge.judge(fault, by_short=row is None, by_long=self.with_long)
                row = {"path": fault.path, "line": fault.line, "kind": fault.kind, "diff": fault.diff}
                row |= {"verdict": verdict, "by": by, "with_long": self.with_long}
                self._store(row)
            self._add(row)

    def _next(self, number):
        with self._lock:
            if len(self.rows) + self._open >= number:
                return None
            fault = next(self._drawn, None)
            self._open += fault is not None
            return fault

    def _store(self, row):
        with self._lock, self._log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def _add(self, row):
        with self._lock:
            self._open -= 1
            if row["verdict"] != "not compiled":
                self.rows.append(row)
            place = f"{row['path']}:{row['line']}"
            print(f"{len(self.rows)}: {row['verdict']}: {place} ({row['kind']}) {row['by'][:80]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=60, help="faults; default 60")
    parser.add_argument("--seed", type=int, help="decides the faults; default: the number of the commit")
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time; default 2")
    parser.add_argument("--changed", action="store_true", help="only lines of the change")
    parser.add_argument("--long", action="store_true", help="long tests judge what short tests do not notice")
    given = parser.parse_args()
    seed = long_tests.commit_number() if given.seed is None else given.seed
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = Run(seed, changed_lines() if given.changed else None, given.long).judge_all(given.number, given.jobs)
    if not rows:
        print("No line of the packages can have a fault" + (": the change touches none" if given.changed else ""))
        return 0
    return 0 if report(rows, given.long) else 1


if __name__ == "__main__":
    sys.exit(main())
