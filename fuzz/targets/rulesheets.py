"""Rulesheets: damaged ones and random ones, compiled and played beside the interpreter in plain Python."""

from __future__ import annotations

import re
from functools import cache

import mcts
from fuzz.files import file_of
from fuzz.reader import Reader
from mcts.errors import RulesheetError
from mcts.gdl.game import RulesheetGame
from mcts.gdl.parser import Expression
from mcts.gdl.rules import name_of, read_rules
from mcts.gdl.rulesheets import read_file
from mcts.gdl.texts import CHOSEN_IDLE, IDLE, kif_text, term_text
from mcts.pictures import clicks_of, legal_texts
from mcts.reference.rulesheet import Rulesheet, State

SECONDS = 2
MOST_STEPS = 12
MOST_PRODUCT = 4
"""Most conditions of a rule for which the interpreter, which orders no joins, is asked."""
OF_THE_TEXT = "roles"
"""The rule of `check_game` that a rulesheet breaks and not its compilation: a move of a player who is no role."""

SHEETS = (
    """(role x) (role o) (init (cell 1 b)) (init (cell 2 b)) (init (control x)) (other x o) (other o x)
    (<= (legal ?p (mark ?n)) (true (control ?p)) (true (cell ?n b)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (cell ?n ?p)) (does ?p (mark ?n))) (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= (next (cell ?n ?m)) (true (cell ?n ?m)) (does ?p (mark ?k)) (distinct ?n ?k))
    (<= open (true (cell ?n b))) (<= terminal (not open)) (<= (goal ?p 100) (true (cell 1 ?p)))
    (<= (goal ?p 0) (role ?p) (not (true (cell 1 ?p))))""",
    """(role a) (role b) (init (sum 0)) (up 0 1) (up 1 2) (up 2 3) (legal a go) (legal b go)
    (legal a stay) (legal b stay) (<= (next (sum ?m)) (true (sum ?n)) (up ?n ?m) (or (does a go) (does b go)))
    (<= (next (sum ?n)) (true (sum ?n)) (does a stay) (does b stay)) (<= (next (last ?r)) (does ?r go))
    (<= terminal (true (sum 3))) (<= (goal ?r 70) (true (last ?r))) (<= (goal a 20) (true (sum ?n)))""",
    """(role w) (init (at 1)) (edge 1 2) (edge 2 3) (edge 3 1) (<= (reach ?x ?y) (edge ?x ?y))
    (<= (reach ?x ?z) (reach ?x ?y) (edge ?y ?z)) (<= (legal w (go ?y)) (true (at ?x)) (reach ?x ?y))
    (<= (next (at ?y)) (does w (go ?y))) (<= (next (seen ?x)) (true (at ?x))) (<= (next (seen ?x)) (true (seen ?x)))
    (<= terminal (true (seen 1)) (true (seen 2)) (true (seen 3))) (<= (goal w 50) (true (at 3))) (goal w 30)""",
)
"""Rulesheets that are damaged: moves in turns, moves at once, and one role with recursion."""

SEEDS = (
    b"\0(role a) (init p) (legal a go) (<= (next q) (does a go)) (<= terminal (true q)) (goal a 100)",
    *(bytes([1 + way, sheet, *range(3, 30)]) for way in range(2) for sheet in range(len(SHEETS))),
    b"5\0\x13\6\4\5#\7\x08\t",
    *(bytes([3, *(seed * step % 256 for step in range(1, 120))]) for seed in (7, 31, 101)),
)
TOKENS = ("(role ", "(init ", "(true ", "(does ", "(next ", "(legal ", "(goal ", "terminal", "(<= ", "(not ", "(or ",
          "(distinct ", "?x", "noop", "100")  # fmt: skip

_TOKEN = re.compile(r"[()]|[^\s();]+")
_FACTS = ("p", "q", "edge")
_TERMS = ("a", "b", "1", "2", "?x", "?y")


@cache
def _tokens(sheet: int) -> list[str]:
    return _TOKEN.findall(SHEETS[sheet])


def _damaged(reader: Reader, most: int) -> str:
    """Return a rulesheet in which some words and lists are replaced, deleted or repeated."""
    tokens = list(_tokens(reader.below(len(SHEETS))))
    for _ in range(1 + reader.below(most)):
        way, place, other = reader.below(4), reader.below(len(tokens)), reader.below(len(tokens))
        if way == 0:
            del tokens[place]
        elif way == 1:
            tokens.insert(place, tokens[other])
        elif tokens[place] not in "()" and tokens[other] not in "()":
            tokens[place] = tokens[other]
        if not tokens:
            break
    return " ".join(tokens)


def _term(reader: Reader, depth: int = 0) -> Expression:
    if depth < 2 and reader.below(6) == 0:
        return ("f", _term(reader, depth + 1))
    return reader.choice(_TERMS)


def _condition(reader: Reader) -> Expression:
    kind = reader.below(10)
    if kind < 4:
        return (reader.choice(_FACTS), _term(reader))
    if kind < 6:
        return ("true", _term(reader))
    if kind == 6:
        return ("does", reader.choice(("a", "b", "?x")), _term(reader))
    if kind == 7:
        return ("not", ("true", _term(reader)))
    if kind == 8:
        return ("not", (reader.choice(_FACTS), _term(reader)))
    return ("distinct", _term(reader), _term(reader))


def _random(reader: Reader) -> str:
    """Return a rulesheet of random rules. Two roles, a move and a count to the end are always there."""
    rules: list[Expression] = [
        ("role", "a"), ("role", "b"), ("legal", "a", "1"), ("legal", "b", "1"), ("init", "1"), ("p", "a"), ("q", "b"),
        ("edge", "1"), ("<=", "terminal", ("true", "end")),
    ]  # fmt: skip
    while reader and len(rules) < 30:
        heads: tuple[Expression, ...] = (
            ("next", _term(reader)), ("next", _term(reader)), ("init", reader.choice(("a", "b", "2"))),
            ("legal", reader.choice(("a", "b")), _term(reader)), (reader.choice(_FACTS), _term(reader)),
            ("goal", reader.choice(("a", "b")), reader.choice(("0", "40", "100"))), "terminal", ("next", "end"),
        )  # fmt: skip
        rules.append(("<=", reader.choice(heads), *(_condition(reader) for _ in range(1 + reader.below(3)))))
    return "\n".join(map(kif_text, rules))


def target(data: bytes) -> None:
    """Compile a rulesheet, check the game's contract, and compare random games with the interpreter."""
    reader = Reader(data)
    way = reader.below(4)
    seed = reader.byte() if way else 0
    text = (
        _random(reader) if way == 3 else _damaged(reader, (0, 3, 12)[way]) if way else reader.rest_text()
    )  # fmt: skip
    with file_of(text.encode("utf-8", "surrogateescape")) as path:
        try:
            game = RulesheetGame(read_file(path), "sheet.kif", seconds=SECONDS, max_steps=MOST_STEPS)
        except RulesheetError:
            return
        found = mcts.check_game(game, games=2, seed=seed).problems
        problems = [each for each in found if each.rule != OF_THE_TEXT]
        assert problems == [], problems
    state = game.new_initial_state()
    assert str(state)
    assert state.to_svg()
    assert clicks_of(state).keys() <= legal_texts(state)
    if not state.is_terminal():
        mcts.playouts(state, 600, seed=seed)
    rules = _interpreter(text)
    if rules is not None:
        _compare(game, rules, seed)


def _interpreter(text: str) -> Rulesheet | None:
    """Return the interpreter; None where it would be slow, or refuses what holds for ground atoms alone."""
    for rule in read_rules(text):
        positive = [each for each in rule.body if each.positive and name_of(each.atom) != "distinct"]
        if len(positive) > MOST_PRODUCT:
            return None
    try:
        return Rulesheet(text)
    except RulesheetError:
        return None


def _compare(game: RulesheetGame, rules: Rulesheet, seed: int) -> None:
    """Play a random game, and compare every state with the interpreter."""
    state, expected = game.new_initial_state(), rules.initial()
    for step in range(MOST_STEPS + 1):
        facts = {*state.to_dict()["facts"], *game.network.always}
        assert facts == {term_text(fluent) for fluent in expected} - set(game.network.unused)
        legal = {role: found for role, found in rules.legal(expected).items() if role in rules.roles}
        over = rules.terminal(expected) or not any(legal.values()) or step == MOST_STEPS
        assert state.is_terminal() == over
        if over:
            _compare_returns(game, rules, state.returns(), expected)
            return
        _compare_moves(state, legal)
        joint = [state.sample_action(player, 256 * step + seed) for player in range(game.num_players)]
        moves: dict[Expression, Expression] = {}
        for player, (role, found) in enumerate(legal.items()):
            if joint[player] != mcts.NOOP:
                moves[role] = _moves_by_text(found)[state.action_to_string(player, joint[player])]
            elif found:
                moves[role] = IDLE
        state.apply_actions(joint)
        expected = rules.following(expected, moves)


def _moves_by_text(found: set[Expression]) -> dict[str, Expression]:
    return {CHOSEN_IDLE if move == IDLE else term_text(move): move for move in found}


def _compare_moves(state: mcts.State, legal: dict[Expression, set[Expression]]) -> None:
    able = {role for role, found in legal.items() if found and found != {IDLE}}
    acting = able or {role for role, found in legal.items() if found}
    assert [role in acting for role in legal] == [player in state.acting_players() for player in range(len(legal))]
    for player, (role, found) in enumerate(legal.items()):
        if role in acting:
            texts = {state.action_to_string(player, action) for action in state.legal_actions(player)}
            assert texts == set(_moves_by_text(found))


def _compare_returns(game: RulesheetGame, rules: Rulesheet, returns: list[float], expected: State) -> None:
    goals = rules.goals(expected)
    for role, value in zip(rules.roles, returns, strict=True):
        found = goals[role]
        none = 50.0 if game.network.constant_sum else 0.0
        assert abs(value - (sum(found) / len(found) if found else none)) < 1e-9
