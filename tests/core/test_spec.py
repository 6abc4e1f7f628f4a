"""Specs, name(key=value,...): valid and invalid texts, and round trips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcts
from cext.spec import format_spec, parse_spec
from mcts.registry import native_games

WORDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("mnk", "mnk", {}),
        ("mnk()", "mnk", {}),
        ("mnk:", "mnk", {}),
        (" mnk( m = 5 , n=4 ) ", "mnk", {"m": "5", "n": "4"}),
        ("mcts:simulations=1000,selection=ucb1", "mcts", {"simulations": "1000", "selection": "ucb1"}),
        ("x(a=f(b=1,c=2),d=3)", "x", {"a": "f(b=1,c=2)", "d": "3"}),
        ("x:a=f(b=1,c=2),d=3", "x", {"a": "f(b=1,c=2)", "d": "3"}),
        ("x(a=b=c)", "x", {"a": "b=c"}),
        ('x(a="p --q=1, (r",b=2)', "x", {"a": "p --q=1, (r", "b": "2"}),
        ("x:a='say \"hi\"',b=''", "x", {"a": 'say "hi"', "b": ""}),
        (r'x(a="\"\\\'")', "x", {"a": "\"\\'"}),
        ("x(option.Hash=64,option.a-b.c=1)", "x", {"option.Hash": "64", "option.a-b.c": "1"}),
        ('x(a=f(b=")",c=2),d=3)', "x", {"a": 'f(b=")",c=2)', "d": "3"}),
        ("level(4)", "level", {"": "4"}),
        ("level: 4 ", "level", {"": "4"}),
        ("x('a b', c=1)", "x", {"": "a b", "c": "1"}),
    ],
)
def test_specs_are_parsed(text, name, parameters):
    assert parse_spec(text) == (name, parameters)


@pytest.mark.parametrize(
    "text",
    ["", " ", "3x", "(a=1)", "x(a=1", "x a=1", "x)a=1(", "x(1,2)", "x(a=1,2)", "x(f(b=1))",
     "x(=1)", "x(a=)", "x(a=1,)", "x(a=1,a=2)", "x(1=2)",
     "x(a=(1)", "x(a=1))", "x(a=1)b", "x-y", 'x(a=")', "x(a='b'c)", 'x(a="b\\")', "x(.a=1)", None, 3, b"x"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(mcts.errors.SpecError) as caught:
        parse_spec(text)
    assert repr(text) in str(caught.value)


@given(st.text(max_size=20) | st.text("ab(=),: 1'\"\\", max_size=14))
def test_any_text_is_parsed_or_refused(text):
    try:
        name, parameters = parse_spec(text)
    except mcts.errors.SpecError:
        return
    assert parse_spec(format_spec(name, parameters)) == (name, parameters)


@given(WORDS, st.dictionaries(WORDS, st.integers() | st.booleans() | st.floats(allow_nan=False) | WORDS, max_size=4))
def test_formatted_specs_are_parsed_back(name, parameters):
    found, texts = parse_spec(format_spec(name, parameters))
    assert found == name
    assert list(texts) == list(parameters)
    for key, value in parameters.items():
        if isinstance(value, bool):
            assert texts[key] == str(value).lower()
        else:
            assert type(value)(texts[key]) == value


@given(st.text(max_size=20) | st.text("ab(=),: '\"\\", max_size=10))
def test_any_text_can_be_a_value(value):
    assert parse_spec(format_spec("x", {"a": value, "b": 1})) == ("x", {"a": value, "b": "1"})


def test_values_are_quoted_only_where_necessary():
    assert format_spec("x", {"a": "f(b=1,c=2)", "d": "e --f"}) == "x(a=f(b=1,c=2),d=e --f)"
    assert format_spec("x", {"a": "b,c"}) == 'x(a="b,c")'
    assert format_spec("x", {"a": " b"}) == 'x(a=" b")'


def test_none_values_are_left_out():
    assert format_spec("mcts", {"seconds": None, "simulations": 10, "exploration": 1.4}) == (
        "mcts(simulations=10,exploration=1.4)"
    )
    assert format_spec("random", {"seed": None}) == "random"


def test_games_are_loaded_by_text_and_by_keyword():
    wanted = mcts.load_game("mnk", m=5, n=5, k=4)
    for text in ("mnk(k=4,n=5,m=5)", "mnk:m=5,n=5,k=4"):
        assert mcts.load_game(text) == wanted
    assert mcts.load_game("mnk(m=5)", n=5, k=4) == wanted
    assert mcts.load_game("mnk").spec == "mnk(m=3,n=3,k=3)"
    with pytest.raises(mcts.errors.SpecError, match="given both"):
        mcts.load_game("mnk(m=5)", m=5)
    with pytest.raises(mcts.errors.UnknownGameError, match=r"unknown game 'otelo'; valid: othello, a name"):
        mcts.load_game("otelo")
    with pytest.raises(LookupError):
        mcts.game_info("chequers")


BAD_GAMES = {
    "bidding_ttt": ["coins=-1", "coins=200", "coins=x", "coin=3"],
    "tic_block": ["block_phase=x", "block_phase=", "phase=alternating"],
    "three_player_ttt": ["torus=2", "torus=x"],
    "bidding_3d_ttt": ["chips=-1", "chips=100000", "recapture=maybe"],
    "chess": ["chess960=2", "size=9"],
    "go": ["size=1", "size=20", "komi=x", "handicap=I5"],
    "points_ttt": ["points=1"],
    "dice_ttt": ["coins=1"],
    "kuhn_poker": ["players=1", "players=4", "cards=3"],
    "liars_dice": ["dice=0", "dice=4", "sides=1", "sides=7", "players=2"],
    "leduc_poker": ["players=2"],
    "oh_hell": ["players=1", "players=5", "suits=5", "ranks=9", "tricks=0", "tricks=7", "dealer=1"],
    "mnk": ["k=4", "m=9,n=9", "m=-3", "q=1"],
    "dark_mnk": ["k=4", "m=6", "m=0", "retry=2"],
}


@pytest.mark.parametrize("name", native_games())
def test_bad_parameters_of_every_game_are_refused(name):
    for inside in BAD_GAMES[name]:
        with pytest.raises((mcts.ParameterError, mcts.errors.SpecError)) as caught:
            mcts.load_game(f"{name}({inside})")
        assert inside.partition("=")[0].split(",")[0] in str(caught.value)


def test_a_game_is_registered_once():
    info = mcts.game_info("mnk")
    with pytest.raises(mcts.errors.SpecError, match="already registered"):
        mcts.register_game(info, mcts.load_game)
