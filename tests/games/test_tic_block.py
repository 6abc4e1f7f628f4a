"""tic_block: both parts and what lies between them by small examples, bridges, and which dicts are states."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import JSON

import mcts

AT_ONCE = mcts.load_game("tic_block")
IN_TURNS = mcts.load_game("tic_block(block_phase=alternating)")
GAMES = pytest.mark.parametrize("game", [AT_ONCE, IN_TURNS], ids=["simultaneous", "alternating"])
NAMES = ("xcplayer", "obplayer")
RESET = 9
FIRST_BLOCK = 10
DRAWN = "xoxxoooxx"
LINES3 = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def rows(text):
    """A board written in rows."""
    return "".join(text.split())


def in_block(block, tic=DRAWN, scores=(25, 25), control=None):
    """The dict of a state in the block phase."""
    return {"tic": tic, "tic_scores": list(scores), "block": rows(block), "control": control}


def has_line(board, symbol):
    return any(all(board[cell] == symbol for cell in line) for line in LINES3)


def has_bridge(board):
    """Whether x has a bridge, found by trying every path."""
    steps = itertools.product(range(4), repeat=4)
    paths = (path for path in steps if all(abs(a - b) <= 1 for a, b in itertools.pairwise(path)))
    return any(all(board[row * 4 + column] == "x" for row, column in enumerate(path)) for path in paths)


def play(state, *steps):
    """Play steps of two action texts each, xcplayer's first, on a copy."""
    state = state.clone()
    for step in steps:
        state.apply_actions([state.string_to_action(player, text) for player, text in enumerate(step.split())])
    return state


def test_info():
    assert (AT_ONCE.players, AT_ONCE.min_utility, AT_ONCE.max_utility, AT_ONCE.utility_sum) == (NAMES, 0, 100, 100)
    assert AT_ONCE.spec == "tic_block(block_phase=simultaneous)"
    assert AT_ONCE.num_actions == 26
    assert not AT_ONCE.has_hidden_information
    with pytest.raises(mcts.ParameterError, match="valid: simultaneous, alternating"):
        mcts.load_game("tic_block(block_phase=both)")


@GAMES
def test_a_tic_board_won_by_x(game):
    state = game.new_initial_state()
    assert state.to_dict() == {"tic": "." * 9, "tic_scores": None, "block": None, "control": "xcplayer"}
    assert [state.legal_actions(player) for player in (0, 1)] == [list(range(9)), [mcts.NOOP]]
    state = play(state, "mark(1,1) noop", "noop mark(2,1)", "mark(1,2) noop", "noop mark(2,2)")
    assert state.to_dict() == {"tic": "xx.oo....", "tic_scores": None, "block": None, "control": "xcplayer"}
    state = play(state, "mark(1,3) noop")
    assert state.to_dict() == {"tic": "xxxoo....", "tic_scores": None, "block": None, "control": "obplayer"}
    assert state.current_player() == mcts.SIMULTANEOUS
    assert [state.legal_actions(player) for player in (0, 1)] == [[RESET], [RESET]]
    state = play(state, "reset reset")
    opened = {"tic": "xxxoo....", "tic_scores": [50, 0], "block": "." * 16}
    assert state.to_dict() == {**opened, "control": None if game is AT_ONCE else "xcplayer"}
    assert state.legal_actions(0) == list(range(FIRST_BLOCK, 26))


@GAMES
def test_every_line_of_three_decides_the_tic_board(game):
    for line, player in itertools.product(LINES3, (0, 1)):
        own = list(line)
        for others in itertools.permutations([cell for cell in range(9) if cell not in line], 3):
            board = ["."] * 9
            cells = [own, list(others)] if player == 0 else [list(others), own]
            for ply in range(5 + player):
                board[cells[ply % 2][ply // 2]] = "xo"[ply % 2]
            if not has_line(board, "ox"[player]):
                break
        state = game.new_initial_state()
        for ply in range(5 + player):
            assert state.current_player() == ply % 2
            state.apply_action(cells[ply % 2][ply // 2])
        state = play(state, "reset reset")
        assert state.to_dict()["tic_scores"] == ([0, 50] if player else [50, 0])


def test_a_drawn_tic_board():
    state = AT_ONCE.state_from_dict({"tic": DRAWN[:-1] + ".", "tic_scores": None, "block": None, "control": "xcplayer"})
    state = play(state, "mark(3,3) noop", "reset reset")
    assert state.to_dict() == in_block("." * 16)


def test_actions_are_distinct_across_the_stages():
    state = AT_ONCE.new_initial_state()
    block = AT_ONCE.state_from_dict(in_block("." * 16))
    assert state.string_to_action(0, "mark(2,1)") == 3
    assert state.string_to_action(0, "reset") == RESET
    assert block.string_to_action(0, "mark(2,1)") == FIRST_BLOCK + 4
    assert [state.action_to_string(0, a) for a in (8, 9, 10, 25)] == ["mark(3,3)", "reset", "mark(1,1)", "mark(4,4)"]
    assert not state.is_legal(0, RESET)
    assert not state.is_legal(0, FIRST_BLOCK)
    assert not block.is_legal(0, 0)
    assert not block.is_legal(1, RESET)


@pytest.mark.parametrize("text", ["mark(0,1)", "mark(4,1)", "mark(1,4)", "pass", "resets", ""])
def test_texts_that_are_no_action_of_the_tic_stage(text):
    with pytest.raises(mcts.IllegalActionError, match="valid: mark"):
        AT_ONCE.new_initial_state().string_to_action(0, text)


@pytest.mark.parametrize("action", [-2, 26, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize(
    "told",
    [
        {"tic": "." * 9, "tic_scores": None, "block": None, "control": "xcplayer"},
        {"tic": DRAWN, "tic_scores": None, "block": None, "control": "obplayer"},
        in_block("." * 16),
    ],
    ids=["tic", "reset", "block"],
)
def test_ints_that_are_no_action(told, action):
    state = AT_ONCE.state_from_dict(told)
    assert not state.is_legal(0, action)
    with pytest.raises(mcts.IllegalActionError, match="valid: 0 to 25"):
        state.action_to_string(0, action)


def test_marks_at_once():
    state = AT_ONCE.state_from_dict(in_block("." * 16))
    assert state.current_player() == mcts.SIMULTANEOUS
    assert play(state, "mark(1,1) mark(2,3)").to_dict()["block"] == rows("x... ..o. .... ....")
    assert play(state, "mark(2,3) mark(2,3)").to_dict()["block"] == rows(".... ..o. .... ....")


def test_the_last_blank_cell_goes_to_o():
    state = AT_ONCE.state_from_dict(in_block("xxxx oooo xxxo ooo."))
    assert [state.legal_actions(player) for player in (0, 1)] == [[25], [25]]
    state = play(state, "mark(4,4) mark(4,4)")
    assert state.to_dict() == in_block("xxxx oooo xxxo oooo")
    assert state.returns() == [25, 75]


def test_marks_in_turns():
    state = IN_TURNS.state_from_dict(in_block("." * 16, control="xcplayer"))
    assert state.acting_players() == (0,)
    state = play(state, "mark(1,1) noop")
    assert state.to_dict() == in_block("x" + "." * 15, control="obplayer")
    assert (state.legal_actions(0), 10 in state.legal_actions(1)) == ([mcts.NOOP], False)
    assert play(state, "noop mark(4,4)").to_dict() == in_block("x" + "." * 14 + "o", control="xcplayer")


@pytest.mark.parametrize(
    ("block", "bridge"),
    [
        ("x... x... x... x... ", True),
        ("...x ...x ...x ...x", True),
        ("x... .x.. ..x. ...x", True),
        ("...x ..x. .x.. x...", True),
        (".x.. x... .x.. ..x.", True),
        ("..x. ...x ..x. ...x", True),
        ("x... ..x. ..x. ..x.", False),  # a step of two columns
        ("...x x... .x.. .x..", False),  # round the edge
        (".x.. .x.. x... ...x", False),
        ("x... .... x... xx..", False),  # a row left out
        ("xxxx .... .... ....", False),
        ("xxx. ..x. .xx. ....", False),  # not down to the last row
        ("..x. xx.x x... .xxx", True),
    ],
)
def test_shapes_of_bridges(block, bridge):
    block = rows(block)
    assert has_bridge(block) == bridge
    blank = [cell for cell in range(16) if block[cell] == "."]
    for cell in blank[: block.count("x")]:
        block = block[:cell] + "o" + block[cell + 1 :]
    state = AT_ONCE.state_from_dict(in_block(block))
    assert state.is_terminal() == bridge
    if bridge:
        assert state.returns() == [75, 25]


@pytest.mark.parametrize(
    ("tic", "scores"), [("xxxoo....", [50, 0]), ("xx.ooox..", [0, 50]), (DRAWN, [25, 25])], ids=["won", "lost", "drawn"]
)
def test_returns_add_both_parts(tic, scores):
    bridge = AT_ONCE.state_from_dict(in_block("x..o x..o x..o x..o", tic, scores))
    blocked = AT_ONCE.state_from_dict(in_block("xxxx oooo oooo xxxx", tic, scores))
    assert bridge.returns() == [scores[0] + 50, scores[1]]
    assert blocked.returns() == [scores[0], scores[1] + 50]
    assert bridge.acting_players() == blocked.acting_players() == ()


@GAMES
def test_bridges_of_random_boards(game):
    """Every state of many random block phases is over exactly when a path search finds a bridge or no cell is blank."""
    rng = random.Random(9)
    start = game.state_from_dict(in_block("." * 16, control=None if game is AT_ONCE else "xcplayer"))
    for _ in range(60):
        state = start.clone()
        while not state.is_terminal():
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
            block = state.to_dict()["block"]
            assert state.is_terminal() == (has_bridge(block) or "." not in block)
        assert state.returns() == ([75, 25] if has_bridge(block) else [25, 75])


EMPTY = "." * 16
TIC = {"tic": "." * 9, "tic_scores": None, "block": None, "control": "xcplayer"}
BAD = [
    ({}, "no 'tic'"),
    ({**TIC, "to_move": "x"}, "no part of a state"),
    ({"tic": "." * 9, "block": None, "control": "xcplayer"}, "no 'tic_scores'"),
    ({"tic": "." * 9, "tic_scores": None, "control": "xcplayer"}, "no 'block'"),
    ({"tic": "." * 9, "tic_scores": None, "block": None}, "no 'control'"),
    ({**TIC, "tic": "." * 8}, "9 characters"),
    ({**TIC, "tic": 3}, "9 characters"),
    ({**TIC, "tic": "o........"}, "tic board and marks alternate"),
    ({**TIC, "tic": "xx......."}, "tic board and marks alternate"),
    ({**TIC, "tic": "xxxooo..."}, "both players have a line"),
    ({**TIC, "tic": "xxxoo.o.."}, "xcplayer has a line on the tic board, but did not move last"),
    ({**TIC, "tic": "ooox.xxx."}, "obplayer has a line on the tic board, but did not move last"),
    ({**TIC, "control": "obplayer"}, "'control' is 'obplayer', but"),
    ({**TIC, "control": None}, "'control' is None, but"),
    ({**TIC, "control": "x"}, "valid: null, 'xcplayer'"),
    ({**TIC, "block": EMPTY}, "'block' must be null before the reset"),
    ({**TIC, "tic": DRAWN, "control": "obplayer", "block": EMPTY}, "'block' must be null before the reset"),
    ({**TIC, "tic_scores": [25, 25]}, "'tic_scores' must be null"),
    (in_block(EMPTY, scores=[50, 0]), "but the tic board gives"),
    (in_block(EMPTY, scores=[25, 24]), "but the tic board gives"),
    (in_block(EMPTY, scores=[25]), "2 whole numbers"),
    (in_block(EMPTY, scores=["25", 25]), "2 whole numbers"),
    ({**in_block(EMPTY), "block": None}, "'block' must be a board once"),
    (in_block("." * 15), "16 characters"),
]
BAD_AT_ONCE = [
    (in_block("x..." + "." * 12), "no more marks than o"),
    (in_block("xxx. oo.. .... ...."), "no more marks than o"),
    (in_block("xx.. xx.. xx.. xx.. ".replace(".", "o")), "no one last mark"),
    (in_block(EMPTY, control="xcplayer"), "'control' is 'xcplayer', but"),
]
BAD_IN_TURNS = [
    (in_block("o..." + "." * 12, control="obplayer"), "block board and marks alternate"),
    (in_block("xx.." + "." * 12, control="xcplayer"), "block board and marks alternate"),
    (in_block("xo.. xo.. xo.. xo..", control="xcplayer"), "bridge, but did not move last"),
    (in_block("xoox xoox xoox xo.x", control="obplayer"), "no one last mark"),
    (in_block(EMPTY), "'control' is None, but"),
    (in_block("x" + EMPTY[1:], control="xcplayer"), "'control' is 'xcplayer', but"),
]


@pytest.mark.parametrize(("given", "word"), BAD + BAD_AT_ONCE)
def test_impossible_states_are_refused(given, word):
    with pytest.raises(mcts.StateError, match=word):
        AT_ONCE.state_from_dict(given)


@pytest.mark.parametrize(("given", "word"), BAD_IN_TURNS)
def test_impossible_states_in_turns_are_refused(given, word):
    with pytest.raises(mcts.StateError, match=word):
        IN_TURNS.state_from_dict(given)


def test_tic_boards_that_are_accepted_are_those_that_play_reaches():
    reached = set()
    waiting = [AT_ONCE.new_initial_state()]
    while waiting:
        state = waiting.pop()
        told = state.to_dict()
        if told["tic"] in reached:
            continue
        reached.add(told["tic"])
        if state.legal_actions(0) != [RESET]:
            for action in state.legal_actions():
                waiting.append(state.clone())
                waiting[-1].apply_action(action)
    assert len(reached) == 5478
    for letters in itertools.product(".xo", repeat=9):
        board = "".join(letters)
        told = {**TIC, "tic": board, "control": NAMES[(9 - board.count(".")) % 2]}
        try:
            state = AT_ONCE.state_from_dict(told)
        except mcts.StateError:
            assert board not in reached
        else:
            assert board in reached
            assert state.to_dict() == told


def reach(game, told):
    """Play to a described block phase: any order will do as long as the mark that makes a bridge comes last."""
    block = told["block"]
    cells = [[cell for cell in range(16) if block[cell] == symbol] for symbol in "xo"]
    if has_bridge(block):
        last = next(c for c in cells[0] if not has_bridge(block[:c] + "." + block[c + 1 :]))
        cells[0].remove(last)
        cells[0].append(last)
    state = game.state_from_dict({**told, "block": EMPTY, "control": None if game is AT_ONCE else "xcplayer"})
    if game is IN_TURNS:
        for ply in range(len(cells[0]) + len(cells[1])):
            state.apply_action(FIRST_BLOCK + cells[ply % 2][ply // 2])
        return state
    clashes = len(cells[1]) - len(cells[0])
    steps = [(o, o) for o in cells[1][:clashes]] + list(zip(cells[0], cells[1][clashes:], strict=True))
    if not has_bridge(block):
        steps = steps[clashes:] + steps[:clashes]  # the last blank cell can only be chosen by both
    for x, o in steps:
        state.apply_actions([FIRST_BLOCK + x, FIRST_BLOCK + o])
    return state


@GAMES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_block_boards_that_are_accepted_can_be_reached(game, seed):
    rng = random.Random(seed)
    marks = rng.randrange(17)
    x_marks = rng.randrange(marks // 2 + 1) if game is AT_ONCE else (marks + 1) // 2
    letters = ["x"] * x_marks + ["o"] * (marks - x_marks) + ["."] * (16 - marks)
    rng.shuffle(letters)
    told = in_block("".join(letters), control=None if game is AT_ONCE else NAMES[marks % 2])
    try:
        state = game.state_from_dict(told)
    except mcts.StateError:
        assert has_bridge(told["block"])  # counts and control are right, so nothing else can be wrong
        return
    assert state.to_dict() == told
    assert reach(game, told) == state


def board_of(cells):
    return st.lists(st.sampled_from(".xo"), min_size=cells, max_size=cells).map("".join)


NEAR = st.fixed_dictionaries(
    {
        "tic": JSON | board_of(9) | st.sampled_from([DRAWN, "xxxoo....", "xx.ooox.."]),
        "tic_scores": JSON | st.sampled_from([None, [25, 25], [50, 0], [0, 50]]),
        "block": JSON | st.none() | board_of(16),
        "control": JSON | st.sampled_from([None, *NAMES]),
    }
)


@GAMES
@given(JSON | NEAR)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_json_is_a_state_or_an_error(game, given):
    try:
        state = game.state_from_dict(given)
    except mcts.StateError:
        return
    assert state.to_dict() == given


def test_drawings():
    start = str(AT_ONCE.new_initial_state())
    assert start.splitlines() == ["tic-tac-toe", "  1 2 3", "1 . . .", "2 . . .", "3 . . .", "xcplayer (x) to mark"]
    due = AT_ONCE.state_from_dict({**TIC, "tic": "xxxoo....", "control": "obplayer"})
    assert "both to reset" in str(due)
    block = str(AT_ONCE.state_from_dict(in_block("x... .o.. .... ....")))
    assert "xcplayer (x) 25, obplayer (o) 25" in block
    assert "  1 2 3 4\n1 x . . .\n2 . o . .\n" in block
    assert block.endswith("both to mark at once; the same cell goes to obplayer (o)")
    turn = IN_TURNS.state_from_dict(in_block("x" + EMPTY[1:], control="obplayer"))
    assert str(turn).endswith("obplayer (o) to mark")
    over = AT_ONCE.state_from_dict(in_block("x..o x..o x..o x..o"))
    assert str(over).endswith("a bridge; over: xcplayer (x) 75, obplayer (o) 25")
    blocked = AT_ONCE.state_from_dict(in_block("xxxx oooo oooo xxxx"))
    assert str(blocked).endswith("no bridge; over: xcplayer (x) 25, obplayer (o) 75")
