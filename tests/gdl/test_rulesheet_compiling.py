"""Rulesheets whose compilation needs more than the plain rules of games do, beside the interpreter in plain Python."""

from types import SimpleNamespace

import numpy as np
import pytest
from rulesheets import load, path_of, play_beside_reference, written
from sampling import sweep

from cext.gdl.instances import Instances
from mcts.errors import RulesheetError
from mcts.gdl import building, compiling, game, grounding, parser, rules
from mcts.gdl.game import load_network
from mcts.gdl.rules import read_rules

STEPS = """
(role a) (role b) (init (step 0)) (next-step 0 1) (next-step 1 2) (next-step 2 3) (next-step 3 4) (next-step 4 5)
(<= (next (step ?n)) (true (step ?m)) (next-step ?m ?n)) (<= terminal (true (step 5)))
"""
MARKS = """
(cell 1) (cell 2) (cell 3) (cell 4)
(<= (legal ?r (mark ?x)) (role ?r) (cell ?x) (not (true (marked ?x a))) (not (true (marked ?x b))))
(legal a wait) (legal b wait)
(<= (next (marked ?x ?r)) (does ?r (mark ?x))) (<= (next (marked ?x ?r)) (true (marked ?x ?r)))
"""
GOALS = "(<= (goal ?r 100) (role ?r) {}) (<= (goal ?r 0) (role ?r) (not {}))"
MARKED = "(true (marked 4 a))"

REACHED = """
(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (edge 4 2)
(<= (joined ?x ?y) (or (edge ?x ?y) (edge ?y ?x)))
(<= (owned ?x) (true (marked ?x ?r)))
(<= (reached 1) (true (step ?n)) (distinct ?n 0))
(<= (reached ?y) (reached ?x) (joined ?x ?y) (owned ?x))
"""
PAIRS = """
(<= (path ?x ?y) (true (marked ?x a)) (cell ?y) (true (marked ?y b)))
(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
(<= (path ?x ?y) (path ?y ?x) (true (step 3)))
"""
CLOSURE = """
(edge 1 2) (edge 2 3) (edge 3 4) (<= (far ?x ?y) (edge ?x ?y)) (<= (far ?x ?z) (far ?x ?y) (far ?y ?z))
(<= (won ?x) (far 1 ?x) (true (marked ?x a)))
"""
WHOLE = """
(init (marked 2 b)) (kept (marked 2 b)) (kept (marked 3 a))
(<= (next ?f) (kept ?f) (not (true ?f)) (true (step 3)))
(<= (frozen ?f) (true ?f) (kept ?f))
(<= (won ?x) (frozen (marked ?x ?r)) (not (true (marked 1 ?r))))
"""
NESTED = """
(next-step zero (s zero)) (<= (twin (pair ?x (pair ?y ?x))) (cell ?x) (cell ?y) (distinct ?x ?y))
(<= (next (held (pair ?x ?p))) (does ?r (mark ?x)) (twin ?p)) (<= (next (held ?p)) (true (held ?p)))
(<= (won ?x) (true (held (pair ?x (pair ?y (pair ?z ?y))))) (not (true (held (pair ?z (pair 1 (pair 2 1)))))))
"""
MANY = """
(<= (won ?x) (cell ?x) (true (marked ?a ?r)) (true (marked ?b ?s)) (true (marked ?c ?t)) (distinct ?a ?x)
    (distinct ?b ?c) (distinct ?r ?s) (not (true (marked ?x ?t))) (true (step ?n)) (not (next-step ?n ?x)))
"""
LEFT_OVER = """
(<= (won ?x) (true (marked ?x a)) (not (beaten ?x)))
(<= (beaten ?x) (true (marked ?x a)) (true (marked ?y b)) (over ?y ?x))
(over 1 2) (over 2 3) (<= (over ?x ?z) (over ?x ?y) (over ?y ?z))
"""
ATOMS = "(<= (won even) (not (won odd))) (<= (won odd) (true (marked 1 a)))"

SHEETS = {
    "atoms that need each other": REACHED + GOALS.format("(reached 4)", "(reached 4)"),
    "two such atoms in one rule": PAIRS + GOALS.format("(path 1 1)", "(path 1 1)"),
    "a closure of a relation with itself": CLOSURE + GOALS.format("(won 4)", "(won 4)"),
    "variables for whole fluents": WHOLE + GOALS.format("(won 2)", "(won 2)"),
    "nested terms": NESTED + GOALS.format("(won 2)", "(won 2)"),
    "a rule with many variables": MANY + GOALS.format("(won 2)", "(won 2)"),
    "a relation below a negation": LEFT_OVER + GOALS.format("(won 3)", "(won 3)"),
}


@sweep("name", SHEETS, 2)
def test_games_agree_with_the_interpreter(tmp_path, name):
    path = written(tmp_path, STEPS + MARKS + SHEETS[name])
    for seed in range(12):
        play_beside_reference(tmp_path / path, seed, 6)


@sweep("name", SHEETS, 3)
def test_games_agree_if_only_what_is_asked_for_is_derived(tmp_path, monkeypatch, name):
    monkeypatch.setattr(grounding, "FIRST_INSTANCES", 0)
    load_network.cache_clear()
    path = written(tmp_path, STEPS + MARKS + SHEETS[name])
    for seed in range(3):
        play_beside_reference(tmp_path / path, seed, 6)
    load_network.cache_clear()


def test_a_relation_with_too_many_atoms_is_derived_where_it_is_asked_for():
    """The sum over ten places has millions of instances if it may begin with any number."""
    places = 10
    text = f"""
    (role a) {" ".join(f"(next-place {i} {i + 1})" for i in range(places))}
    {" ".join(f"(number {i}) (after {i} {i + 1})" for i in range(200))}
    (<= (legal a (put ?x)) (next-place ?x ?y)) (<= (next (full ?x)) (does a (put ?x)))
    (<= (next (full ?x)) (true (full ?x)))
    (<= (sum {places} ?low ?high ?low ?high) (number ?low) (number ?high))
    (<= (sum ?x ?low ?high ?few ?many) (true (full ?x)) (next-place ?x ?y) (after ?low ?next)
        (sum ?y ?next ?high ?few ?many))
    (<= (sum ?x ?low ?high ?few ?many) (not (true (full ?x))) (next-place ?x ?y) (after ?high ?next)
        (sum ?y ?low ?next ?few ?many))
    (<= terminal (sum 0 0 0 3 7)) (<= (goal a ?n) (sum 0 0 0 ?n ?m))
    """
    network = load_network(text)
    assert [len(moves) for moves in network.moves] == [places]
    assert sorted(value for value, _ in network.goals[0]) == list(range(places + 1))


def test_both_goals_are_met_in_some_game(tmp_path):
    """The goals of the sheets above depend on the moves, so that the comparison is one."""
    for name, text in SHEETS.items():
        game = load(written(tmp_path, STEPS + MARKS + text))
        found = set()
        for seed in range(60):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_actions([state.sample_action(player, 2 * seed + player) for player in range(2)])
            found |= set(state.returns())
        assert found == {0.0, 100.0}, name


def test_a_relation_may_need_the_negation_of_another_atom_of_it(tmp_path):
    path = written(tmp_path, STEPS + MARKS + ATOMS + GOALS.format("(won even)", "(won even)"))
    for first, returns in (("mark(1)", 0.0), ("mark(2)", 100.0)):
        state = load(path).new_initial_state()
        for text in (first, *("wait",) * 4):
            state.apply_actions(state.joint_action({0: text, 1: "wait"}))
        assert state.returns() == [returns, returns]


def test_a_rule_is_grounded_in_parts():
    numbers = range(12)
    text = f"""
    (role a) {" ".join(f"(n {i}) (init (at {i}))" for i in numbers)} (legal a go) (goal a 100)
    (<= terminal (true (at ?a)) (true (at ?b)) (true (at ?c)) (true (at ?d)) (true (at ?e)) (true (at ?f))
        (distinct ?a ?b) (distinct ?b ?c) (distinct ?c ?d) (distinct ?d ?e) (distinct ?e ?f))
    (<= (next (at ?x)) (true (at ?x)) (not (true (at 1)))) (<= (next (at 1)) (does a go))
    """
    found = grounding.ground(read_rules(text), 5, 3000)  # the plain rule has two million instances
    assert len(found.instances) < 4 * 8 * 3000


def test_moves_that_most_conditions_share_are_merged():
    cells = " ".join(f"(cell {i})" for i in range(1, 41))
    text = f"""
    (role a) {cells} (init (free 1)) (<= (legal a (mark ?x)) (cell ?x) (not (true (marked ?x))))
    (<= (next (marked ?x)) (does a (mark ?x))) (<= (next (marked ?x)) (true (marked ?x)))
    (<= (next (free ?x)) (true (free ?x)) (does a (mark ?y)) (distinct ?x ?y))
    (<= (next (free ?x)) (cell ?x) (does a (mark 3)))
    (<= terminal (true (marked 1)) (true (marked 2)))
    (<= (goal a 100) (true (free 1))) (<= (goal a 0) (not (true (free 1))))
    """
    network = load_network(text)
    assert len(network.edges) < 4 * 40


def test_instances_have_bodies_for_their_atoms_alone():
    instances = Instances(np.array([2, 1, 0, 1, 1], np.int32).tobytes(), 3)
    assert [instances.bodies(atom) for atom in range(3)] == [[], [], [([0], [1])]]
    for atom in (-1, 3, 2**31 - 1):
        with pytest.raises(IndexError):
            instances.bodies(atom)


class CountedClock:
    """A clock that is asked instead of the machine's. After some questions, all time is over."""

    def __init__(self, questions):
        self.asked, self.questions = 0, questions

    def __call__(self):
        self.asked += 1
        return 0.0 if self.asked <= self.questions else 1e6


def test_a_compilation_ends_in_every_phase_when_its_time_is_over(monkeypatch):
    """The time is looked at for every move and fluent, in each of the loops over them."""
    text = path_of("breakthrough").read_text()

    def compiled(questions):
        clock = CountedClock(questions)
        for module in (game, rules, parser, grounding, building, compiling):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
        return load_network.__wrapped__(text), clock

    network, clock = compiled(10**9)
    needed = clock.asked
    assert needed > 5 * sum(map(len, network.moves))
    for questions in range(2, needed, max(1, needed // 40)):
        with pytest.raises(RulesheetError, match=r"in the time that is allowed|not (read|grounded) after 60 seconds"):
            compiled(questions)
        assert grounding.time.monotonic.asked <= questions + 2
