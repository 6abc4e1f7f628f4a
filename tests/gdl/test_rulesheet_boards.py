"""Boards of rulesheets: cells, contents, clicks, hints, and nothing lost."""

import re
from itertools import islice, pairwise

import pytest
from rulesheets import FOLDER, PATHS, written

import mcts
from mcts import pictures
from mcts.gdl import boards
from mcts.gdl.boards import plan
from mcts.gdl.secret_game import sheet_of
from mcts.pictures.parts import PIECES
from mcts.random_steps import random_game

# Columns and rows of the board of each rulesheet; none where it has no cells.
SHAPES = {
    "4x4": "hex tic_tac_chec",
    "4x4 4x4": "tic_block",
    "4x4 8x2": "quarto",
    "5x5": "amazons ataxx_5x5 minichess pursuit three_player_ttt",
    "6x6": "breakthrough king_and_rook lines_of_action othello pentago tron",
    "8x8": "breakthrough_8x8 checkers fox_and_hounds knightthrough reversi",
    "3x3": "bidding_ttt hexapawn points_ttt tic_tac_toe",
    "7x6": "connect_four three_player_connect_four",
    "7x7": "dots_and_boxes hex_7x7 nine_mens_morris",
    "9x9": "chinese_checkers gomoku_9x9 hex_9x9",
    "3x1": "nim three_player_nim",
    "7x4": "chomp",
    "9x6": "connect_five_9x6",
    "13x13": "gomoku_13x13",
    "4x2": "kalah",
    "7x1": "oshi_zumo",
    "": "colonel_blotto dice_race goofspiel rock_paper_scissors secret_goofspiel",
}
SIDES = "(side left) (side right)"


def start(name):
    return mcts.load_game(str(FOLDER / f"{name}.kif")).new_initial_state()


def after(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(state.current_player(), text))
    return state


def rows_of(state, board=0):
    """The marks of a board as rows of symbols; a dot is blank, a space is no cell."""
    found = [board for row in pictures.picture_of(state).boards for board in row][board]
    symbols = [cell.mark.symbol if cell.mark else " " if cell.is_hole else "." for cell in found.cells]
    return ["".join(symbols[at : at + found.columns]) for at in range(0, len(symbols), found.columns)]


def sheet(cell, content="blank", hint="", legal="(mark ?x ?y)"):
    """A rulesheet of two players on three columns and two rows."""
    return f"""{hint}
    (role white) (role black)
    (index 1) (index 2) (index 3) (height 1) (height 2)
    (<= (init {cell.replace("?c", content)}) (index ?x) (height ?y))
    (init (control white)) (other white black) (other black white)
    (<= (legal ?p {legal}) (true (control ?p)) (true {cell.replace("?c", content)}))
    (<= (legal ?q noop) (true (control ?p)) (other ?p ?q))
    (<= (marked ?x ?y) (does ?p {legal}))
    (<= (next {cell.replace("?c", "?p")}) (does ?p {legal}))
    (<= (next {cell}) (true {cell}) (not (marked ?x ?y)))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= open (true {cell.replace("?c", content)}))
    (<= terminal (not open))
    (<= (most ?p) (true {cell.replace("?c", "?p")}))
    (<= (goal ?p 100) (role ?p) (most ?p))
    (<= (goal ?p 0) (role ?p) (not (most ?p)))"""


def test_every_rulesheet_is_listed():
    assert sorted(" ".join(SHAPES.values()).split()) == sorted(path.stem for path in PATHS)


@pytest.mark.parametrize("name", [name for names in SHAPES.values() for name in names.split()])
def test_every_rulesheet_has_its_board(name):
    (path,) = (path for path in PATHS if path.stem == name)
    picture = pictures.picture_of(mcts.load_game(str(path)).new_initial_state())
    shapes = [f"{board.columns}x{board.rows}" for row in picture.boards for board in row]
    assert name in SHAPES[" ".join(shapes)].split()


def test_a_column_is_a_click_on_any_of_its_cells():
    state = after(start("connect_four"), "drop(2)", "drop(2)", "drop(7)")
    assert rows_of(state) == ["......."] * 4 + [".y.....", ".r....r"]
    clicks = pictures.clicks_of(state)
    assert set(clicks) == {f"drop({column})" for column in range(1, 8)}
    assert clicks["drop(2)"] == (tuple(f"2,{height}" for height in range(1, 7)),)
    last = [cell.name for row in pictures.picture_of(state).boards for cell in row[0].cells if cell.is_last]
    assert last == ["7,1"]


def test_a_move_is_a_source_and_a_target():
    state = start("breakthrough")
    assert rows_of(state) == ["bbbbbb", "bbbbbb", "......", "......", "wwwwww", "wwwwww"]
    assert pictures.clicks_of(state)["move(2,1,3,2)"] == (("2,1",), ("3,2",))
    assert "data-action" not in state.to_svg()


def test_a_mark_is_one_click_and_has_its_action_in_the_picture():
    state = start("othello")
    clicks = pictures.clicks_of(state)
    assert clicks["place(2,3)"] == (("2,3",),)
    assert set(re.findall('data-action="([^"]*)"', state.to_svg())) == set(clicks) == set(pictures.legal_texts(state))


def test_native_games_have_clicks_too():
    assert pictures.clicks_of(mcts.load_game("mnk").new_initial_state())["mark(2,3)"] == (("2,3",),)
    assert pictures.clicks_of(mcts.load_game("bidding_ttt").new_initial_state()) == {}


def test_several_actions_may_have_the_same_clicks(tmp_path):
    text = sheet("(cell ?x ?y ?c)").replace("(mark ?x ?y)", "(mark ?x ?y ?p)")
    text = text.replace("(does ?p (mark ?x ?y ?p))", "(does ?p (mark ?x ?y ?kind))")
    text = text.replace("(legal ?p (mark ?x ?y ?p))", "(legal ?p (mark ?x ?y ?kind))").replace(
        "(true (control ?p)) (true (cell", "(role ?kind) (true (control ?p)) (true (cell", 1
    )
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    clicks = pictures.clicks_of(state)
    assert clicks["mark(1,2,white)"] == clicks["mark(1,2,black)"] == (("1,2",),)
    assert "data-action" not in state.to_svg()


@pytest.mark.parametrize(
    ("cell", "blank", "roles"),
    [
        ("(cell ?x ?y ?c)", "blank", "white black"),
        ("(cell ?x ?y ?c)", "b", "xplayer oplayer"),
        ("(at ?c (place ?x ?y))", "nobody", "white black"),
    ],
)
def test_coordinates_and_blank_cells_are_found(tmp_path, cell, blank, roles):
    first, second = roles.split()
    text = sheet(cell, blank).replace("white", first).replace("black", second)
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    ((board,),) = pictures.picture_of(state).boards
    assert (board.columns, board.rows) == (3, 2)
    assert {one.mark for one in board.cells} == {None}
    assert pictures.clicks_of(state)["mark(1,2)"] == (("1,2",),)


@pytest.mark.parametrize(
    ("places", "conditions", "facts", "hint", "shapes", "name"),
    [
        ("?b ?x ?y", "(height ?b)", "", "board, column, row", [(3, 2)] * 2, "1,1,2"),
        ("?b ?x ?y ?z", "(height ?b) (height ?z)", "", "board, board, column, row", [(2, 2)] * 6, "1,1,1,2"),
        ("?b ?x ?y", "(side ?b)", SIDES, "board, column, row", [(3, 2)] * 2, "left,1,2"),
        ("?b ?x", "(side ?b)", SIDES, "row, column", [(3, 2)], "left,2"),
        ("?b", "(side ?b)", f"{SIDES} (side middle)", "column", [(3, 1)], "right"),
        ("?x ?y ?x ?y", "(index ?x)", "", "", [], None),
    ],
    ids=[
        "layers",
        "layers of layers",
        "named boards",
        "named rows",
        "a row of names",
        "no board",
    ],
)
def test_boards_lie_side_by_side_and_cells_in_a_row(tmp_path, places, conditions, facts, hint, shapes, name):
    first = f"(init (cell {places} blank)) "
    head = f"; board: cell({hint}, content)" if hint else ""
    text = sheet(f"(cell {places} ?c)", hint=head).replace(first, first + conditions)
    text = text.replace("(mark ?x ?y)", f"(mark {places})").replace("(marked ?x ?y)", f"(marked {places})") + facts
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    found = [board for row in pictures.picture_of(state).boards for board in row]
    assert [(board.columns, board.rows) for board in found] == shapes
    if name is not None:
        assert pictures.clicks_of(state)[f"mark({name})"] == ((name,),)


def test_a_move_with_further_coordinates_has_no_clicks(tmp_path):
    text = sheet("(cell ?x ?y ?c)").replace("(mark ?x ?y)", "(wall ?z ?x ?y)")
    text = text.replace(
        "(true (control ?p)) (true (cell", "(true (cell ?z ?y blank)) (true (control ?p)) (true (cell", 1
    )
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    assert "wall(1,1,2)" in pictures.legal_texts(state)
    assert pictures.clicks_of(state) == {}


def test_a_source_that_no_rule_links_stands_beside_a_target(tmp_path):
    text = sheet("(cell ?x ?y ?c)").replace("(mark ?x ?y)", "(move ?from ?up ?x ?y)")
    text = text.replace(
        "(true (control ?p)) (true (cell", "(index ?from) (height ?up) (true (control ?p)) (true (cell", 1
    )
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    assert pictures.clicks_of(state)["move(3,1,2,2)"] == (("3,1",), ("2,2",))


def test_hints_in_the_head_decide(tmp_path):
    cell = "(cell ?x ?y ?c)"

    def drawn(*lines):
        state = mcts.load_game(written(tmp_path, sheet(cell, hint="".join(f"; {line}\n" for line in lines))))
        return pictures.picture_of(after(state.new_initial_state(), "mark(1,1)"))

    def places(picture):
        ((board,),) = picture.boards
        return board.columns, [cell.name for cell in board.cells if cell.mark]

    first = drawn("rows: down").boards[0][0].cells[0]
    assert first.mark.name == "white"
    assert drawn("rows: up").boards[0][0].cells[3].mark.name == "white"
    assert places(drawn("board: cell(row, column, content)")) == (2, ["1,1"])
    assert drawn("board: none").boards == ()
    assert drawn("layout: hexagonal", "rows: down").boards[0][0].shift == 0.5
    assert len([one for one in drawn("blank: white").boards[0][0].cells if one.mark]) == 5
    assert drawn("rows: down", "pieces: black(white)").boards[0][0].cells[0].mark.color == "black"


def test_the_head_places_cells_in_one_word():
    state = after(start("nine_mens_morris"), "place(10)", "place(2)")
    assert rows_of(state) == [".  b  .", " . . . ", "  ...  ", "w.. ...", "  ...  ", " . . . ", ".  .  ."]
    ((board,),) = pictures.picture_of(state).boards
    assert len(board.links) == 32
    assert board.cells[0].text == "1"


def test_pieces_have_symbols_and_a_legend():
    state = start("king_and_rook")
    marks = {cell.mark.name: cell.mark for cell in pictures.picture_of(state).boards[0][0].cells if cell.mark}
    assert marks["black-king"].shape == PIECES["king"]
    assert (marks["black-king"].color, marks["white-king"].color) == ("black", "white")
    assert marks["white-rook"].shape == PIECES["rook"]
    assert rows_of(start("minichess"))[0] == "brbnbbbqbk"
    assert pictures.picture_of(start("amazons")).legend[0].name == "arrow"


def test_the_text_of_a_state_is_a_board():
    assert str(after(start("tic_tac_toe"), "mark(2,2)", "mark(1,3)")).splitlines() == [
        "   a  b  c",
        "1  \u00b7  \u00b7  o",
        "2  \u00b7  x  \u00b7",
        "3  \u00b7  \u00b7  \u00b7",
        "step 2",
        "control(x)",
    ]


def winning(state):
    """Names of the cells that are marked as those that win."""
    boards = [board for row in pictures.picture_of(state).boards for board in row]
    return {cell.name for board in boards for cell in board.cells if cell.is_winning}


def test_the_line_that_wins_is_marked():
    state = after(start("connect_four"), *["drop(2)", "drop(3)"] * 3, "drop(2)")
    assert winning(state) == {f"2,{height}" for height in range(1, 5)}


def test_two_lines_of_one_move_are_marked():
    moves = "1,1 2,1 1,2 2,3 2,2 1,3 3,1 3,2 3,3"
    state = after(start("tic_tac_toe"), *(f"mark({at})" for at in moves.split()))
    assert winning(state) == {"1,1", "2,2", "3,3"}


def test_a_common_property_is_a_line():
    state = start("quarto")
    pieces = ["tall-dark-round-solid", "tall-light-square-solid", "tall-dark-square-hollow", "tall-light-round-hollow"]
    for column, piece in enumerate(pieces, 1):
        after(state, f"give({piece})", f"place(2,{column})")
    assert winning(state) == {"2,1", "2,2", "2,3", "2,4"}


def test_pieces_are_shapes_and_are_chosen_from_a_pool():
    state = start("quarto")
    board, pool = (row[0] for row in pictures.picture_of(state).boards)
    assert (board.rows, pool.title, len(pool.cells)) == (4, "give", 16)
    assert {(cell.mark.shape, cell.mark.color, cell.mark.is_hollow, cell.mark.scale > 1) for cell in pool.cells} == {
        (shape, color, hollow, tall)
        for shape in ("disc", "square")
        for color in ("black", "white")
        for hollow in (True, False)
        for tall in (True, False)
    }
    piece = "give(short-light-round-hollow)"
    assert pictures.clicks_of(state)[piece] == ((piece,),)
    after(state, piece)
    (_, given), (pool,) = pictures.picture_of(state).boards
    assert (given.title, given.cells[0].mark.name) == ("given", "short-light-round-hollow")
    assert sum(cell.mark is None for cell in pool.cells) == 1
    assert not any(cell.action for cell in pool.cells)


def test_dots_and_boxes_are_dots_and_lines():
    state = mcts.load_game("dots_and_boxes").new_initial_state()
    for move in ("1,2", "2,1", "2,3", "3,2"):
        after(state, f"draw({move})")
    ((board,),) = pictures.picture_of(state).boards
    assert board.is_lattice
    marked = {cell.name: cell.mark.color for cell in board.cells if cell.mark}
    assert marked == {"1,2": "gray", "2,1": "gray", "2,3": "gray", "3,2": "gray", "2,2": "blue"}
    dots = re.findall(r'<circle class="po-f-gray" cx="([\d.]+)" cy="([\d.]+)"', state.to_svg())
    assert len(set(dots)) == 16
    columns = sorted({float(x) for x, _ in dots})
    assert len(columns) == 4
    assert [right - left for left, right in pairwise(columns)] == pytest.approx([100] * 3, rel=0.1)


def test_kalah_has_houses_between_stores():
    state = after(mcts.load_game("kalah").new_initial_state(), "sow(2,2)")
    ((north, houses, south),) = pictures.picture_of(state).boards
    assert [(board.title, board.cells[0].mark.shape) for board in (north, south)] == [("north", "0"), ("south", "1")]
    colors = [cell.mark.color for cell in houses.cells]
    assert colors == [north.owners[0].color] * 4 + [south.owners[0].color] * 4


def test_trails_have_the_color_of_their_rider():
    state = mcts.load_game("tron").new_initial_state()
    for ways in ("down left up right", "left up right down"):
        ways = dict(enumerate(f"ride({way})" for way in ways.split()))
        state.apply_actions(state.joint_action(ways))
    ((board,),) = pictures.picture_of(state).boards
    colors = [seat.mark.color for seat in pictures.picture_of(state).seats]
    marks = {cell.name: (cell.mark.shape, cell.mark.color) for cell in board.cells if cell.mark}
    assert [marks[name] for name in ("1,3", "2,3")] == [("block", colors[0])] * 2
    assert marks["2,2"][1] == colors[0] != "gray"
    assert len(board.links) == 4
    again = state.game.state_from_dict(state.to_dict())
    ((board,),) = pictures.picture_of(again).boards
    assert not board.links


def test_hex_has_edges_and_a_chain_that_wins():
    state = start("hex")
    (board,) = pictures.picture_of(state).boards[0]
    assert board.edges == ("red", "blue")
    moves = [f"place({row},{column})" for row in range(1, 5) for column in (2, 4)][:-1]
    after(state, *moves)
    assert winning(state) == {"1,2", "2,2", "3,2", "4,2"}
    assert state.to_svg().count('class="po-s-red"') >= 2


def test_an_end_is_drawn_where_no_rule_reads_blank_cells():
    *_, last = random_game(start("oshi_zumo"), 1)
    assert last.is_terminal()
    assert sorted(rows_of(last)[0]) == sorted("w......")


@pytest.mark.parametrize("name", ["breakthrough", "dots_and_boxes", "kalah", "othello", "checkers"])
def test_other_ends_mark_no_line(name):
    for seed in range(3):
        *_, last = random_game(start(name), seed)
        assert winning(last) == set()


def shown_texts(picture):
    """Name of a cell -> what it shows; and the texts beside the boards."""
    cells = {
        cell.name: f"{cell.mark.name if cell.mark else ''} {cell.mark.symbol if cell.mark else ''} {cell.note}"
        for row in picture.boards
        for board in row
        for cell in board.cells
    }
    return cells, " ".join([*picture.lines, *(f"{seat.name} {seat.detail}" for seat in picture.seats)])


@pytest.mark.sample(5)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_fact_is_shown_and_every_action_is_clicked_or_listed(path):
    game = sheet_of(mcts.load_game(str(path)))
    found = game.boards
    layers = {layer.relation.form: (number, layer) for number, area in enumerate(found.areas) for layer in area.layers}
    for state in islice(random_game(game.new_initial_state(), 3), 0, 60, 7):
        picture = pictures.picture_of(state)
        cells, beside = shown_texts(picture)
        facts = state.to_dict()["facts"]
        turns = set(found.shown(facts).turns)
        for fact in facts:
            form, values = boards.relations.split(fact)
            if form in layers:
                number, layer = layers[form]
                name = found.areas[number].name(layer.key(values))
                text = cells[f"{found.areas[number].layers[0].relation.name}:{name}" if number else name]
                content = layer.content(values)
                is_shown = all(word in text for word in content) or any(
                    mark.symbol in text.split() for mark in [found.mark(layer, content)] if mark
                )
                assert is_shown or found.mark(layer, content) is None, fact
            elif fact not in turns:
                assert all(word in beside for word in re.findall(r"[^(),]+", fact)), fact
        names = {cell for cell in cells if cell}
        clicks = pictures.clicks_of(state)
        assert clicks.keys() <= pictures.legal_texts(state)
        assert all(name in names for one in clicks.values() for options in one for name in options)


def test_large_rulesheets_have_no_boards(tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "MOST_FLUENTS", 10)
    state = start("tic_tac_toe")
    assert pictures.picture_of(state).lines[0] == "step 0"
    assert str(state).splitlines()[1].startswith("cell: ")


def moved(name, *steps):
    """The state of a rulesheet by name after joint actions, each with the texts of the players in order."""
    state = mcts.load_game(name).new_initial_state()
    for step in steps:
        state.apply_actions(state.joint_action(dict(zip(state.acting_players(), step.split(), strict=True))))
    return state


def cells_of(position):
    boards = [board for row in pictures.picture_of(position).boards for board in row]
    return {cell.name: cell for board in boards for cell in board.cells}


def test_goofspiel_has_prizes_and_hands_of_cards():
    state = moved("goofspiel", "bid(2) bid(1)")
    cells = cells_of(state)
    assert cells["first 3"].mark.is_card
    assert cells["first 2"].mark is None
    assert cells["prize 1"].mark.color == pictures.picture_of(state).seats[0].mark.color != cells["prize 2"].mark.color
    assert [seat.note for seat in pictures.picture_of(state).seats] == ["bid 2", "bid 1"]
    assert pictures.clicks_of(state.view(1))["bid(2)"] == (("second 2",),)


def test_cards_that_a_player_does_not_see_are_backs():
    view = moved("secret_goofspiel", "bid(2) bid(1)").view(1)
    cells = cells_of(view)
    assert [cells[f"first {card}"].mark.name for card in range(1, 5)] == ["hidden"] * 4
    assert cells["first 5"].is_hole
    assert sorted(pictures.clicks_of(view)) == [f"bid({card})" for card in range(2, 6)]
    assert [seat.detail for seat in pictures.picture_of(view).seats] == ["score 1", "score 0"]


def test_blotto_has_fields_with_the_soldiers_of_both():
    state = mcts.load_game("colonel_blotto").new_initial_state()
    assert pictures.amounts_of(state.view(1)).places.keys() <= cells_of(state.view(1)).keys()
    cells = cells_of(moved("colonel_blotto", "spread(5,5,0) spread(4,0,6)"))
    assert [cells[field].mark.shape for field in ("left", "middle", "right")] == ["5", "5", "0"]
    assert [name for name, cell in cells.items() if cell.is_winning] == ["left", "middle", "right of second"]


def test_rounds_of_rock_paper_scissors_are_shown():
    state = moved("rock_paper_scissors", "choose(rock) choose(paper)", "choose(rock) choose(rock)")
    assert pictures.clicks_of(state)["choose(paper)"] == (("paper",),)
    cells = cells_of(state)
    assert [cells[f"{name} in round 1"].mark.name for name in state.game.players] == ["rock", "paper"]
    assert [name for name, cell in cells.items() if cell.is_winning] == ["right in round 1"]


def test_a_dice_race_has_tracks_and_a_die():
    state = mcts.load_game("dice_race").new_initial_state()
    state.apply_actions(state.joint_action({mcts.CHANCE: "throw(3)"}))
    assert cells_of(state)["die"].mark.symbol == "3"
    assert pictures.clicks_of(state) == {f"move({piece})": (("first 0",),) for piece in (1, 2)}
    after(state, "move(2)")
    assert [cells_of(state)[name].mark.shape for name in ("first 0", "first 3", "second 0")] == ["1", "2", "12"]


@pytest.mark.parametrize(
    ("name", "action", "notation"),
    [
        ("mnk", "mark(2,3)", "c2"),
        ("mnk(m=30,n=2,k=2)", "mark(1,28)", "ab1"),
        ("connect_four", "drop(4)", "d"),
        ("breakthrough", "move(2,5,3,4)", "e2-d3"),
        ("quarto", "place(2,3)", "c2"),
        ("quarto", "give(tall-dark-round-solid)", None),
        ("tic_tac_chec", "place(rook,1,1)", None),
        ("nim", "take(1,1)", None),
    ],
)
def test_boards_have_letters_and_numbers(name, action, notation):
    assert pictures.notation_of(mcts.load_game(name).new_initial_state()).get(action) == notation
