"""Rules compiled to chains of operations on registers, which `cext.gdl.joins` runs.

Each variable, constant, matched row and made term of a rule has a register.
"""

from __future__ import annotations

from typing import Any

from cext.gdl.joins import OPERATIONS, TARGETS, Joins

from .parser import ARITY, Expression
from .rules import PERCEPT, Literal, Rule, is_variable, name_of, variables_of
from .splitting import GUARD
from .terms import Terms

WRAPPERS = {"true": 0, "does": 1, "next": 0, "legal": 1, "init": 0}
"""Relations whose argument at this place is a term; each functor of it has a relation of its own."""
KINDS = {name: number for number, name in enumerate(WRAPPERS)}
FEEDS = {"next": "true", "init": "true", "legal": "does"}
"""Relation -> the relation that its rows belong to as well."""
NOWHERE = -1


class Database:
    """All relations of a rulesheet, and their terms.

    Args:
        joins: the tables.
        dynamic: names of the relations that depend on the state.
    """

    def __init__(self, joins: Joins, dynamic: set[str]) -> None:
        self.joins = joins
        self.terms = Terms(joins)
        self.dynamic = dynamic
        self._numbers: dict[tuple[Any, ...], int] = {}
        for name, kind in KINDS.items():
            joins.set_kind(kind, WRAPPERS[name], KINDS[FEEDS[name]] if name in FEEDS else NOWHERE)
        joins.hide(joins.functor(PERCEPT, ARITY["sees"]))

    def locate(self, atom: Expression) -> tuple[int, tuple[Expression, ...]]:
        """Return the relation of an atom and its arguments there."""
        if isinstance(atom, str):
            return self._plain(atom, 0), ()
        name = str(atom[0])
        if name not in WRAPPERS:
            return self._plain(name, len(atom) - 1), atom[1:]
        before, inner = atom[1:-1], atom[-1]
        if is_variable(inner):
            return self._of_kind(name, None, len(atom) - 1), atom[1:]
        if isinstance(inner, str):
            return self._of_kind(name, inner, 0), before
        return self._of_kind(name, str(inner[0]), len(inner) - 1), before + inner[1:]

    def keys(self) -> dict[int, tuple[str, str, int]]:
        """Return name, functor of the terms or an empty text, and arity, of each relation but those of all functors."""
        names = list(KINDS)
        found = {number: (str(key[0]), "", key[1]) for key, number in self._numbers.items() if len(key) == 2}
        found.update({number: (names[key[0]], *key[1:]) for key, number in self.joins.by_kind().items()})
        return found

    def _plain(self, name: str, arity: int) -> int:
        found = self._numbers.get((name, arity))
        if found is None:
            recorded = name in self.dynamic and not name.startswith(GUARD)
            found = self._numbers[name, arity] = self.joins.relation(arity, NOWHERE, NOWHERE, False, recorded)
        return found

    def _of_kind(self, name: str, functor: str | None, arity: int) -> int:
        """Return the relation of the terms with a functor, or that of all with these columns."""
        kind, recorded = KINDS[name], name != "init"
        if functor is None:
            found = self._numbers.get((name,))
            if found is None:
                found = self._numbers[name,] = self.joins.relation(arity, kind, NOWHERE, True, recorded)
            return found
        found = self._numbers.get((name, functor, arity))
        if found is None:
            found = self.joins.by_kind().get((kind, functor, arity))
            if found is None:
                number = self.joins.functor(functor, arity)
                found = self.joins.relation(arity + WRAPPERS[name], kind, number, False, recorded)
            self._numbers[name, functor, arity] = found
        return found


class Chain:
    """The operations of one rule, begun by a row of one of its literals, or by nothing.

    Args:
        database: the relations.
        rule: the rule.
        trigger: number of the literal that a new row matches, or None.
    """

    def __init__(self, database: Database, rule: Rule, trigger: int | None) -> None:
        self.database, self.terms = database, database.terms
        self.rule, self.trigger = rule, trigger
        self.registers: list[int] = []
        self.code: list[int] = []
        self.binds: list[int] = []
        self._known: dict[Any, int] = {}
        self._bound: set[str] = set()
        self._matched: list[tuple[int, int]] = []
        self.row = self._register(("row", trigger))
        if trigger is not None:
            later: list[tuple[int, Expression]] = []
            relation, arguments = database.locate(rule.body[trigger].atom)
            for column, expression in enumerate(arguments):
                self.binds += [column, self._take(expression, later)]
            self._note(trigger, relation, self.row)
            self._take_apart(later)

    def _register(self, key: Any, value: int = -1) -> int:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.registers)
            self.registers.append(value)
        return found

    def _note(self, literal: int, relation: int, row: int) -> None:
        """Remember the row of a literal that an instance names: it depends on the state and is not a guard."""
        name = name_of(self.rule.body[literal].atom)
        if name in self.database.dynamic and not name.startswith(GUARD):
            self._matched.append((relation, row))

    def is_bound(self, expression: Expression) -> bool:
        """Return True if the operations so far bind all variables of an expression."""
        return all(variable in self._bound for variable in variables_of(expression))

    def value(self, expression: Expression) -> int:
        """Return the register of a bound expression; add the operation that makes the term if it has variables."""
        if is_variable(expression):
            return self._register(expression)
        if next(variables_of(expression), None) is None:
            number = self.terms.number_of(expression)
            return self._register(("constant", number), number)
        places = [self.value(part) for part in expression[1:]]
        out = self._register(("made", expression))
        functor = self.database.joins.functor(str(expression[0]), len(places))
        self.code += [OPERATIONS["make"], functor, len(places), *places, out]
        return out

    def _take(self, expression: Expression, later: list[tuple[int, Expression]]) -> int:
        """Return the register for a column of a matched row; repeated variables are compared later."""
        if isinstance(expression, str) and is_variable(expression) and expression not in self._bound:
            self._bound.add(expression)
            return self._register(expression)
        place = self._register(("taken", len(self.registers)))
        later.append((place, expression))
        return place

    def _take_apart(self, later: list[tuple[int, Expression]]) -> None:
        """Add the operations that compare terms with expressions, and bind the variables in these."""
        while later:
            place, expression = later.pop()
            if self.is_bound(expression):
                value = self.value(expression)
                self.code += [OPERATIONS["equal"], place, value]
                continue
            functor = self.database.joins.functor(str(expression[0]), len(expression) - 1)
            parts = [self._take(part, later) for part in expression[1:]]
            self.code += [OPERATIONS["open"], place, functor, len(parts), *parts]

    def match(self, number: int) -> None:
        """Add the join with a positive literal."""
        relation, arguments = self.database.locate(self.rule.body[number].atom)
        bound = [column for column, expression in enumerate(arguments) if self.is_bound(expression)]
        keys = [self.value(arguments[column]) for column in bound]
        row = self._register(("row", number))
        skip = (
            self.trigger is not None
            and number < self.trigger
            and self.database.locate(self.rule.body[self.trigger].atom)[0] == relation
        )
        later: list[tuple[int, Expression]] = []
        if len(bound) == len(arguments):
            self.code += [OPERATIONS["check"], relation, row, skip, *keys]
        else:
            index = self.database.joins.index(relation, bound)
            free = [column for column in range(len(arguments)) if column not in bound]
            binds = [place for column in free for place in (column, self._take(arguments[column], later))]
            length = 8 + len(keys) + len(binds)
            self.code += [OPERATIONS["match"], length, relation, index, row, skip, len(keys), *keys, len(free), *binds]
        self._note(number, relation, row)
        self._take_apart(later)

    def refuse_matches(self, literal: Literal) -> None:
        """Add the test that a negative literal of a complete relation holds."""
        relation, arguments = self.database.locate(literal.atom)
        values = [self.value(part) for part in arguments]  # may add operations, so it comes first
        self.code += [OPERATIONS["absent"], relation, *values]

    def filter_distinct(self, literal: Literal) -> None:
        """Add the test of `distinct`, or of its negation."""
        left, right = self.value(literal.atom[1]), self.value(literal.atom[2])
        self.code += [OPERATIONS["different" if literal.positive else "equal"], left, right]

    def _target(self, atom: Expression) -> list[int]:
        """Return the numbers of a row that is derived or denied."""
        name = str(atom[0])
        if name in KINDS and not isinstance(atom, str) and is_variable(atom[-1]):
            self.database.locate(atom)
            before = [self.value(part) for part in atom[1:-1]]
            return [TARGETS["whole"], KINDS[name], len(before), *before, self.value(atom[-1])]
        relation, arguments = self.database.locate(atom)
        return [TARGETS["row"], relation, *[self.value(part) for part in arguments]]

    def finish(self, negative: list[Expression]) -> None:
        """Add the end: the head, and the rows and denied atoms of the instance."""
        head = self._target(self.rule.head)
        denied = [number for atom in negative for number in self._target(atom)]
        positive = [number for pair in self._matched for number in pair]
        self.code += [OPERATIONS["end"], *head, len(self._matched), *positive, len(negative), *denied]
