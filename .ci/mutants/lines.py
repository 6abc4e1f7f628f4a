"""The tests that run a line, recorded once by coverage.py for the sources and tests as they are."""

import ast
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections import defaultdict
from pathlib import Path

import coverage
import long_tests
from coverage.numbits import num_in_numbits
from recording import DURATIONS
from rooms import FOLDER, PACKAGES, ROOT, Room

SAMPLE = os.environ.get("PLAYOUT_SAMPLE", "mutants")
"""The draw of sampled tests, which does not depend on the day."""
SETTINGS = """[run]
source_pkgs = cext,mcts,bots,playout
parallel = true
data_file = {folder}/lines
context = ${{PYTEST_CURRENT_TEST-}}
patch = subprocess, _exit, fork
sigterm = true
"""
"""A child process of a test has the name of the test as its context."""
LINES_OF_CONTEXTS = """
    SELECT context, numbits FROM line_bits JOIN context ON context.id = context_id JOIN file ON file.id = file_id
    WHERE path = ?
"""
PHASE = re.compile(r" \((setup|call|teardown)\)$")


class Recording:
    """Which tests run which lines, and for how long.

    Attributes:
        seconds: id of a test of `make test` -> its time.
        failed: the ids of those that failed without a fault, which judge nothing.
    """

    def __init__(self):
        stored = json.loads((FOLDER / "recording.json").read_text(encoding="utf-8"))
        self.key, self.seconds, self.failed = stored["key"], stored["seconds"], set(stored["failed"])
        self._data = sqlite3.connect(FOLDER / "lines", check_same_thread=False)
        self._names = defaultdict(list)  # a file of the sources -> its names in the recording: installed, or in place
        for (name,) in self._data.execute("SELECT path FROM file"):
            self._names[re.sub(r"^.*/(site-packages|mutants/record)/", "", name)].append(name)

    @classmethod
    def newest(cls):
        """Return the recording of the present sources. If none is stored, makes it: ten minutes on two cores."""
        try:
            found = cls()
        except (OSError, KeyError, ValueError, sqlite3.Error):
            found = None
        if found is None or found.key != key_of_sources():
            record()
            found = cls()
        return found

    def tests_of(self, fault):
        """Return the ids of the tests that can notice a fault: first those named like its module, then quick files.

        Of a compiled module, these are the tests of the areas that `long_tests.TOUCHES` names. A line that runs when
        its module is imported has the tests of the whole module.
        """
        found = self.areas_of(fault) if fault.is_compiled else self._tests_of_line(fault)
        tests = [test for test in found if test in self.seconds and test not in self.failed]
        cost = {}
        for test in tests:
            file = test.partition("::")[0]
            cost[file] = cost.get(file, 0.0) + self.seconds[test]
        name = Path(fault.path).stem
        return sorted(tests, key=lambda test: (name not in test, cost[test.partition("::")[0]], test))

    def others_of(self, fault, tests):
        """Return the ids of further tests: of the same files, whose fixtures may run the line; or all, for Cython."""
        files = {test.partition("::")[0] for test in tests}
        known = set(tests) | self.failed
        wanted = (test for test in self.seconds if fault.is_compiled or test.partition("::")[0] in files)
        return sorted(test for test in wanted if test not in known)

    def areas_of(self, fault):
        """Return the ids of the tests whose area can see a file."""
        return [test for test in self.seconds if test.startswith(long_tests.areas_of([fault.path]))]

    def _tests_of_line(self, fault):
        statement = statement_lines((ROOT / fault.path).read_text(encoding="utf-8"), fault.line)
        contexts, others = set(), set()
        for name in self._names[fault.path]:
            for context, numbits in self._data.execute(LINES_OF_CONTEXTS, (name,)):
                runs_it = any(num_in_numbits(line, numbits) for line in statement)
                (contexts if runs_it else others).add(test_of(context))
        # A line may run when its module is imported, or in a process that is not recorded.
        return contexts - {""} or others - {""} or set(self.areas_of(fault))


def test_of(context):
    """Return the id of the test of a context: of a process, or of a part of it."""
    parts = [PHASE.sub("", part) for part in context.split("|")]
    return next((part for part in parts if part), "")


def statement_lines(text, line):
    """Return the lines of the innermost statement at a line; of one with a body, those of its head."""
    best = range(line, line + 1)
    smallest = None
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            body = getattr(node, "body", None)
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if line <= end and (smallest is None or end - node.lineno < smallest):
                best, smallest = range(node.lineno, end + 1), end - node.lineno
    return best


def record():
    """Run the tests of `make test` and store which lines each runs."""
    print("Recording the lines of each test: some ten minutes on two cores", flush=True)
    for name in ("recorded", "durations"):
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        (FOLDER / name).mkdir(parents=True)
    room = Room("record")
    room.make()
    settings = FOLDER / "coverage.ini"
    settings.write_text(SETTINGS.format(folder=FOLDER / "recorded"), encoding="utf-8")
    command = [
        str(room.path / ".venv" / "bin" / "python"), "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest",
        "-p", "no:benchmark", "-p", "no:cacheprovider", "-p", "recording", "-n", "2", "--dist", "worksteal",
    ]  # fmt: skip
    given = {DURATIONS: str(FOLDER / "durations"), "PLAYOUT_SAMPLE": SAMPLE}
    subprocess.run(command, cwd=room.path, env={**room.environ, **given}, stdin=subprocess.DEVNULL, check=False)
    collect(settings)


def collect(settings):
    """Join what the processes of the tests have stored."""
    whole = coverage.Coverage(data_file=str(FOLDER / "lines"), config_file=str(settings))
    whole.combine([str(FOLDER / "recorded")])
    whole.save()
    seconds, failed = {}, []
    for file in (FOLDER / "durations").iterdir():
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if isinstance(row, str):
                failed.append(row)
            else:
                seconds[row[0]] = row[1]
    stored = {"key": key_of_sources(), "seconds": seconds, "failed": sorted(set(failed))}
    (FOLDER / "recording.json").write_text(json.dumps(stored), encoding="utf-8")


def key_of_sources():
    """Return a digest of all files that decide which test runs which line."""
    digest = hashlib.sha256(SAMPLE.encode())
    for folder in (*PACKAGES, "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".pyx", ".pxd") and path.is_file():
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
