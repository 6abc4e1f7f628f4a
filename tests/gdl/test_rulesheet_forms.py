"""Forms of public rulesheets that mean the same as longer ones: both texts give the same games."""

import random

import pytest
from rulesheets import play_beside_reference, written

import mcts
from mcts.errors import RulesheetError
from mcts.gdl.game import load_network
from mcts.reference.rulesheet import Rulesheet

CHAIN = """
(role a) (role b) (cell 1) (cell 2) (cell 3) (stone x) (stone o) (owns a x) (owns b o)
(init (control a)) (other a b) (other b a)
(<= (next (at ?c ?s)) (does ?r (put ?c)) (owns ?r ?s)) (<= (next (at ?c ?s)) (true (at ?c ?s)))
(<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
(<= (next passed) (does a pass)) (<= (next passed) (true passed))
(<= (line ?s) (true (at 1 ?s)) (true (at 2 ?s)))
"""
"""Two roles put stones on cells; rules for `legal`, `terminal` and `goal` are added."""

PLAY = """
(<= (legal ?r (put ?c)) (true (control ?r)) (cell ?c) (free ?c)) (<= (free ?c) (cell ?c) (not (held ?c)))
(<= (held ?c) (true (at ?c ?s))) (<= (legal a pass) (true (control a)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= terminal (not left)) (<= left (free ?c)) (<= terminal (true passed) (line x))
(<= (goal ?r 100) (owns ?r ?s) (line ?s)) (<= (goal ?r 40) (owns ?r ?s) (not (line ?s)))
"""
MOVES = "(<= (legal ?r (put ?c)) (true (control ?r)) (cell ?c) (free ?c)) (<= (legal a pass) (true (control a)))"
WAITS = "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
FREE = "(<= (free ?c) (cell ?c) (not (held ?c)))"
END = "(<= terminal (not left))"
OWN = "(<= (goal ?r 40) (owns ?r ?s) (not (line ?s)))"

SEEN = """
(role a) (role b) (role random) (cell 1) (cell 2) (cell 3) (after 1 2) (after 2 3) (after 3 4)
(init (at 2)) (init (step 1)) (init (light on))
(<= (legal a (go ?c)) (cell ?c)) (legal b look) (legal b wait) (legal random (set on)) (legal random (set off))
(<= (next (at ?c)) (does a (go ?c)))
(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
(<= (next (light ?s)) (does random (set ?s)))
(<= terminal (true (step 4))) (<= (goal a 100) (true (light on))) (<= (goal a 0) (true (light off)))
(goal b 50) (goal random 0)
"""
LIT = "(<= (sees b (at ?c)) (does b look) (does a (go ?c)) (does random (set on)))"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (CHAIN + PLAY, FREE, "(<= (free ?c) (cell ?c) (not (true (at ?c ?any))))"),
        (CHAIN + PLAY, "(not (held ?c))", "(or (not (true (at ?c ?any))) (not (cell ?c)))"),
        (CHAIN + PLAY, "(not (held ?c))", "(not (and (stone ?s) (true (at ?c ?s))))"),
        (CHAIN + PLAY, "(not (held ?c))", "(not (or (true (at ?c ?s)) (and (cell ?c) (true (at ?c ?s)))))"),
        (CHAIN + PLAY, "(not (held ?c))", "(not (not (not (true (at ?c ?any)))))"),
        (CHAIN + PLAY, END, "(<= terminal (not (and (cell ?c) (not (true (at ?c ?s))))))"),
        (CHAIN + PLAY, "(next passed) (true passed)", "(next passed) (true passed) (not (does ?x (put 9)))"),
        (
            CHAIN + PLAY,
            "(next passed) (does a pass)",
            "(next passed) (true (control a)) (does a ?m) (not (does a (put ?c)))",
        ),
        (CHAIN + PLAY, WAITS, "(<= (legal ?r noop) (not (true (control ?r))))"),
        (CHAIN + PLAY, OWN, "(<= (goal ?r 40) (not (wins ?r))) (<= (wins ?r) (owns ?r ?s) (line ?s))"),
        (
            CHAIN + PLAY[: PLAY.index("(<= (goal")] + "(<= (goal ?r 20) (role ?r))",
            "(<= (goal ?r 20) (role ?r))",
            "(goal ?r 20)",
        ),
        (SEEN + LIT, LIT, "(<= (sees b (at ?c)) (does b look) (next (at ?c)) (next (light on)))"),
        (SEEN + LIT, LIT, "(<= (sees b (at ?c)) (does b look) (next (at ?c)) (not (next (light off))))"),
        (SEEN + LIT, LIT, LIT + "(<= (sees b never) (next (at 1)) (next (at 3)))"),
        (SEEN + "(<= (sees b x) (does a (go 1)))", "(does a (go 1))", "(not (next (nothing ?x))) (next (at 1))"),
        (SEEN + "(<= (sees ?r x) (role ?r) (does a (go 1)))", "(role ?r) ", ""),
    ],
    ids=range(16),
)
def test_a_short_form_is_the_long_one(tmp_path, text, old, new):
    assert text.count(old) == 1
    (tmp_path / "short").mkdir()
    games = [mcts.load_game(written(tmp_path, text))]
    games.append(mcts.load_game(written(tmp_path / "short", text.replace(old, new))))
    assert games[0].players == games[1].players
    for seed in range(12):
        rng = random.Random(seed)
        states = [game.new_initial_state() for game in games]
        while True:
            first, second = states
            assert first.to_dict() == second.to_dict()
            assert first.is_terminal() == second.is_terminal()
            assert first.acting_players() == second.acting_players()
            if first.is_terminal():
                assert first.returns() == second.returns()
                break
            if first.is_chance():
                number = rng.getrandbits(30)
                for state in states:
                    state.apply_action(state.sample_outcome(number))
                continue
            texts = {}
            for player in first.acting_players():
                shown = [
                    sorted(state.action_to_string(player, action) for action in state.legal_actions(player))
                    for state in states
                ]
                assert shown[0] == shown[1]
                texts[player] = rng.choice(shown[0])
            for state in states:
                state.apply_actions(state.joint_action(texts))
    for folder in (tmp_path, tmp_path / "short"):
        for seed in range(4):
            play_beside_reference(folder / "sheet.kif", seed, 30)


def test_base_and_input_are_ignored_whatever_they_contain():
    text = CHAIN + PLAY
    more = """
    (base (at ?c ?s)) (base) (BASE (cell 1 2 3) 4) (<= (base (held ?x)) (not (cell ?y)) (next ?z) (or))
    (<= (base ?f) (base ?f) (input ?r ?m) (line a b c)) (input ?r (put ?c)) input (<= (input nobody ?m) (legal ?m))
    """
    assert load_network(text + more) == load_network(text)
    assert Rulesheet(more + text).roles == ["a", "b"]


def test_a_variable_of_a_whole_fluent_stands_for_no_percept(tmp_path):
    """A percept belongs to one step: rules that keep or show all fluents do not repeat it."""
    keep = "(<= (next ?f) (true ?f) (distinct ?f (n 0)) (distinct ?f (n 1)) (distinct ?f (n 2)))"
    show = "(<= (sees b (now ?f)) (true ?f) (does b look)) (<= (sees ?r (then ?f)) (next ?f) (does b wait))"
    text = (
        "(role a) (role b) (init (at 1)) (init (n 0)) (after 0 1) (after 1 2) (after 2 3) (legal a go) (legal b look)"
        "(legal b wait) (<= (next (n ?y)) (true (n ?x)) (after ?x ?y)) (<= terminal (true (n 3))) (goal a 1) (goal b 1)"
        "(<= (sees a told) (true (n 0)))" + keep + show
    )
    game = mcts.load_game(written(tmp_path, text))
    for seed in range(4):
        play_beside_reference(tmp_path / "sheet.kif", seed, 10)
    state = game.new_initial_state()
    state.apply_actions([0, state.string_to_action(1, "look")])
    state.apply_actions([0, state.string_to_action(1, "look")])
    assert set(state.to_dict()["facts"]) == {"n(2)", "Sees(b,now(at(1)))", "Sees(b,now(n(1)))"}


@pytest.mark.parametrize("never", ["(does a (go 9))", "(true (at 9))", "(nothing)"])
def test_a_rule_for_percepts_that_never_holds_hides_all(tmp_path, never):
    game = mcts.load_game(written(tmp_path, SEEN + f"(<= (sees b x) {never})"))
    assert game.has_hidden_information
    first, second = game.new_initial_state(), game.new_initial_state()
    for state, cell in ((first, 1), (second, 3)):
        state.apply_actions([state.string_to_action(0, f"go({cell})"), state.string_to_action(1, "look")])
        state.apply_action(state.string_to_action(mcts.CHANCE, "set(on)"))
    assert first.view(1) == second.view(1)
    assert first.view(0) != second.view(0)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("(<= (next (at ?c ?s)) (not (does ?r (put ?c))) (stone ?s))", "unsafe rule: [?]c is in no positive literal"),
        ("(<= odd (not (held ?c)) (not (free ?c)))", "unsafe rule: [?]c"),
        ("(<= odd (cell ?d) (not (and (cell ?c) (distinct ?c ?d))))", "unsafe rule: [?]d"),
        ("(<= odd (not (distinct ?c 1)))", "unsafe rule: [?]c"),
        ("(legal ?r (put ?c))", "unsafe rule: [?]c"),
        ("(<= (line ?r) (true passed))", "unsafe rule: [?]r"),
        ("(<= odd (not (next passed)))", "`next` stands in the body of a rule; valid: `next` in a rule for `sees`"),
        ("(<= (init passed) (base passed))", "`base` stands in the body"),
        ("(<= (legal a go) (input a go))", "`input` stands in the body"),
        ("(<= (init passed) (init (control a)))", "`init` stands in the body"),
        ("(<= odd (not (odd ?x)))", "`odd` has 1 arguments here and 0|depends on its own"),
    ],
)
def test_other_forms_are_refused(more, message):
    for read in (load_network, Rulesheet):
        with pytest.raises(RulesheetError, match=message):
            read(CHAIN + PLAY + more)
