"""The rules of every game by tables of cases: plays and their outcomes; actions, dicts and specs that are refused.

The tables are in tests/games/cases, a module for each game; tests/helpers/game_cases.py says what they contain.
"""

import importlib
import random
from pathlib import Path

import pytest
from game_cases import BadState, position
from hypothesis import given, settings
from hypothesis import strategies as st
from playthrough import random_action, random_joint

import mcts
from cext.notation import told_by_text
from cext.spec import parse_spec
from mcts.registry import native_games

MODULES = [
    importlib.import_module(f"cases.{path.stem}") for path in sorted((Path(__file__).parent / "cases").glob("*.py"))
]


def cases(name, identify):
    """Parametrize a test over one table of all games: (module, case)."""
    found = [(module, case) for module in MODULES for case in getattr(module, name, ())]
    assert found
    ids = [f"{module.__name__.rpartition('.')[2]}: {identify(case)}" for module, case in found]
    return pytest.mark.parametrize(("module", "case"), found, ids=ids)


def test_every_built_in_game_has_cases():
    found = {parse_spec(module.GAME)[0] for module in MODULES}
    assert found == {name for name in native_games() if type(mcts.load_game(name)).__module__.startswith("cext.")}


@cases("INFO", lambda info: info.spec)
def test_the_description_of_a_game(module, case):
    game = mcts.load_game(case.spec)
    assert game.spec == case.canonical_spec
    assert game.players == case.players
    assert (game.min_utility, game.max_utility, game.utility_sum) == (*case.range, case.utility_sum)
    assert game.has_hidden_information == case.has_hidden_information
    assert game.is_enumerable == (case.num_actions is not None)
    if game.is_enumerable:
        assert game.num_actions == case.num_actions


@cases("BAD_SPECS", lambda case: case[0])
def test_parameters_out_of_range_are_refused(module, case):
    spec, message = case
    with pytest.raises(mcts.ParameterError, match=message):
        mcts.load_game(spec)


def refuse(state, player, text):
    """Apply an action that is not legal; the others do something that is."""
    joint = random_joint(state, random.Random(1)) if not state.is_terminal() else [mcts.NOOP] * state.game.num_players
    joint[player] = state.string_to_action(player, text)
    state.apply_actions(joint)


@cases("PLAYS", str)
def test_a_rule_of_the_game_holds(module, case):
    play = module.PLAYS[case]
    state = position(play.spec or module.GAME, play.start, play.steps)
    players = state.game.players
    found = state.to_dict()
    assert {key: found[key] for key in play.state} == play.state
    assert state.is_terminal() == (play.returns is not None)
    if play.acting is not None:
        assert tuple(players[player] for player in state.acting_players()) == play.acting
    for name, texts in play.legal.items():
        player = players.index(name)
        assert [state.action_to_string(player, action) for action in state.legal_actions(player)] == texts
    for name, texts in play.allows.items():
        player = players.index(name)
        for text in texts:
            assert state.is_legal(player, state.string_to_action(player, text)), text
    for name, texts in play.forbids.items():
        player = players.index(name)
        messages = texts if isinstance(texts, dict) else dict.fromkeys(texts, "valid")
        for text, message in messages.items():
            assert not state.is_legal(player, state.string_to_action(player, text)), text
            with pytest.raises(mcts.IllegalActionError, match=message):
                refuse(state, player, text)
            assert state.to_dict() == found
    for text, number in play.numbers.items():
        assert state.string_to_action(state.current_player(), text) == number
        assert state.action_to_string(state.current_player(), number) == text
    if play.returns is not None:
        assert state.returns() == play.returns
        assert state.acting_players() == ()
        assert [state.legal_actions(player) for player in range(len(players))] == [[]] * len(players)
    if play.drawing is not None:
        assert str(state).splitlines()[-1] == play.drawing
    assert state.game.state_from_dict(found) == state
    assert told_by_text(state.game.state_from_text(state.to_text())) == told_by_text(state)


@cases("NO_ACTIONS", lambda case: f"{case.wrong[0]!r}, {case.message}")
def test_texts_and_objects_that_are_not_actions_are_refused(module, case):
    state = position(case.spec or module.GAME, case.start)
    for wrong in case.wrong:
        if isinstance(wrong, str):
            with pytest.raises(mcts.IllegalActionError, match=case.message):
                state.string_to_action(0, wrong)
            continue
        assert not state.is_legal(0, wrong)
        with pytest.raises(mcts.IllegalActionError, match=case.message):
            state.action_to_string(0, wrong)
        others = [random_action(state, player, random.Random(1)) for player in range(1, state.game.num_players)]
        with pytest.raises(mcts.IllegalActionError):
            state.apply_actions([wrong, *others])


@cases("BAD_STATES", lambda case: case[1])
def test_contradictory_dicts_are_refused(module, case):
    whole = case if isinstance(case, BadState) else BadState({**module.BASE, **case[0]}, case[1])
    with pytest.raises(mcts.StateError, match=whole.message):
        mcts.load_game(whole.spec or module.GAME).state_from_dict(whole.given)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.GAME)
def test_every_other_key_of_a_state_is_needed(module):
    game = mcts.load_game(module.GAME)
    first = game.new_initial_state()
    for key in first.to_dict():
        rest = {name: value for name, value in first.to_dict().items() if name != key}
        if key in module.OPTIONAL:
            assert game.state_from_dict(rest) == first
        else:
            with pytest.raises(mcts.StateError, match=f"no '{key}'"):
                game.state_from_dict(rest)


@pytest.mark.sample(1)
@cases("NEARLY", str)
def test_a_dict_is_refused_or_a_state_to_play_on(module, case):
    game = mcts.load_game(case)

    @settings(max_examples=80)
    @given(module.NEARLY[case], st.randoms(use_true_random=False))
    def check(described, rng):
        try:
            state = game.state_from_dict(described)
        except mcts.StateError:
            return
        assert state.to_dict() == described
        while not state.is_terminal():
            state.apply_actions(random_joint(state, rng))
        assert game.utility_sum is None or sum(state.returns()) == game.utility_sum

    check()
