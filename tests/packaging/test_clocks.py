"""The clock: only `waiting.py` reads it, a sleep stands only in programs that are to be slow, bounds have its names."""

import ast
import re
from pathlib import Path

import pytest
from support import ROOT

TESTS = ROOT / "tests"
CLOCK = "helpers/waiting.py"
READS = ("monotonic", "perf_counter", "process_time", "thread_time", "time")
CLOCKS = {f"time.{name}{end}" for name in READS for end in ("", "_ns")}
"""Functions that read a clock."""
SLEEPS = {
    "helpers/hostile_bots.py": "bots that hang",
    "helpers/hostile_engine.py": "engines that hang or are slow",
    "helpers/hostile_import.py": "a module whose import hangs",
    "helpers/mock_engine.py": "an engine that hangs or is slow",
    "helpers/troublesome_bots.py": "bots that hang or are slow",
    "helpers/ggp_network.py": "players that hang or are slow",
    "web/test_web_misbehaviour.py": "clients that are slow",
}
"""File -> what is slow in it."""
TIMEOUTS = {}
"""File -> why a timeout in it is a number."""
MAY_HAVE = re.compile(r"\btime\.|from time |sleep|timeout")
"""In each file with a fault; others are not parsed."""
PROGRAMS = re.compile(r"\b(?:time|asyncio)\.(?:sleep\((?!0\))|(?:" + "|".join(READS) + r")(?:_ns)?\()")
"""Sleeps and reads of the clock in texts of programs, which the tests run."""


def imported(tree):
    """Names of a module for functions of `time` and `asyncio`: {name in the module: name of the function}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("time", "asyncio"):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def named(node, names):
    """What a name or an attribute stands for, such as `time.sleep` or, of an unknown object, `.sleep`; else ""."""
    if isinstance(node, ast.Attribute):
        return f"{node.value.id if isinstance(node.value, ast.Name) else ''}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


def is_number(node):
    """True for a literal number, and for arithmetic of such numbers."""
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and node.value is not True


def docstrings(tree):
    """The nodes of docstrings and of texts that stand alone as comments."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def pauses(tree):
    """The names of functions that are called with 0: `asyncio.sleep(0)` lets others run and does not wait."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    return {id(node.func) for node in calls if isinstance(node.args[0], ast.Constant) and node.args[0].value == 0}


def faults(text):
    """The faults in the text of a file of tests, as (line, kind)."""
    tree = ast.parse(text)
    names, unread, yields = imported(tree), docstrings(tree), pauses(tree)
    found = set()
    for node in ast.walk(tree):
        name = named(node, names)
        if name in CLOCKS:
            found.add((node.lineno, "clock"))
        if name == "time.sleep" or (name == "asyncio.sleep" and id(node) not in yields):
            found.add((node.lineno, "sleep"))
        if name.endswith(".wait_for_timeout"):  # of a page in a browser
            found.add((node.lineno, "sleep"))
        if isinstance(node, ast.Call):
            given = [one.value for one in node.keywords if one.arg == "timeout"]
            if named(node.func, names).endswith((".settimeout", ".set_default_timeout")):
                given.append(node.args[0])
            found |= {(one.lineno, "timeout") for one in given if is_number(one)}
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unread:
            for program in PROGRAMS.finditer(node.value):
                line = node.lineno + node.value.count("\n", 0, program.start())
                found.add((line, "sleep" if "sleep" in program[0] else "clock"))
    return sorted(found)


def files():
    """Path below the folder of tests -> faults."""
    paths = sorted(set(TESTS.rglob("*.py")) - {Path(__file__)})  # which has faults as examples
    texts = {path.relative_to(TESTS).as_posix(): path.read_text() for path in paths}
    return {name: faults(text) if MAY_HAVE.search(text) else [] for name, text in texts.items()}


@pytest.fixture(scope="module")
def found():
    return files()


@pytest.mark.parametrize(
    ("kind", "allowed", "instead"),
    [
        ("clock", {CLOCK}, "wait_until, stopwatch or Clock of waiting.py"),
        ("sleep", {CLOCK, *SLEEPS}, "wait_until, until or let_pass of waiting.py"),
        ("timeout", {*TIMEOUTS}, "HANG_SECONDS or BUILD_SECONDS of waiting.py"),
    ],
)
def test_only_some_files_depend_on_the_clock(found, kind, allowed, instead):
    wrong = [
        f"tests/{file}:{line}" for file, of in found.items() if file not in allowed for line, its in of if its == kind
    ]
    assert not wrong, f"{kind} in {', '.join(wrong)}; valid: {instead}"


@pytest.mark.parametrize(("table", "kind"), [(SLEEPS, "sleep"), (TIMEOUTS, "timeout")], ids=["sleeps", "timeouts"])
def test_every_exception_is_needed(found, table, kind):
    assert [file for file in table if kind not in {its for _, its in found.get(file, ())}] == []


def test_the_clock_of_the_tests_is_found(found):
    assert {kind for _, kind in found[CLOCK]} == {"clock", "sleep"}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("import time\nbegin = time.monotonic()", ["clock"]),
        ("import time\nname = f'{time.time_ns()}'", ["clock"]),
        ("from time import perf_counter as now\nnow()", ["clock"]),
        ("import time\nCLOCKS = (time.thread_time, time.process_time)", ["clock"]),
        ("import time\nf = lambda: time.time()", ["clock"]),
        ("import time\ntime.sleep(1)", ["sleep"]),
        ("import time\nexecutor.submit(time.sleep, 1)", ["sleep"]),
        ("from asyncio import sleep\nasync def f(): await sleep(0.1)", ["sleep"]),
        ("import asyncio\nasync def f(): await asyncio.sleep(0.1)", ["sleep"]),
        ("import asyncio\nasync def f(): await asyncio.sleep(0)", []),
        ("import time\ntime.sleep(0)", ["sleep"]),
        ("page.wait_for_timeout(100)", ["sleep"]),
        ("PROGRAM = '''\nimport time\ntime.sleep(3)\n'''", ["sleep"]),
        ("PROGRAM = 'import time; print(time.monotonic())'", ["clock"]),
        ("run(words, timeout=60)", ["timeout"]),
        ("run(words, timeout=9 * 60)", ["timeout"]),
        ("socket.settimeout(0.5)", ["timeout"]),
        ("run(words, timeout=HANG_SECONDS)", []),
        ("monkeypatch.setattr('bots.clocks.time.monotonic', clock)", []),
        ("monkeypatch.setattr(time, 'sleep', clock.sleep)", []),
        ("def f():\n    '''Waits with time.sleep(1), as time.time() says.'''", []),
    ],
)
def test_faults_are_found(text, kinds):
    assert [kind for _, kind in faults(text)] == kinds
