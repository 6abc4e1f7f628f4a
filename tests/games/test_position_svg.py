"""Pictures of positions: the recorded ones, well formed, deterministic, escaped, and true to what a player may see."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
import recorded_pictures
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_pictures import after
from rulesheets import path_of
from sampling import sweep
from support import VARIANTS, states

import mcts
from mcts import pictures
from mcts.parameters import Choice

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = [{"size": size, "theme": theme} for size in (None, 16, 120, 200.5, 1200) for theme in ("auto", "light", "dark")]
for_every_game = sweep("spec", VARIANTS, 5)
NASTY = "</text><script>alert(1)</script>\"'&\x00\x1b[2J\ud800\n]]>"


def parsed(text):
    """The root of a picture that is well formed, self-contained and without ids."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    tags = {found.tag.removeprefix(SVG) for found in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "circle", "path", "text", "g"}
    for found in root.iter():
        assert not any(name == "id" or "href" in name or name.startswith("on") for name in found.keys())  # noqa: SIM118
    assert "url(" not in text
    assert "@import" not in text
    return root


def cells(root, key="data-cell"):
    """The cells of a picture: name -> group."""
    return {found.get(key): found for found in root.iter(f"{SVG}g") if found.get(key)}


def kinds(group):
    """The classes in a group."""
    return {word for found in group.iter() for word in (found.get("class") or "").split()}


@pytest.mark.parametrize("name", recorded_pictures.pictures())
def test_pictures_equal_the_recorded_ones(name):
    text = recorded_pictures.pictures()[name]()
    parsed(text)
    assert text == recorded_pictures.recorded()[name]


def test_every_recorded_picture_is_drawn():
    assert recorded_pictures.recorded().keys() == recorded_pictures.pictures().keys()


@for_every_game
def test_every_state_and_view_has_a_picture(spec):
    """Well formed, the same again, with the legal actions of the cells; equal views have equal pictures."""

    @settings(max_examples=12)
    @given(states(spec), st.sampled_from(LOOKS), st.integers(0, 2**32))
    def check(state, look, seed):
        text = state.to_svg(**look)
        assert text == state.clone().to_svg(**look)
        root = parsed(text)
        assert len(cells(root, "data-seat")) == state.game.num_players
        names = [found.get("data-cell") for found in root.iter(f"{SVG}g") if found.get("data-cell")]
        assert names
        assert len(names) == len(set(names))
        legal = set()
        if state.game.is_enumerable:
            legal = {
                state.action_to_string(player, action)
                for player in state.acting_players()
                for action in state.legal_actions(player)
            }
        begin = {"go": "", "oh_hell": "play("}.get(state.game.name, "mark(")
        on_cells = {action for action in legal - {"pass"} if action.startswith(begin)}
        assert set(cells(root, "data-action")) == on_cells
        for player in range(state.game.num_players):
            view = state.view(player)
            seen = view.to_svg(**look)
            parsed(seen)
            if state.game.has_hidden_information:
                assert view.resample(seed).view(player).to_svg(**look) == seen

    check()


def test_a_view_does_not_contain_the_chips_and_bids_of_the_other_player():
    state = after("bidding_3d_ttt", "bid(A1:7,A2:6) bid(B1:22,C2:15)")
    assert "67 chips" in state.to_svg()
    assert "43 chips" in state.to_svg()
    own, other = state.view(0).to_svg(), state.view(1).to_svg()
    assert "67 chips" in own
    assert "? chips" in own
    assert "bid 13" in own
    root = parsed(own)
    root.find(f"{SVG}style").text = ""
    for secret in ("43", "37", "22", "15"):
        assert secret in "".join(parsed(state.to_svg()).itertext()) or secret in ("22", "15")
        assert secret not in "".join(root.itertext())
    assert "43 chips" in other
    assert "67 chips" not in other
    # Another true state with the same view.
    twin = after("bidding_3d_ttt", "bid(A1:7,A2:6) bid(B1:1,C2:1)")
    assert twin.view(0) == state.view(0)
    assert twin.view(0).to_svg() == own
    assert twin.to_svg() != state.to_svg()


def test_the_result_of_a_hidden_game_is_not_in_a_view():
    game = mcts.load_game("bidding_3d_ttt")
    state = game.new_initial_state()
    empty = "bid() bid()"
    state = after("bidding_3d_ttt", empty, empty, "bid() bid(A1:3)")
    assert state.is_terminal()
    assert "blue wins" in state.to_svg()
    assert "wins" not in state.view(0).to_svg()


def test_the_last_move_stands_out():
    state = after("mnk", "mark(2,2)", "mark(1,3)")
    found = cells(parsed(state.to_svg()))
    assert [name for name, group in found.items() if "po-last" in kinds(group)] == ["1,3"]
    assert "Last move: c1." in state.to_svg()
    # A state without history has no last move, unless it is given.
    same = mcts.load_game("mnk").state_from_text(state.to_text())
    assert "po-last " not in same.to_svg().partition("</style>")[2]
    assert same.to_svg(last=["1,3"]) == same.to_svg(last=[2]) == same.to_svg(last="mark(1,3)") == state.to_svg()
    assert "Last move" not in state.to_svg(last=())


def test_lines_that_win_stand_out():
    def winning(text, spec):
        root = parsed(mcts.load_game(spec).state_from_text(text).to_svg())
        return {name for name, group in cells(root).items() if kinds(group) & {"po-t-blue", "po-t-orange"}}

    assert winning("xxx/oo./..._-", "mnk") == {"1,1", "1,2", "1,3"}
    assert winning("..x/.x./xoo_-", "mnk") == {"1,3", "2,2", "3,1"}
    assert winning("xx/oo/../.._x", "mnk(m=2,n=4,k=3)") == set()
    bridge = "xxx/oo./..._50,0_.x../xox./oox./oxoo_-"
    assert winning(bridge, "tic_block") >= {"4,2", "tic:1,1", "tic:1,2", "tic:1,3"}
    assert "wins" in mcts.load_game("mnk").state_from_text("xxx/oo./..._-").to_svg()


def test_lines_over_the_edges_count_on_a_torus_alone():
    from mcts.pictures.facts import runs

    board = "x..xx" + "." * 20
    assert runs(board, 5, 3) == frozenset()
    assert runs(board, 5, 3, wraps=True) == {0, 3, 4}


def test_coins_bids_and_balances_are_shown():
    state = after("bidding_ttt", "bid(2,tiebreaker) bid(1)")
    root = parsed(state.to_svg())
    x, o = cells(root, "data-seat").values()
    assert "".join(x.itertext()).count("1 coin") == 1
    assert len([found for found in x.iter(f"{SVG}circle") if "po-coin" in found.get("class")]) == 1
    assert "5 coins" in "".join(o.itertext())
    assert "tiebreaker" in "".join(o.itertext())
    assert "bid 2 + tb" in "".join(x.itertext())
    assert "balance \u22123" in after("points_ttt", "mark(2,2)").to_svg()


def test_the_last_call_of_each_player_stands_beside_it():
    state = mcts.load_game("leduc_poker").state_from_text("JQK_cccr")
    assert [seat.note for seat in pictures.picture_of(state).seats] == ["call", "raise"]


def test_visits_are_squares_of_their_share():
    state = mcts.load_game("mnk").new_initial_state()
    found = cells(parsed(state.to_svg(heat={0: 100, "mark(1,2)": 25, 4: 0})))
    sides = {
        name: float(shape.get("width"))
        for name, group in found.items()
        for shape in group.iter(f"{SVG}rect")
        if shape.get("class") == "po-heat"
    }
    assert set(sides) == {"1,1", "1,2"}
    assert sides["1,2"] == pytest.approx(sides["1,1"] / 2, abs=0.02)
    assert found["1,1"].find(f"{SVG}title").text == "1,1: 80.0 % of the weight"
    result = mcts.MCTS.plain(state.game, seed=1).run(state, simulations=200)
    most = max(result.visits, key=result.visits.get)
    heated = cells(parsed(state.to_svg(heat=result)))
    tip = heated[f"{most // 3 + 1},{most % 3 + 1}"].find(f"{SVG}title").text
    assert f"{100 * result.visits[most] / sum(result.visits.values()):.1f} % of the visits" in tip


def test_bids_are_the_heat_of_their_tiles():
    view = mcts.load_game("bidding_3d_ttt").new_initial_state().view(0)
    bid = view.string_to_action("bid(A1:3,B2:1)")
    found = cells(parsed(view.to_svg(heat={bid: 1.0}, highlight=[bid])))
    assert {name for name, group in found.items() if "po-heat" in kinds(group)} == {"A1", "B2"}
    assert {name for name, group in found.items() if "po-chosen" in kinds(group)} == {"A1", "B2"}
    assert found["A1"].find(f"{SVG}title").text == "A1: 75.0 % of the weight"


@pytest.mark.parametrize(
    ("look", "error", "message"),
    [
        ({"size": 15}, ValueError, "size 15 is out of range; valid: 16 to 10000, or None"),
        ({"size": float("nan")}, ValueError, "size nan is out of range"),
        ({"size": "400"}, TypeError, "a size is a number of pixels or None, not '400'"),
        ({"size": True}, TypeError, "a size is a number of pixels or None, not True"),
        ({"theme": "blue"}, ValueError, "no theme 'blue'; valid: auto, light, dark"),
        ({"highlight": ["4,4"]}, ValueError, "highlight: '4,4' is not a cell of this picture; valid: names of cell"),
        ({"highlight": [9]}, mcts.IllegalActionError, "9 is not an action of mnk"),
        ({"last": ["pass"]}, ValueError, "last: 'pass' is not a cell of this picture"),
        ({"heat": 3}, TypeError, "heat: 3 is not a search result, nor a dict of action -> weight"),
        ({"heat": {0: -1}}, ValueError, "heat: weight -1 is not a finite number of at least 0"),
        ({"heat": {0: float("inf")}}, ValueError, "heat: weight inf is not"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(look, error, message):
    state = mcts.load_game("mnk").new_initial_state()
    for position in (state, state.view(0)):
        with pytest.raises(error, match=re.escape(message)):
            position.to_svg(**look)


class Nasty(mcts.PythonGame):
    """A game whose texts try to leave the picture."""

    name = "nasty"
    players = (NASTY, "second" * 30)
    num_actions = 2
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0
    PARAMETERS = {"boards": Choice("none", ("none", "some", "wrong"))}  # noqa: RUF012

    def initial_state(self):
        return 0

    def acting_players(self, state):
        return state % 2 if state < 2 else ()

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return state + 1

    def returns(self, state):
        return [0.25, 0.75]

    def action_to_string(self, state, player, action):
        return f"{NASTY}{action}"

    def draw(self, state):
        return "\n".join([NASTY * 30] * 200)

    def picture(self, position):
        kind = self.parameters["boards"]
        if kind == "none":
            return None
        if kind == "wrong":
            return "<svg/>"
        mark = pictures.Mark(NASTY, "gray")
        cell = pictures.Cell(NASTY, mark, action=f"{NASTY}1", note=NASTY)
        row = (cell, replace(cell, name="other", mark=None, text=NASTY, action=""))
        board = pictures.Board(2, row, title=NASTY, owners=(mark,))
        return pictures.Picture(((board,),), seats=pictures.seats_of(position, (mark, mark)), heading=NASTY)


class Rows(mcts.PythonGame):
    """A game whose board is rows of pieces: two boards beside each other, and one below."""

    name = "rows"
    players = ("x", "red_player")
    num_actions = 2
    rows = (["x", "", None, "red_player"], [".", "K", None, "green"], [], ["", "x", "x", "x"])

    initial_state = Nasty.initial_state
    acting_players = Nasty.acting_players
    legal_actions = Nasty.legal_actions
    next_state = Nasty.next_state
    returns = Nasty.returns

    def action_to_string(self, state, player, action):
        return ("b1", "a2-c1")[action]

    def board(self, state):
        return self.rows


def test_rows_of_pieces_are_boards_with_clicks():
    state = Rows().new_initial_state()
    picture = pictures.picture_of(state)
    assert [[(board.columns, board.rows) for board in row] for row in picture.boards] == [[(2, 2), (1, 2)], [(4, 1)]]
    found = {cell.name: cell.mark and (cell.mark.shape, cell.mark.color) for row in picture.boards for board in row
             for cell in board.cells}  # fmt: skip
    assert found == {
        "a1": ("x", "blue"), "b1": None, "a2": None, "b2": ("K", "gray"), "c1": ("o", "orange"),
        "c2": ("disc", "green"), "a3": None, "b3": ("x", "blue"), "c3": ("x", "blue"), "d3": ("x", "blue"),
    }  # fmt: skip
    assert pictures.clicks_of(state) == {"b1": (("b1",),), "a2-c1": (("a2",), ("c1",))}
    after = state.child(1)
    last = {
        cell.name for row in pictures.picture_of(after).boards for board in row for cell in board.cells if cell.is_last
    }
    assert last == {"a2", "c1"}
    parsed(state.view(0).to_svg())


@pytest.mark.parametrize("rows", [[1, 2], ["xo", "x"], [["x", None, "o"], ["x", "x", "o"]], [[1]]])
def test_rows_that_are_no_board_are_refused(rows):
    game = Rows()
    game.rows = rows
    with pytest.raises(TypeError, match="valid: rows of texts, of one length in a board, or None"):
        game.new_initial_state().to_svg()


@pytest.mark.parametrize("kind", ["none", "some"])
@pytest.mark.parametrize("size", [100, 400])
def test_texts_of_other_games_are_escaped(kind, size):
    state = Nasty(boards=kind).new_initial_state()
    for position in (state, state.view(0), state.child(0).child(1)):
        text = position.to_svg(size=size)
        root = parsed(text)
        assert "<script" not in text
        assert "\x00" not in text
        assert len(text) < 130_000
        assert "alert(1)" in "".join(root.itertext())
    if kind == "some":
        assert len(cells(parsed(state.to_svg()), "data-action")) == 1


def test_a_picture_that_is_none_is_an_error():
    state = Nasty(boards="wrong").new_initial_state()
    with pytest.raises(TypeError, match=re.escape("Nasty.picture returned '<svg/>'; valid: a mcts.pictures.Picture")):
        state.to_svg()


def test_notebooks_show_states_views_and_results():
    state = mcts.load_game("tic_block").state_from_text("xxx/oo./..._50,0_.x../xo../oo../...._-")
    assert state._repr_svg_() == state.to_svg()
    assert state.view(1)._repr_svg_() == state.view(1).to_svg()
    result = mcts.MCTS.plain(state.game, seed=1).run(state, simulations=300)
    root = parsed(result._repr_svg_())
    assert result._repr_svg_() == result.to_svg()
    words = "".join(root.itertext())
    assert "xc to decide" in words
    assert "ob to decide" in words
    best = max(result.policy, key=result.policy.get)
    assert f"{100 * result.policy[best]:.1f} %" in words
    assert len(cells(root, "data-bar")) == 11  # both players have the same eleven cells
    view = mcts.load_game("bidding_3d_ttt(chips=9)").new_initial_state().view(0)
    sampled = mcts.DoubleOracle(view.game, seed=1).run(view, simulations=300)
    assert "red to decide" in "".join(parsed(sampled._repr_svg_()).itertext())
    with pytest.raises(ValueError, match="no theme 'x'"):
        result.to_svg(theme="x")


def test_bars_have_the_lengths_of_visits():
    state = mcts.load_game("mnk").new_initial_state()
    result = mcts.MCTS.plain(state.game, seed=1).run(state, simulations=1000)
    root = parsed(result.to_svg(size=700))
    assert root.get("width") == "700"
    wide = {
        name: [float(shape.get("width")) for shape in group.iter(f"{SVG}rect") if shape.get("class") != "po-track"]
        for name, group in cells(root, "data-bar").items()
    }
    most = max(result.visits.values())
    full = wide[state.action_to_string(0, max(result.visits, key=result.visits.get))][0]
    for action, visits in result.visits.items():
        assert wide[state.action_to_string(0, action)] == [pytest.approx(full * visits / most, abs=0.01)]


@pytest.mark.parametrize(("size", "count"), [(5, 0), (7, 5), (8, 4), (13, 5), (15, 9), (19, 9)])
def test_boards_of_go_have_star_points(size, count):
    assert mcts.load_game(f"go(size={size})").new_initial_state()._repr_svg_().count("•") == count


def test_sizes_are_of_the_longer_side():
    state = mcts.load_game("bidding_3d_ttt").new_initial_state()
    for size in (120, 400, 1200):
        root = parsed(state.to_svg(size=size))
        assert max(float(root.get("width")), float(root.get("height"))) == size
        left, top, width, height = map(float, root.get("viewBox").split())
        assert (left, top) == (0, 0)
        assert float(root.get("width")) / float(root.get("height")) == pytest.approx(width / height, rel=1e-3)
    assert "width" not in parsed(state.to_svg(size=None)).keys()  # noqa: SIM118


def test_tall_boards_have_small_cells():
    def height(spec):
        root = parsed(mcts.load_game(spec).new_initial_state().to_svg(size=None))
        return float(root.get("viewBox").split()[3])

    assert 500 < height("mnk(m=2,n=8,k=2)") < 650
    assert height("mnk(m=8,n=2,k=2)") < 300


def test_themes_do_not_touch_each_other():
    state = mcts.load_game("mnk").new_initial_state()
    for theme in ("auto", "light", "dark"):
        style = parsed(state.to_svg(theme=theme)).find(f"{SVG}style").text
        assert all(rule.startswith(f".po-{theme} .po-") for rule in re.findall(r"[^{}]+(?=\{[a-z]+:)", style))
        assert ("prefers-color-scheme" in style) == (theme == "auto")


def test_pictures_need_no_numpy_and_are_the_same_in_every_process():
    code = (
        "import sys, json, mcts; s = mcts.load_game('three_player_ttt').new_initial_state(); "
        "imported = 'mcts.pictures' in sys.modules; t = s.to_svg(); "
        "print(json.dumps([imported, 'numpy' in sys.modules, t]))"
    )
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    svg = mcts.load_game("three_player_ttt").new_initial_state().to_svg()
    assert json.loads(done.stdout) == [False, False, svg]


def test_random_games_have_pictures_all_along():
    for spec in ("mnk(m=1,n=64,k=3)", "mnk(m=64,n=1,k=5)", "mnk(m=8,n=8,k=5)", "three_player_ttt(torus=true)"):
        state = mcts.load_game(spec).new_initial_state()
        while not state.is_terminal():
            if len(state.history()) % 5 == 0:
                parsed(state.to_svg())
            state.apply_action(state.sample_action(state.acting_players()[0], len(state.history())))
        parsed(state.to_svg())


def test_long_lines_of_a_text_are_wrapped_between_words(tmp_path):
    sheet = tmp_path / "othello.kif"
    sheet.write_text("; board: none\n" + path_of("othello").read_text())
    state = mcts.load_game(str(sheet)).new_initial_state()
    for _ in range(12):
        state.apply_action(state.legal_actions(state.current_player())[0])
    lines = pictures.positions.text_picture(state).lines
    assert max(map(len, lines)) <= 56 < max(map(len, str(state).splitlines()))
    assert " ".join(lines).split() == str(state).split()
