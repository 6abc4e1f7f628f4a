"""The joins behind the loading of rulesheets refuse code and numbers that name what does not exist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cext.gdl.joins import OPERATIONS, TARGETS, Joins

LIMITS = {"max_depth": 5, "max_terms": 100, "max_instances": 1000, "max_bytes": 1_000_000, "seconds": 10.0}
SMALL = st.integers(-2, 6)
REGISTER = st.integers(0, 3)


def row(relation, *registers):
    return [OPERATIONS["end"], TARGETS["row"], relation, *registers, 0, 0]


def operation(name, *numbers):
    """Numbers of an operation that may be well-formed."""
    drawn = (st.just(OPERATIONS[name]), *(n if isinstance(n, st.SearchStrategy) else st.just(n) for n in numbers))
    return st.tuples(*drawn).map(list)


OPERATION = st.one_of(
    operation("equal", REGISTER, REGISTER),
    operation("different", REGISTER, REGISTER),
    operation("open", REGISTER, 0, 2, REGISTER, REGISTER),
    operation("open", REGISTER, 1, 0),
    operation("make", 0, 2, REGISTER, REGISTER, REGISTER),
    operation("make", 1, 0, REGISTER),
    operation("check", st.integers(0, 2), REGISTER, st.booleans().map(int), REGISTER, REGISTER),
    operation("absent", st.integers(0, 2), REGISTER, REGISTER),
    operation("match", 11, 0, 0, REGISTER, st.booleans().map(int), 1, REGISTER, 1, 1, REGISTER),
    st.lists(SMALL, max_size=6),
)


def small_joins():
    """Return joins with the kinds of `true` and `does`, the functor `cell` of two arguments, and three relations."""
    joins = Joins(**LIMITS)
    joins.set_kind(0, 0, -1)
    joins.set_kind(1, 1, -1)
    cell, one = joins.functor("cell", 2), joins.functor("1", 0)
    number = joins.term(one, [])
    joins.term(cell, [number, number])
    edge = joins.relation(2, -1, -1, False, False)
    joins.relation(2, 0, cell, False, True)
    joins.relation(2, 1, -1, True, True)
    joins.index(edge, [0])
    return joins


@pytest.fixture
def joins():
    return small_joins()


def test_code_is_run(joins):
    chain = joins.chain(-1)
    joins.compile(chain, row(0, 0, 0), [0], [], 0)
    assert joins.start(chain) == "done"
    assert joins.run() == ("done", -1)
    assert joins.row(0, 0) == (0, 0)


@pytest.mark.parametrize(
    "code",
    [
        [],
        row(0, 0),
        row(0, 0, 1),
        row(3, 0, 0),
        row(-1, 0, 0),
        [*row(0, 0, 0), 0],
        [OPERATIONS["equal"], 0, 1, *row(0, 0, 0)],
        [OPERATIONS["open"], 0, 0, 1, 0, *row(0, 0, 0)],
        [OPERATIONS["open"], 0, 9, 0, *row(0, 0, 0)],
        [OPERATIONS["make"], 0, 2, 0, 0, 5, *row(0, 0, 0)],
        [OPERATIONS["check"], 0, 0, 0, 0, 7, *row(0, 0, 0)],
        [OPERATIONS["absent"], 5, 0, 0, *row(0, 0, 0)],
        [OPERATIONS["match"], 11, 0, 0, 0, 0, 1, 0, 1, 2, 0, *row(0, 0, 0)],
        [OPERATIONS["match"], 11, 0, 1, 0, 0, 1, 0, 1, 1, 0, *row(0, 0, 0)],
        [OPERATIONS["match"], 12, 0, 0, 0, 0, 1, 0, 1, 1, 0, *row(0, 0, 0)],
        [OPERATIONS["match"], 11, 0, 0, 0, 0, 1, 0, 1, 1, 0] * 257 + row(0, 0, 0),
        [99, *row(0, 0, 0)],
        [OPERATIONS["end"], TARGETS["whole"], 1, 0, 0, 0, 0],
        [OPERATIONS["end"], TARGETS["row"], 0, 0, 0, 1, 9, 0, 0],
    ],
)
def test_code_that_is_not_well_formed_is_refused(joins, code):
    chain = joins.chain(-1)
    with pytest.raises(ValueError, match="not well-formed"):
        joins.compile(chain, code, [0], [], 0)
    with pytest.raises(IndexError):
        joins.start(chain)


@given(
    st.lists(OPERATION, max_size=6).map(lambda operations: [number for one in operations for number in one]),
    st.sampled_from(
        [row(0, 0, 0), row(1, 1, 2), row(2, 3, 0), [OPERATIONS["end"], TARGETS["whole"], 1, 1, 0, 1, 0, 0]]
    ),
    st.lists(SMALL, min_size=1, max_size=4),
    st.sampled_from([[], [0, 1], [0, 1, 1, 2], [2, 0], [0]]),
    st.integers(-1, 4),
)
def test_no_code_crashes(code, end, registers, binds, row_register):
    joins = small_joins()
    first = joins.chain(-1)
    joins.compile(first, row(0, 0, 0), [0], [], 0)
    joins.start(first)
    chain = joins.chain(0)
    try:
        joins.compile(chain, [*code, *end], registers, binds, row_register)
    except ValueError:
        return
    reason, _ = joins.run()
    assert reason in {"done", "numbers", "depth", "terms", "time", "instances", "memory"}


def test_numbers_are_checked(joins):
    with pytest.raises(IndexError):
        joins.term(9, [])
    with pytest.raises(IndexError):
        joins.term(0, [0, 99])
    with pytest.raises(ValueError, match="takes 2 arguments, not 1"):
        joins.term(0, [0])
    with pytest.raises(ValueError, match="0 to 256 arguments"):
        joins.functor("wide", 300)
    with pytest.raises(ValueError, match="does not have 3 columns"):
        joins.relation(3, 0, 0, False, True)
    with pytest.raises(ValueError, match="relations exist already"):
        joins.set_kind(0, 1, -1)


def test_terms_that_do_not_exist_end_a_run(joins):
    chain = joins.chain(-1)
    joins.compile(chain, [OPERATIONS["make"], 0, 2, 0, 0, 0, *row(0, 0, 0)], [77], [], 0)
    assert joins.start(chain) == "numbers"
