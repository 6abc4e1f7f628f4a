"""Runs the parts of a check, and prints a table of their times. Python alone; works before anything is built.

    .ci/checks.py run                what every change must pass, by .ci/run: stops at the first part that fails
    .ci/checks.py release-check      everything, by `make release-check`: continues after a failure

A test that fails is run once more, alone. If it passes then, it counts as unreliable, and the last lines name it; more
than MOST_UNRELIABLE unreliable tests are a failure. The very last lines are the summaries of pytest.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [".venv/bin/python", "-m", "pytest", "-p", "no:benchmark"]
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
MOST_UNRELIABLE = 2
MOST_MINUTES = {"run": 30}
"""Check -> minutes after which a part of it is ended."""
SHELL = ("sh", "-c")
FIRST_PAGES = (".venv/bin/python", ".ci/first_pages.py")
SOME_LONG = ("make", "long", "MINUTES=8")
FIRST = (("make", "arena"), ("make", "test"), ("make", "lint"), ("make", "docs"))
RUN = (
    *FIRST,
    (".ci/wheel", "--smoke"),
    SOME_LONG,
    FIRST_PAGES,
)
RELEASE_CHECK = (
    *FIRST,
    ("make", "long"),
    ("make", "wheel"),
    (*SHELL, "if make wasm-compiler; then make wasm-test; else echo 'the compiler for browsers is missing'; fi"),
    ("make", "instructions"),
    ("make", "mutants", "N=40", "CHANGED=1"),
    ("make", "fuzz"),
    ("make", "sanitize"),
    FIRST_PAGES,
)
CHECKS = {"run": RUN, "release-check": RELEASE_CHECK}
TESTS = {("make", "test"): "not long", ("make", "long"): "long", SOME_LONG: "long"}
"""Parts that run pytest, with the marks of their tests."""
SUMMARY = re.compile(r"\d+ (?:passed|failed|skipped|errors?|deselected)\b.* in [0-9.]+s")
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def run(command, minutes=None):
    """Run a part and show its output. Return its exit status and the lines that pytest closed with.

    The part is ended after `minutes`. Nothing that it started survives it.
    """
    closing = []
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        watch = threading.Thread(target=end_session, args=(process, minutes))
        watch.start()
        try:
            for line in process.stdout:
                sys.stdout.write(line)
                sys.stdout.flush()
                plain = COLORS.sub("", line).strip()
                if SUMMARY.search(plain) or plain.startswith(("FAILED ", "ERROR ")):
                    closing.append(plain)
        except BaseException:
            process.kill()
            raise
        finally:
            watch.join()
    return process.returncode, closing


def end_session(process, minutes):
    """Wait for the first process of a session, at most `minutes`, and end all others with it.

    A process that stayed would keep the output open, so `run` would wait for it.
    """
    try:
        process.wait(minutes and 60 * minutes)
    except subprocess.TimeoutExpired:
        print(f"--- ended after {minutes} minutes: {' '.join(process.args)}", flush=True)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def failed_tests():
    """Return the ids of the tests that failed in the last run of pytest."""
    try:
        return list(json.loads(LAST_FAILED.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def passes_alone(test, marks, minutes):
    """Run a test in a process of its own, and return True if it passes."""
    print(f"--- once more, alone: {test}", flush=True)
    alone = ["-m", marks, "-p", "no:cacheprovider", "-p", "no:xdist", test]
    path = os.pathsep.join([str(ROOT / ".venv" / "bin"), os.environ["PATH"]])
    return run(["env", "PYTHONSAFEPATH=1", f"PATH={path}", *PYTEST, *alone], minutes)[0] == 0


def run_tests(command, marks, unreliable, minutes):
    """Run a part with tests. Return True if all pass, at last alone, and its closing lines. Adds to `unreliable`."""
    LAST_FAILED.unlink(missing_ok=True)
    status, closing = run(command, minutes)
    if status == 0:
        return True, closing
    failed = failed_tests()
    if not failed or len(failed) + len(unreliable) > MOST_UNRELIABLE:
        return False, closing
    passed = [test for test in failed if passes_alone(test, marks, minutes)]
    unreliable += passed
    return len(passed) == len(failed), closing


def main(check):
    began = time.monotonic()
    rows, unreliable, closing, is_good = [], [], [], True
    minutes = MOST_MINUTES.get(check)
    try:
        for command in CHECKS[check]:
            name = command[-1] if command[:2] == SHELL else " ".join(command)
            print(f"--- {name}", flush=True)
            begin, used = time.monotonic(), processor_seconds()
            if command in TESTS:
                passed, lines = run_tests(command, TESTS[command], unreliable, minutes)
                closing += lines
            else:
                passed = run(command, minutes)[0] == 0
            rows.append((name, "passed" if passed else "FAILED", time.monotonic() - begin, processor_seconds() - used))
            is_good = is_good and passed
            if not passed and check == "run":
                break
    finally:
        print("--- parts:  minutes, with all processes, of processors")
        for name, verdict, seconds, processor in rows:
            print(f"{verdict}  {seconds / 60:5.1f}  {processor / 60:5.1f}  {name}")
        print(f"in all  {(time.monotonic() - began) / 60:5.1f}")
        for test in unreliable:
            print(f"unreliable, passed when it was run again alone: {test}")
        print("--- summary of pytest:")
        print(*closing, sep="\n", flush=True)
    return 0 if is_good else 1


def processor_seconds():
    """Return the processor time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in CHECKS:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} {' | '.join(CHECKS)}")
    sys.exit(main(sys.argv[1]))
