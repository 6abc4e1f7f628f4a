"""Runs the long tests that a change can touch first, and some of the others, within a time.

    make long MINUTES=8                                     run them, two processes at a time
    .venv/bin/python .ci/long_tests.py --minutes 8 --list   name them
    .venv/bin/python .ci/long_tests.py --measure            run all, and write their times to long_tests.json

The change is all that differs from the commit in PLAYOUT_SINCE; by default, from the parent of the newest merge. Tests
are chosen by their functions: first those of changed files, then those that TOUCHES names, then others, which the
number of commits draws. What is chosen depends on the commit and on the stored times, and not on a clock.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = Path(__file__).with_suffix(".json")
"""Function of a long test -> processor seconds of all its cases."""
NEW_SECONDS = 5.0
"""Processor seconds of a function that has no stored time."""
SHARE = 0.5
"""Part of the time of two processors that stored times may fill: other processors are slower, and tests wait."""
TOUCHES = {
    "tests/arena/": ["bots/"],
    "tests/benchmarks/": ["bench/", "bots/benchmark/"],
    "tests/cli/": ["playout/", "bots/cli", "bots/commands/", "bots/studies/", "bots/system/"],
    "tests/core/": ["cext/", "mcts/nets/", "mcts/learning/"],
    "tests/exact/": ["cext/exact/", "cext/games/", "mcts/exact/", "bots/studies/"],
    "tests/fuzz/": ["fuzz/"],
    "tests/games/": ["cext/game/", "cext/games/", "cext/primitives/", "mcts/adapters/", "mcts/pictures/"],
    "tests/gdl/": ["cext/gdl/", "mcts/gdl/", "mcts/rulesheets/", "bots/ggp/"],
    "tests/packaging/": [".ci/", "docs/", "examples/", "README.md", "pyproject.toml", "setup.py", "MANIFEST.in"],
    "tests/page/": ["bots/page/", "bots/web/", "bots/match/"],
    "tests/ratings/": ["bots/arena/ratings/", "bots/arena/results/"],
    "tests/search/": [
        "cext/search/",
        "cext/nets/",
        "cext/games/bidding_3d_ttt/",
        "mcts/searchers/",
        "mcts/learning/",
        "mcts/options.py",
    ],
    "tests/ugi/": ["bots/engines/", "bots/clocks.py"],
    "tests/web/": ["bots/web/", "bots/match/"],
}
"""Folder of tests -> files that its tests are about. Each has the beginning of their paths."""
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:benchmark", "-m", "long"]
COSTS = "PLAYOUT_COSTS"
"""Environment variable with the folder to which `--measure` writes."""


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def before_change():
    """Return the commit that the change begins at."""
    merge = git("log", "--merges", "--format=%H", "-1")
    return os.environ.get("PLAYOUT_SINCE") or (f"{merge[0]}^1" if merge else "HEAD~1")


def changed_files():
    """Return the paths of the files that the change touches; nothing without a repository."""
    return git("diff", "--name-only", before_change(), "HEAD")


def commit_number():
    return int((git("rev-list", "--count", "HEAD") or ["0"])[0])


def functions():
    """Return the functions of all long tests, as pytest names them without parameters."""
    command = [*PYTEST, "-o", "addopts=-p no:schemathesis", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    found = list(dict.fromkeys(line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line))
    return found or sys.exit(f"{done.stdout[-2000:]}\n.ci/long_tests.py: pytest names no long test")


def areas_of(changed):
    """Return the folders of the tests that changes of files can touch, as a tuple."""
    return tuple(area for area, begins in TOUCHES.items() if any(name.startswith(tuple(begins)) for name in changed))


def rank(function, changed):
    """Return 0 for a test of a changed file, 1 for one that a change can touch, and 2 for another one."""
    path = function.partition("::")[0]
    if path in changed:
        return 0
    return 1 if path.startswith(areas_of(changed)) else 2


def choose(found, times, changed, number, seconds):
    """Return the functions that fit into processor seconds, those that the change can touch first.

    Args:
        found: all functions.
        times: processor seconds by function.
        changed: paths of changed files.
        number: draws the order of functions of the same rank.
        seconds: processor seconds that may be used.
    """
    order = sorted(found)
    random.Random(number).shuffle(order)
    chosen, used = [], 0.0
    for function in sorted(order, key=lambda each: rank(each, changed)):
        cost = times.get(function, NEW_SECONDS)
        if used + cost <= seconds:
            chosen.append(function)
            used += cost
    return chosen


def measure():
    """Run all long tests and store their times."""
    folder = ROOT / "build" / "long_costs"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    command = [*PYTEST, "-n", "2", "--dist", "loadfile", "-p", "long_tests"]
    path = os.pathsep.join([str(TIMES.parent), os.environ.get("PYTHONPATH", "")])
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path, COSTS: str(folder)}, check=False)
    times = {}
    for file in folder.iterdir():
        for line in file.read_text().splitlines():
            function, seconds = json.loads(line)
            times[function] = times.get(function, 0.0) + seconds
    write_times(times)


def write_times(times):
    """Store times, rounded to tenths of a second."""
    shown = {function: max(0.1, round(times[function], 1)) for function in sorted(times)}
    TIMES.write_text(json.dumps(shown, indent=0) + "\n", encoding="utf-8")


def pytest_runtest_logfinish(nodeid):
    """Note the time since the last test ended, as a plugin of pytest: with fixtures and child processes."""
    global _last
    with open(Path(os.environ[COSTS]) / str(os.getpid()), "a", encoding="utf-8") as file:
        now = used_seconds()
        file.write(json.dumps([nodeid.partition("[")[0], now - _last]) + "\n")
        _last = now


def used_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


_last = used_seconds()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8.0, help="time for the tests; default 8")
    parser.add_argument("--list", action="store_true", help="name the tests and do not run them")
    parser.add_argument("--measure", action="store_true", help="run all long tests and store their times")
    given = parser.parse_args()
    if given.measure:
        return measure()
    times = json.loads(TIMES.read_text(encoding="utf-8"))
    found, changed = functions(), changed_files()
    chosen = choose(found, times, changed, commit_number(), given.minutes * 60 * 2 * SHARE)
    touched = [each for each in found if rank(each, changed) < 2]
    print(f"{len(chosen)} of {len(found)} functions of long tests; the change can touch {len(touched)}, of which "
          f"{len(set(touched) & set(chosen))} are chosen")  # fmt: skip
    if given.list:
        print(*chosen, sep="\n")
        return 0
    command = [*PYTEST, "-n", "2", "--dist", "loadfile", *chosen]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
