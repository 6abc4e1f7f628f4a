"""Actions typed by a person: full texts, short forms and numbers name one action each; junk is refused."""

import itertools
import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import VARIANTS, random_path, states

import mcts
from bots.commands.common.typed_actions import TypedActions, argument_forms

ENUMERABLE = [spec for spec in VARIANTS if mcts.load_game(spec).is_enumerable]
WORDS = st.text(string.ascii_letters, min_size=1, max_size=5)
ARGUMENTS = st.lists(st.one_of(WORDS, st.integers(0, 30).map(str)), max_size=3).map(",".join)
TEXTS = st.lists(
    st.one_of(st.builds("{}({})".format, WORDS, ARGUMENTS), WORDS, st.integers(-5, 99).map(str), st.text(min_size=1)),
    min_size=1,
    max_size=12,
    unique=True,
)
MARKS = TypedActions({4: "mark(2,2)", 5: "mark(2,3)", 9: "pass"})
BIDS = TypedActions({9: "bid(0)", 10: "bid(0,tiebreaker)", 11: "bid(1)", 12: "bid(1,tiebreaker)", 13: "bid(2)"})


def actions_of(state):
    """What each player who decides can type."""
    for player in state.acting_players():
        yield TypedActions({action: state.action_to_string(player, action) for action in state.legal_actions(player)})


def spellings(text):
    """The documented spellings of a text."""
    yield from (text, text.upper(), f"  {text} ", text.replace("(", " ").replace(")", ""), text.replace(",", " , "))


@pytest.mark.parametrize("spec", ENUMERABLE)
@settings(settings.get_profile("few"))
@given(st.data())
def test_every_legal_action_is_read_from_its_text_and_its_label(spec, data):
    for actions in actions_of(data.draw(states(spec))):
        for action, text in actions.texts.items():
            assert {actions.read(spelling) for spelling in spellings(text)} == {action}
            assert actions.read(actions.label(action)) == action
        assert len({actions.label(action) for action in actions.texts}) == len(actions.texts)


@given(TEXTS)
def test_every_text_of_any_game_names_its_own_action(texts):
    actions = TypedActions(dict(enumerate(texts)))
    typed = {text: action for action, text in enumerate(texts) if text == text.strip()}
    assume(typed)
    assert {text: actions.read(text) for text in typed} == typed


@given(TEXTS, st.text())
def test_junk_names_a_legal_action_or_is_refused(texts, typed):
    actions = TypedActions(dict(enumerate(texts)))
    for words in (typed, *texts[0].split("(")):
        refusal = "valid: "
        try:
            found = actions.read(words)
        except mcts.IllegalActionError as error:
            refusal = str(error)
        else:
            assert found in actions.texts
        assert "valid: " in refusal or "ambiguous" in refusal


@given(TEXTS, st.data())
def test_a_short_form_is_unambiguous_or_refused_as_ambiguous(texts, data):
    actions = TypedActions(dict(enumerate(texts)))
    text = data.draw(st.sampled_from(texts))
    short = text[: data.draw(st.integers(1, len(text)))]
    try:
        found = actions.read(short)
    except mcts.IllegalActionError:
        return
    others = [other for other in actions.texts.values() if other == short.strip()]
    assert not others or actions.texts[found] in others


@pytest.mark.parametrize(
    ("actions", "typed", "action"),
    [
        *((MARKS, typed, 4) for typed in ("mark(2,2)", "2,2", "2 2", "Mark 2 2", "m 2,2", "5", "mark( 2 , 2 )")),
        *((MARKS, typed, 9) for typed in ("pass", "p", "PASS", "10")),
        *((BIDS, typed, 11) for typed in ("bid(1)", "1", "bid 1", "b 1")),
        *((BIDS, typed, 12) for typed in ("1,tiebreaker", "1 t", "bid 1 tie", "b 1,t")),
        *((BIDS, typed, 9) for typed in ("0", "bid(0)")),
    ],
)
def test_a_number_is_a_bid_and_short_forms_are_read(actions, typed, action):
    assert actions.read(typed) == action


@pytest.mark.parametrize(
    ("actions", "typed", "words"),
    [
        (MARKS, "1", "'1' is not a legal action; valid: mark(2,2), mark(2,3), pass"),
        (MARKS, "mark(9,9)", "valid: mark(2,2), mark(2,3), pass"),
        (MARKS, "", "valid: "),
        (BIDS, "9", "valid: bid(0) to bid(2), bid(0,tiebreaker), bid(1,tiebreaker)"),
        (BIDS, "9" * 5000, "999'... is not a legal action"),
        (TypedActions({0: "turn left", 1: "turn low"}), "t l", "ambiguous; it could be: turn left, turn low"),
        (TypedActions({i: f"move({i},{2 * i})" for i in range(99)}), "x", "and 75 more"),
    ],
)
def test_unreadable_actions_are_refused_with_the_legal_range(actions, typed, words):
    with pytest.raises(mcts.IllegalActionError) as caught:
        actions.read(typed)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("spec", ENUMERABLE)
def test_numbers_of_actions_are_stable(spec):
    """A number that is listed in two positions names the same action in both."""
    path = [state for seed in range(3) for state in random_path(mcts.load_game(spec), seed)]
    numbered = [actions for state in path for actions in actions_of(state) if actions.is_numbered]
    pairs = [(one, other, one.texts.keys() & other.texts.keys()) for one, other in itertools.pairwise(numbered)]
    assert any(shared for _, _, shared in pairs)
    for one, other, shared in pairs:
        assert {action: other.read(one.label(action)) for action in shared} == {action: action for action in shared}


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("A1:3 E5:2", "bid(A1:3,E5:2)"),
        ("A1:3,E5:2", "bid(A1:3,E5:2)"),
        (" bid A1:3   E5:2", "bid(A1:3,E5:2)"),
        ("bid(A1:3, E5:2)", "bid(A1:3,E5:2)"),
        ("BID(A1:3)", "bid(A1:3)"),
        ("pass", "bid()"),
        ("bid", "bid()"),
        ("", "bid()"),
        ("mark(1,2)", "mark(1,2)"),
    ],
)
def test_lists_are_read_without_the_name_of_the_action(typed, text):
    assert argument_forms(typed, "bid")[0] == text


def test_tiles_may_be_typed_in_lower_case():
    assert "bid(A1:3)" in argument_forms("a1:3", "bid")


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_every_bid_of_the_3d_game_is_read_in_short(seed, other):
    state = mcts.load_game("bidding_3d_ttt").new_initial_state()
    state.apply_actions([state.sample_action(0, other), state.sample_action(1, other)])
    for player in state.acting_players():
        action = state.sample_action(player, seed)
        text = state.action_to_string(player, action)
        short = text.removeprefix("bid(").removesuffix(")").replace(",", " ").lower()
        forms = argument_forms(short, "bid")
        assert text in forms
        assert state.string_to_action(player, text) == action
