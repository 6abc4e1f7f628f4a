"""Go beside a referee in plain Python, known positions, playouts and GRAVE."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcts
from cext.game.playouts import action_priors, guided_action
from mcts.reference.playouts import PlayoutPolicy, play_out
from mcts.reference.rng import Rng

LETTERS = "ABCDEFGHJKLMNOPQRST"


class Referee:
    """The rules on a dict of stones, with all boards so far as they were."""

    def __init__(self, size):
        self.size, self.stones, self.mover, self.passes, self.moves = size, {}, "b", 0, 0
        self.seen = {frozenset()}

    def around(self, point):
        column, row = point
        near = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
        return [at for at in near if 0 <= at[0] < self.size and 0 <= at[1] < self.size]

    def region(self, stones, point):
        """Return the points connected to a point that hold the same, and what is around them."""
        inside, edge, todo = {point}, set(), [point]
        while todo:
            for near in self.around(todo.pop()):
                if stones.get(near) != stones.get(point):
                    edge.add(stones.get(near))
                elif near not in inside:
                    inside.add(near)
                    todo.append(near)
        return inside, edge

    def after(self, point):
        """Return the stones after a move, or None if it is against the rules."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.mover}
        for near in self.around(point):
            if stones.get(near, self.mover) != self.mover:
                chain, edge = self.region(stones, near)
                if None not in edge:
                    for stone in chain:
                        del stones[stone]
        repeats = frozenset(stones.items()) in self.seen
        return None if repeats or None not in self.region(stones, point)[1] else stones

    def point(self, text):
        return LETTERS.index(text[0]), int(text[1:]) - 1

    def legal(self):
        points = [(column, row) for row in reversed(range(self.size)) for column in range(self.size)]
        names = [f"{LETTERS[column]}{row + 1}" for column, row in points if self.after((column, row)) is not None]
        return [*names, "pass"]

    def play(self, text):
        if text == "pass":
            self.passes += 1
        else:
            self.stones, self.passes = self.after(self.point(text)), 0
            self.seen.add(frozenset(self.stones.items()))
        self.mover, self.moves = "bw"[self.mover == "b"], self.moves + 1

    @property
    def is_over(self):
        return self.passes == 2 or self.moves == 3 * self.size**2

    def lead(self):
        found = 0
        for point in [(column, row) for column in range(self.size) for row in range(self.size)]:
            owner = {self.stones.get(point)} if point in self.stones else self.region(self.stones, point)[1]
            found += (owner == {"b"}) - (owner == {"w"})
        return found

    def rows(self):
        return [
            "".join(self.stones.get((column, row), ".") for column in range(self.size))
            for row in reversed(range(self.size))
        ]


def names_of(state):
    player = state.current_player()
    return [state.action_to_string(player, action) for action in state.legal_actions(player)]


def play(state, *texts):
    for text in texts:
        player = state.current_player()
        state.apply_action(state.string_to_action(player, text))
    return state


@given(st.integers(2, 5), st.sampled_from([0, 0.5, 3, 7]), st.integers(0, 2**32), st.integers(0, 20))
def test_games_are_those_of_the_referee(size, komi, seed, most_passes):
    state = mcts.load_game("go", size=size, komi=komi).new_initial_state()
    referee, rng = Referee(size), random.Random(seed)
    while not referee.is_over:
        assert not state.is_terminal()
        assert state.to_dict()["board"] == referee.rows()
        legal = names_of(state)
        assert legal == referee.legal()
        text = rng.choice(legal if rng.randrange(20) < most_passes else legal[:-1] or legal)
        play(state, text)
        referee.play(text)
    assert state.is_terminal()
    lead = referee.lead() - komi
    assert state.returns()[0] == (100 if lead > 0 else 0 if lead < 0 else 50)


def test_superko_forbids_a_board_whoever_moves():
    state = mcts.load_game("go").new_initial_state()
    play(state, "A7", "B5", "B6", "B4", "A5", "A3", "A4", "A6")
    assert "A5" not in names_of(state)
    assert "A5" in names_of(play(state, "J9", "J1"))
    state = mcts.load_game("go(size=5)").new_initial_state()
    play(state, "B3", "D4", "C4", "D2", "C2", "E3", "A5", "C3", "D3")
    assert "C3" not in names_of(state)
    again = state.game.state_from_text(state.to_text())
    assert "C3" not in names_of(again)
    assert "C3" in names_of(play(again, "E5", "A1"))


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("........./........./..wwww.../.w.wbwwww/wwwbbbbwb/wbbb.bbbb/b..wwbww./.b..b.bw./....bb.b.", -22),
        (".b.w./.b.w./.b.w./.b.w./.b.w.", 0),
    ],
)
def test_area_takes_the_stones_as_they_stand(text, lead):
    rows = text.split("/")
    for komi, score in ((lead - 0.5, 100), (lead, 50), (lead + 0.5, 0)):
        game = mcts.load_game("go", size=len(rows), komi=komi)
        state = game.state_from_dict({"board": rows, "to_move": "black", "passes": 2})
        assert state.returns() == [score, 100 - score]


def test_handicap_stones_leave_the_first_move_to_white():
    state = mcts.load_game("go(size=5,komi=0,handicap=B4-D2)").new_initial_state()
    assert state.to_dict()["board"] == [".....", ".b...", ".....", "...b.", "....."]
    assert state.current_player() == 1
    assert "B4" not in names_of(state)


def test_moves_are_read_in_either_case():
    state = mcts.load_game("go").new_initial_state()
    assert [state.string_to_action(0, text) for text in ("j9", "J9", "PASS", "pass")] == [8, 8, 81, 81]
    for wrong in ("I5", "A10", "resign"):
        with pytest.raises(mcts.IllegalActionError):
            state.string_to_action(0, wrong)


@given(st.integers(2, 9), st.integers(0, 2**64 - 1))
def test_playouts_fill_no_own_eye_and_repeat_no_board(size, seed):
    game = mcts.load_game("go", size=size)
    state, rng = game.new_initial_state(), Rng(seed)
    recorded = []
    returns = play_out(state, PlayoutPolicy(), rng, recorded)
    assert state.is_terminal()
    assert returns == state.returns()
    assert len(recorded) > size


def test_a_playout_ends_where_only_eyes_are_left():
    rows = [".b.b.", "bbbbb", "bwwwb", "ww.ww", "w.www"]
    game = mcts.load_game("go(size=5,komi=0)")
    state = game.state_from_dict({"board": rows, "to_move": "black"})
    assert state.sample_action(0, 1) == 25
    assert mcts.playouts(state, 10, seed=1)[0] == 0


def test_search_takes_a_large_capture():
    rows = [".b.b.", "bbbbb", "wwwwb", ".wwwb", "bwwwb"]
    state = mcts.load_game("go(size=5,komi=7)").state_from_dict({"board": rows, "to_move": "black"})
    for selection in ("ucb1", "grave"):
        found = mcts.MCTS(state.game, selection=selection, seed=1).run(state, simulations=2000)
        assert state.action_to_string(0, found.action) == "A2"


@pytest.mark.parametrize(
    ("rows", "last", "replies"),
    [
        (["..b..", ".bwb.", ".....", ".....", "....."], "C4", {"C3"}),  # takes the last stone
        ([".....", "..w..", ".wbw.", ".....", "....."], "C4", {"C2"}),  # escapes
        ([".....", ".bw..", "bwbw.", ".....", "....."], "C4", {"B2", "C2"}),  # escapes, or takes a stone beside it
        ([".....", "..b..", "..wb.", "...w.", "....."], "D2", {"C2", "E2", "E3"}),  # cuts, or blocks at the edge
    ],
)
def test_guided_players_reply_to_the_last_stone(rows, last, replies):
    game = mcts.load_game("go(size=5)")
    state = game.state_from_dict({"board": rows, "to_move": "black", "moves": 9, "last": last})
    drawn = [state.action_to_string(0, guided_action(state, seed)) for seed in range(200)]
    assert replies <= set(drawn)
    assert sum(text in replies for text in drawn) > 170
    away = game.state_from_dict({"board": rows, "to_move": "black", "moves": 9})
    assert sum(away.action_to_string(0, guided_action(away, seed)) in replies for seed in range(200)) < 60


def test_guided_players_beat_random_ones():
    game, won = mcts.load_game("go(size=7,komi=0.5)"), 0
    for seed in range(40):
        state, guided, rng = game.new_initial_state(), seed % 2, Rng(seed)
        while not state.is_terminal():
            player = state.current_player()
            word = rng.word()
            action = guided_action(state, word) if player == guided else state.sample_action(player, word)
            state.apply_action(action)
        won += state.returns()[guided] == 100
    assert won > 30


def stones_of(state):
    """Return the stones of a state: (column, row) -> color."""
    rows = state.to_dict()["board"]
    return {
        (column, len(rows) - 1 - row): color
        for row, line in enumerate(rows)
        for column, color in enumerate(line)
        if color != "."
    }


def liberties(stones, referee, point):
    """Return the stones of a chain and the blank points next to it."""
    chain, _ = referee.region(stones, point)
    return chain, {near for stone in chain for near in referee.around(stone)} - set(stones)


def test_guided_players_leave_no_chain_with_one_liberty():
    game, referee, chains = mcts.load_game("go(size=6)"), Referee(6), 0
    for seed in range(12):
        state, rng = game.new_initial_state(), Rng(seed)
        while not state.is_terminal():
            before = stones_of(state)
            action = guided_action(state, rng.word())
            state.apply_action(action)
            after, point = stones_of(state), (action % 6, 5 - action // 6)
            if action < 36 and len(after) > len(before):
                chain, free = liberties(after, referee, point)
                chains += len(chain) > 1
                assert len(chain) == 1 or len(free) > 1
    assert chains > 200


def test_guided_players_keep_a_seki():
    """Who takes a common liberty of the two chains leaves its own chain one liberty."""
    game = mcts.load_game("go(size=5,komi=0.5)")
    for player in game.players:
        rows = ["bbbbb", "bbbbb", ".www.", "wwwww", "wwwww"]
        state = game.state_from_dict({"board": rows, "to_move": player, "moves": 30})
        assert {guided_action(state, seed) for seed in range(50)} == {25}
        assert len({state.sample_action(state.current_player(), seed) for seed in range(50)}) == 2


def priors_at(rows, last=None):
    """Return the prior games (won, all) of black's moves, by their texts."""
    state = mcts.load_game("go(size=5)").state_from_dict({"board": rows, "to_move": "black", "moves": 9, "last": last})
    return {state.action_to_string(0, action): games for action, games in enumerate(action_priors(state))}


def test_priors_of_moves():
    blank = ["....."] * 4
    near = priors_at([".....", ".....", "..w..", ".....", "....."], "C3")
    assert near["D3"] == near["C2"] > near["D4"] > near["E3"] > near["A1"]
    takes = priors_at(["..b..", ".bwb.", ".....", ".....", "....."], "C4")
    assert max(takes, key=takes.get) == "C3"
    more = priors_at(["..bb.", ".bwwb", "...b.", ".....", "....."], "C4")
    assert max(more, key=more.get) == "C3"
    assert more["C3"] > takes["C3"]
    saves = priors_at([".....", "..w..", ".wbw.", ".....", "....."])
    assert max(saves, key=saves.get) == "C2"
    shape = priors_at([".....", "..b..", "..wb.", "...w.", "....."])
    assert shape["C2"] > shape["B2"] == (0, 0)
    self_atari = priors_at([".w...", "bw...", ".....", ".....", "....."])
    assert self_atari["A5"][0] == 0 < self_atari["A5"][1]
    eye = priors_at([".b...", "bb...", *blank[:3]])
    assert eye["A5"][0] == 0 < eye["A5"][1]
    bare = priors_at(["b....", *blank])
    assert bare["E1"] == bare["A1"] == bare["C1"]
    assert bare["E1"][0] == 0 < bare["E1"][1]
    assert bare["A4"] == bare["C3"] == bare["D2"] == (0, 0)
    assert bare["pass"][0] == 0 < bare["pass"][1]
    assert priors_at(["bw...", *blank])["A5"] == (0, 0)  # a stone is there
    assert action_priors(mcts.load_game("mnk").new_initial_state()) == []


def test_guided_playouts_are_the_default_of_go_alone():
    assert mcts.MCTS(mcts.load_game("go")).parameters["playout"] == "guided"
    assert mcts.MCTS(mcts.load_game("go"), leaves=4, selection="ucb1").parameters["playout"] == "uniform"
    assert mcts.MCTS(mcts.load_game("mnk")).parameters["playout"] == "uniform"
    with pytest.raises(mcts.ParameterError, match=r"playout=guided does not go with mnk.*; valid: playout=uniform"):
        mcts.MCTS(mcts.load_game("mnk"), playout="guided")
    with pytest.raises(mcts.StateError, match="games with guided playouts"):
        guided_action(mcts.load_game("mnk").new_initial_state(), 1)


@pytest.mark.parametrize("last", ["A1", "C3", "Z9", 3])
def test_the_last_stone_is_one_of_the_other_player(last):
    rows = [".....", "..w..", ".wb..", ".....", "....."]
    game = mcts.load_game("go(size=5)")
    with pytest.raises(mcts.StateError, match=r"'last' is .*; valid: null, or"):
        game.state_from_dict({"board": rows, "to_move": "black", "moves": 3, "last": last})
    state = game.state_from_dict({"board": rows, "to_move": "black", "moves": 3, "last": "B3"})
    assert game.state_from_text(state.to_text()) == state
