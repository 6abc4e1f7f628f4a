"""Rulesheets that are refused, with the reason."""

import pytest

from mcts.errors import RulesheetError
from mcts.gdl.game import load_network
from mcts.reference.rulesheet import Rulesheet

START = "(role a) (init (at 1)) (legal a go) (goal a 100) (<= terminal (true (at 2)))"
NEXT = "(<= (next (at 2)) (does a go))"


def test_a_small_game_is_accepted():
    assert load_network(START + NEXT).moves == (("go",),)


def test_a_list_of_one_word_is_the_word():
    lists = load_network(START.replace(" go)", " (go))").replace("terminal", "(terminal)") + NEXT)
    assert lists.moves == (("go",),)
    assert Rulesheet("(role a) (role (a)) (init (at)) (<= (p) (true at))").initial() == {"at"}


def test_goals_of_the_reference_belong_to_one_state():
    rules = Rulesheet("(role a) (goal a 30) (<= (goal a 50) (true on))")
    assert [rules.goals(state) for state in ({"on"}, set())] == [{"a": {30, 50}}, {"a": {30}}]


def test_an_atom_that_needs_its_own_negation_is_refused():
    with pytest.raises(RulesheetError, match=r"p depends on the negation of p, .*; valid: rules without a circle"):
        load_network(START + NEXT + "(<= p (not p) (true (at 1))) (<= terminal p)")


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(role a", "line 1, column 1: this parenthesis is never closed"),
        ("(role a)\n  )", "line 2, column 3: this parenthesis closes nothing"),
        ("(role a) ()", "line 1, column 10: an empty list"),
        ("((a b) c)", "a list begins with a list"),
        ('(role "a")', "line 1, column 7: invalid word"),
        ("(" * 70, "nested too deeply"),
        ("(<= (legal a (go ?x)) (true (at 1)))", "unsafe rule: [?]x is in no positive literal of the body; valid: var"),
        ("(<= (next (at 1)) (not (true (at ?x))) (not (true (on ?x))))", "unsafe rule: [?]x"),
        ("(role a) (role a b)", "`role` takes 1 argument"),
        ("(size 1) (size 1 2)", "`size` has 2 arguments here and 1 on line 1"),
        ("(<= (legal a go) (sees a (at 1)))", "`sees` stands in the body"),
        ("(<= (sees a ?x) (true (at 1)))", "unsafe rule: [?]x"),
        ("(<= (true (at 1)) (role a))", "a rule defines `true`"),
        ("(<= (legal a go) (next (at 1)))", "`next` stands in the body"),
        ("(<= (legal a go) ?x)", "the variable [?]x stands where an atom is needed"),
        ("(role a)", "no rule defines `legal`"),
        (
            START + NEXT + "(<= p (not q) (true (at 1))) (<= q (not p) (true (at 1))) (<= terminal p)",
            "valid: rules without a circle",
        ),
        (
            START + "(<= (next (at ?x)) (does a go) (true (at ?x))) (<= (next (at (s ?x))) (true (at ?x)))",
            "grow without end",
        ),
        (START.replace("100", "1000") + NEXT, "a goal is 1000"),
        (START.replace("(legal a go)", "(<= (legal a go) (true (at 7)))"), "role a has no legal move"),
        (START, "the game never ends"),
        (START + NEXT + "(<= terminal (does a go))", "only `next` may depend on `does`"),
        (
            "".join(f"(role r{i}) (legal r{i} go) (goal r{i} 0)" for i in range(9)) + "terminal",
            "9 roles; valid: 1 to 8",
        ),
        (
            START
            + NEXT
            + "".join(f"(n {i})" for i in range(70))
            + "(<= (legal a (put ?x ?y ?z)) (n ?x) (n ?y) (n ?z))",
            "role a has up to 343,001 moves",
        ),
        (
            START
            + "".join(f"(n {i})" for i in range(200))
            + "(<= (next (all ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d) (does a go))",
            "different terms|ground instances|not grounded after",
        ),
        (f"(<= p (and {'q ' * 1000}))", "the body has more than 200 literals"),
        (f"(<= p {'q ' * 1000})", "the body has more than 200 literals"),
        (f"(<= p (or {'q ' * 500}) (or {'q ' * 500}))", "more than 200,000 choices"),
        ("(<= p (or " + ("(and " + "(or q r)" * 16 + ")") * 4 + "))", "more than 200,000 choices"),
    ],
    ids=range(29),
)
def test_a_rulesheet_is_refused(text, message):
    with pytest.raises(RulesheetError, match=message):
        load_network(text, 30)
