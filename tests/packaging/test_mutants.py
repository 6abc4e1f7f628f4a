"""The command `make mutants`: the faults that it puts into Cython, and its table."""

import pytest
from ci_programs import CI, ci_program

cython_text, verdicts = ci_program("mutants/cython_text"), ci_program("mutants/verdicts")

pytestmark = pytest.mark.skipif(not CI.exists(), reason="a source distribution without these files")

HEAD = "cdef int first(int *cells, int count) except -1 nogil:\n"


def faults_of(line):
    """Return kind -> the lines that replace one line in a function."""
    found = cython_text.cython_faults(f"{HEAD}    {line}\n")
    assert set(found) <= {2}
    texts = {kind: [change() for change in changes] for kind, changes in found.get(2, {}).items()}
    assert all(text.startswith(HEAD) and text.endswith("\n") for each in texts.values() for text in each)
    return {kind: [text.removeprefix(HEAD).strip() for text in each] for kind, each in texts.items()}


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("x = a + b", {"sign": ["x = a - b"]}),
        ("x |= a << 2", {"sign": ["x &= a << 2", "x |= a >> 2"]}),
        ("while a < b:", {"comparison": ["while a <= b:", "while a > b:"]}),
        ("return <int> a, &cells[0], -1, a*b", {}),
        ("clear(cells)  # all of them", {"call": ["pass"]}),
        ("x = found(cells)", {}),
        ("continue", {"loop": ["break"]}),
        ("x = True", {"truth": ["x = False"]}),
        ('raise ValueError("a + b and c < d")', {}),
        (
            "if a and not f(b, c):",
            {
                "logic": ["if a or not f(b, c):", "if a and  f(b, c):"],
                "condition": ["if not f(b, c):", "if a:"],
            },
        ),
        ("cdef int x[4]", {}),
        ("cdef int x = a & b", {"sign": ["cdef int x = a | b"]}),
        ("# a + b", {}),
    ],
)
def test_faults_of_a_line_of_cython(line, faults):
    assert faults_of(line) == faults


def test_docstrings_have_no_faults():
    assert cython_text.cython_faults('"""Of a + b:\n\n    clear(a)\n    if a and b:\n"""\nx = 1\n') == {}


def row(path, verdict):
    return {"path": path, "line": 7, "kind": "sign", "diff": "-a\n+b", "verdict": verdict, "by": ""}


def test_survivors_and_shares_are_reported(capsys):
    rows = [row("mcts/mcts.py", "short"), row("bots/arena/play/worker.py", "survived"), row("bots/arena/a.py", "long")]
    assert verdicts.report(rows, with_long=True)
    lines = capsys.readouterr().out.splitlines()
    assert "survived: bots/arena/play/worker.py:7 (sign) " in lines
    assert "long: bots/arena/a.py:7 (sign) " in lines
    assert [line.split() for line in lines[-3:]] == [
        ["bots/arena", "2", "0%", "50%"],
        ["mcts", "1", "100%", "100%"],
        ["all", "3", "33%", "67%"],
    ]


@pytest.mark.parametrize(("noticed", "is_good"), [(30, True), (29, False)])
def test_a_large_area_needs_its_share(noticed, is_good):
    rows = [row("cext/search/tree.pyx", "short" if number < noticed else "survived") for number in range(40)]
    assert verdicts.report(rows, with_long=False) == is_good
    assert verdicts.report(rows[noticed - 5 :], with_long=False)  # fifteen faults say little
