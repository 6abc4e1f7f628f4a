"""States and views as one-line texts: exact round trips, and clear errors for other texts."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_games import TicTacToe
from sampling import drawn, sweep
from support import ROOT, VARIANTS, games_to_end, states

import mcts
from cext.games.common.board_text import BoardField
from cext.notation import ChoiceField, Notation, told_by_text
from cext.spec import parse_spec

README = ROOT / "docs" / "games" / "README.md"
for_every_game = sweep("spec", VARIANTS, 5)


@drawn(for_every_game, games_to_end)
def test_texts_of_states_round_trip_exactly(path):
    texts = set()
    for state in path:
        text = state.to_text()
        again = state.game.state_from_text(text)
        assert again == state or state.game.name == "chess"  # whose text has no earlier positions
        assert told_by_text(again) == told_by_text(state)
        assert again.to_text() == text
        assert not re.search(r"\s", text)
        texts.add(text)
    assert len(texts) == len(path)


@drawn(for_every_game, states)
def test_texts_of_views_round_trip_exactly(state):
    for player in range(state.game.num_players):
        view = state.view(player)
        again = state.game.view_from_text(player, view.to_text())
        assert again == view or state.game.name == "chess"
        assert told_by_text(again) == told_by_text(view)


@for_every_game
def test_a_text_may_be_json_and_have_blanks_around(spec):
    game = mcts.load_game(spec)
    state = game.new_initial_state()
    assert game.state_from_text(json.dumps(state.to_dict(), indent=1)) == state
    assert game.state_from_text(f"  {state.to_text()}\n") == state
    assert game.view_from_text(0, json.dumps(state.view(0).to_dict())) == state.view(0)


@sweep("spec", VARIANTS, 2)
def test_hostile_texts_are_refused_or_sound(spec):
    game = mcts.load_game(spec)
    letters = st.sampled_from(sorted(set('_,-./?:*xozrb0123456789AI[]{}"\\ \x00\ud800\U0001f600')))

    @st.composite
    def near_texts(draw):
        text = draw(states(spec)).to_text()
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(text)))
            text = text[:at] + draw(st.text(letters, max_size=3)) + text[at + draw(st.integers(0, 3)) :]
        return text

    @given(near_texts() | st.text() | st.text(letters), st.integers(0, game.num_players - 1))
    def check(text, player):
        try:
            state = game.state_from_text(text)
        except mcts.StateError:
            pass
        else:
            assert game.state_from_text(state.to_text()) == state
        try:
            view = game.view_from_text(player, text)
        except mcts.StateError:
            pass
        else:
            assert game.view_from_text(player, view.to_text()) == view

    check()


def test_the_text_of_a_view_has_no_hidden_values():
    game = mcts.load_game("bidding_3d_ttt")
    state = game.new_initial_state()
    state.apply_actions([state.string_to_action(0, "bid(A1:2)"), state.string_to_action(1, "bid(B2:17)")])
    text = state.view(0).to_text()
    assert text.startswith("2_78,?_")
    assert "_A1:2_?_" in text
    assert "17" not in text
    with pytest.raises(mcts.StateError, match=r"a view is not a state"):
        game.state_from_text(text)
    with pytest.raises(mcts.StateError, match=r"not a view of player 2"):
        game.view_from_text(1, text)


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        (
            "mnk",
            "",
            r"'' is not a state of mnk\(m=3,n=3,k=3\): it has 1 field, not 2; valid: <board>_<to_move>, as in ",
        ),
        ("mnk", "x.o/..._x", r"board is 'x.o/...'; valid: 3 rows of 3 characters of .xo, joined by /"),
        ("mnk", "-_x", r"board is '-'; valid: 3 rows of 3 characters of .xo, joined by /; valid: <board>"),
        ("mnk", ".../.../..._z", r"to_move is 'z'; valid: x, o, -;.*as in .../.../..._x$"),
        ("mnk", ".../.../..._o", r"'to_move' is 'o', but by the other entries it is 'x'"),
        ("mnk", "{", r"it is not JSON"),
        ("mnk", "[1]", r"it has 1 field"),
        ("mnk", '{"board": 3}', r"'board' must be 9 characters"),
        ("mnk", "x" * 100_000, r"\(100000 characters\)"),
        ("bidding_ttt", ".../.../..._3_x_-", r"coins is '3'; valid: 2 whole numbers joined by commas"),
        ("bidding_ttt", ".../.../..._3,03_x_-", r"coins is '3,03'"),
        ("bidding_ttt", ".../.../..._3,4_x_-", r"make 7, but bidding_ttt\(coins=3\) has 6 coins in all"),
        ("tic_block", ".../.../..._x_-_xcplayer", r"tic_scores is 'x'; valid: 2 whole numbers joined by commas, or -"),
        ("points_ttt", ".../.../..._1,0_x_3", r"passes is '3'; valid: 0, 1, 2"),
        ("bidding_3d_ttt", "1_80,80_x", r"it has 3 fields, not 4 and 3 for every finished round"),
    ],
)
def test_a_bad_text_is_refused_with_what_is_wrong_and_the_valid_form(spec, text, message):
    with pytest.raises(mcts.StateError, match=message) as caught:
        mcts.load_game(spec).state_from_text(text)
    assert len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("junk", [None, 3, b".../.../..._x", ["x"], {"board": "........."}])
def test_objects_other_than_texts_are_refused(junk):
    with pytest.raises(mcts.StateError, match=f"is read from a text, not from {type(junk).__name__}"):
        mcts.load_game("mnk").state_from_text(junk)


class Readable(TicTacToe):
    """A Python game whose states are rebuilt from dicts."""

    def to_dict(self, board):
        return {"board": board, "note": "with spaces"}

    def from_dict(self, given):
        if not isinstance(given.get("board"), str):
            raise mcts.StateError(f"'board' is {given.get('board')!r}; valid: a text of nine cells")
        return given["board"]


class Noted(Readable):
    """A Python game with a notation of its own."""

    def notation(self):
        return Notation(BoardField("board", 3, 3, "xo"), ChoiceField("note", ("with spaces",)))


def test_a_python_game_has_json_by_default_and_may_have_a_notation():
    game = Readable()
    state = game.new_initial_state()
    state.apply_action(4)
    assert state.to_text() == r'{"board":"....x....","note":"with\u0020spaces"}'
    assert game.text_form == "JSON of to_dict"
    assert game.state_from_text(state.to_text()) == state
    with pytest.raises(mcts.StateError, match=r"'nonsense' is not a state of python_ttt: it is not JSON"):
        game.state_from_text("nonsense")
    with pytest.raises(mcts.StateError, match=r"'\[1\]' is not a state of python_ttt: it is not a JSON object"):
        game.state_from_text("[1]")
    noted = Noted()
    assert noted.state_from_text(".../.x./..._with spaces").to_dict() == state.to_dict()
    assert noted.text_form == "<board>_<note>"


def test_a_python_game_without_from_dict_or_json_raises():
    class Odd(TicTacToe):
        def to_dict(self, board):
            return {"board": {1, 2}}

    with pytest.raises(mcts.StateError, match=r"does not define from_dict"):
        TicTacToe().state_from_text('{"state":"x"}')
    with pytest.raises(mcts.StateError, match=r"its dict is not JSON"):
        Odd().new_initial_state().to_text()


def test_the_documented_forms_and_examples_are_those_of_the_games():
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", README.read_text(), re.MULTILINE)
    assert {name for name, _, _ in rows} == {parse_spec(spec)[0] for spec in VARIANTS}
    for name, form, example in rows:
        game = mcts.load_game(name)
        assert form.replace("`", "") == game.text_form
        if example.startswith("`"):
            assert game.state_from_text(example.strip("`")).to_text() == example.strip("`")
    (long,) = re.findall(r"^```\n(\S+)\n```$", README.read_text(), re.MULTILINE)
    assert mcts.load_game("bidding_3d_ttt").state_from_text(long).to_text() == long


@pytest.mark.parametrize("text", ["xx./oo./..._x", '{"board": "xx.oo....", "to_move": "x"}'])
@pytest.mark.parametrize("command", ["search", "solve"])
def test_commands_take_a_state_as_text_or_json(playout, command, text):
    done = playout(command, "mnk", "--state", text)
    assert done.status == 0
    assert "mark(1,3)" in done.out


def test_a_person_plays_on_from_a_state(playout):
    for state in ("xx./oo./..._x", '{"board": "xx.oo....", "to_move": "x"}'):
        done = playout("play", "mnk", "--bot", "random", "--state", state, stdin="mark(1,3)\n")
        assert (done.status, "you win (you 100, o 0)" in done.out) == (0, True)
    for state, words in (
        ("xxx/oo./..._-", "the game is over in this state"),
        ("nonsense", "--state: 'nonsense' is not a state of mnk"),
        ("-", "stdin is for your actions"),
    ):
        done = playout("play", "mnk", "--bot", "random", "--state", state)
        assert done.status == 2
        assert words in done.err
