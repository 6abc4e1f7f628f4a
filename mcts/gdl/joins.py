"""Rules compiled to chains of steps, each of which extends a binding of variables and calls the next step.

A binding is a list with one slot for each variable, constant and matched atom of the rule. Each chain has its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .errors import RulesheetError
from .parser import Expression
from .relations import Relation, getter
from .rules import Literal, Rule, is_variable, variables_of
from .terms import Terms

Step = Callable[[list[int]], None]
WRAPPERS = {"true": 0, "next": 0, "init": 0, "legal": 1, "does": 1}
"""Relations whose argument at this place is a term; each functor of it has a relation of its own."""


class Budget:
    """The limits of time and size of one grounding."""

    def __init__(self, seconds: float, instances: int) -> None:
        self.deadline = time.monotonic() + seconds
        self.seconds = seconds
        self.max_instances = instances
        self.instances = 0
        self.steps = 0

    def check(self) -> None:
        """Raise RulesheetError if a limit is exceeded."""
        if time.monotonic() > self.deadline:
            raise RulesheetError(f"the rules are not grounded after {self.seconds:g} seconds")
        if self.instances > self.max_instances:
            raise RulesheetError(f"the rules have more than {self.max_instances:,} ground instances")


class Database:
    """All relations of a rulesheet."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.relations: dict[tuple[Any, ...], Relation] = {}

    def relation(self, *key: Any) -> Relation:
        """Return the relation of a key: name and arity; of a wrapper: name, functor and arity, or the name alone."""
        found = self.relations.get(key)
        if found is None:
            found = self.relations[key] = Relation(key)
        return found

    def locate(self, atom: Expression) -> tuple[Relation, tuple[Expression, ...]]:
        """Return the relation of an atom and its arguments there."""
        if isinstance(atom, str):
            return self.relation(atom, 0), ()
        name = str(atom[0])
        if name not in WRAPPERS:
            return self.relation(name, len(atom) - 1), atom[1:]
        before, inner = atom[1:-1], atom[-1]
        if isinstance(inner, str):
            if is_variable(inner):
                return self.relation(name), atom[1:]
            return self.relation(name, inner, 0), before
        return self.relation(name, str(inner[0]), len(inner) - 1), before + inner[1:]


class Chain:
    """The steps of one rule, begun by a row of one of its literals, or by nothing."""

    def __init__(self, database: Database, budget: Budget, rule: Rule, dynamic: list[bool], trigger: int | None):
        self.database, self.terms, self.budget = database, database.terms, budget
        self.rule, self.dynamic, self.trigger = rule, dynamic, trigger
        self.binding: list[int] = []
        self.slots: dict[Any, int] = {}
        self.bound: set[str] = set()
        self.makers: list[Callable[[Step], Step]] = []
        self.atom_slots: list[int] = []
        self.trigger_slot = self._slot(("atom", trigger))
        if trigger is not None and dynamic[trigger]:
            self.atom_slots.append(self.trigger_slot)

    def _slot(self, key: Any, value: int = -1) -> int:
        found = self.slots.get(key)
        if found is None:
            found = self.slots[key] = len(self.binding)
            self.binding.append(value)
        return found

    def _constant(self, expression: Expression) -> int:
        number = self.terms.number_of(expression)
        return self._slot(("constant", number), number)

    def is_bound(self, expression: Expression) -> bool:
        """Return True if the steps so far bind all variables of an expression."""
        return all(variable in self.bound for variable in variables_of(expression))

    def value(self, expression: Expression) -> int:
        """Return the slot of a bound expression; add the step that makes the term if it has variables."""
        if isinstance(expression, str):
            return self._slot(expression) if is_variable(expression) else self._constant(expression)
        if next(variables_of(expression), None) is None:
            return self._constant(expression)
        places = [self.value(part) for part in expression[1:]]
        out = self._slot(("made", len(self.slots)))
        functor, number = str(expression[0]), self.terms.number

        def maker(following: Step) -> Step:
            def make(binding: list[int]) -> None:
                binding[out] = number(functor, tuple([binding[place] for place in places]))
                following(binding)

            return make

        self.makers.append(maker)
        return out

    def _take(self, expression: Expression, binds: list[tuple[int, int]], column: int, later: list[Any]) -> None:
        """Bind an argument of a matched row: a new variable at once, the rest by later steps."""
        if isinstance(expression, str) and is_variable(expression) and expression not in self.bound:
            self.bound.add(expression)
            binds.append((column, self._slot(expression)))
        else:
            place = self._slot(("taken", len(self.slots)))
            binds.append((column, place))
            later.append((place, expression))

    def _take_apart(self, later: list[Any]) -> None:
        """Add the steps that compare terms with expressions, and bind the variables in these."""
        while later:
            place, expression = later.pop()
            if self.is_bound(expression):
                self._compare(place, self.value(expression), True)
                continue
            if isinstance(expression, str):
                raise AssertionError(expression)
            binds: list[tuple[int, int]] = []
            for column, part in enumerate(expression[1:]):
                self._take(part, binds, column, later)
            self.makers.append(self._opener(place, str(expression[0]), len(expression) - 1, binds))

    def _opener(self, place: int, functor: str, arity: int, binds: list[tuple[int, int]]) -> Callable[[Step], Step]:
        parts = self.terms.parts

        def maker(following: Step) -> Step:
            def open_term(binding: list[int]) -> None:
                found, arguments = parts[binding[place]]
                if found == functor and len(arguments) == arity:
                    for column, slot in binds:
                        binding[slot] = arguments[column]
                    following(binding)

            return open_term

        return maker

    def _compare(self, left: int, right: int, equal: bool) -> None:
        def maker(following: Step) -> Step:
            def compare(binding: list[int]) -> None:
                if (binding[left] == binding[right]) == equal:
                    following(binding)

            return compare

        self.makers.append(maker)

    def start(self) -> list[tuple[int, int]]:
        """Return (column, slot) of the row of the trigger, and add the steps that check it."""
        binds: list[tuple[int, int]] = []
        later: list[Any] = []
        if self.trigger is not None:
            _, arguments = self.database.locate(self.rule.body[self.trigger].atom)
            for column, expression in enumerate(arguments):
                self._take(expression, binds, column, later)
            binds.append((len(arguments), self.trigger_slot))
            self._take_apart(later)
        return binds

    def match(self, number: int) -> None:
        """Add the step that joins with a positive literal."""
        relation, arguments = self.database.locate(self.rule.body[number].atom)
        columns, keys = [], []
        binds: list[tuple[int, int]] = []
        later: list[Any] = []
        for column, expression in enumerate(arguments):
            if self.is_bound(expression):
                columns.append(column)
                keys.append(self.value(expression))
        for column, expression in enumerate(arguments):
            if column not in columns:
                self._take(expression, binds, column, later)
        own = self._slot(("atom", number))
        if self.dynamic[number]:
            binds.append((len(arguments), own))
            self.atom_slots.append(own)
        skip = False
        if self.trigger is not None and number < self.trigger:
            skip = self.database.locate(self.rule.body[self.trigger].atom)[0] is relation
        self.makers.append(self._matcher(relation, tuple(columns), keys, binds, own if skip else None))
        self._take_apart(later)

    def _matcher(
        self, relation: Relation, columns: tuple[int, ...], keys: list[int], binds: Any, own: int | None
    ) -> Callable[[Step], Step]:
        index, key, budget, trigger = relation.index(columns), getter(keys), self.budget, self.trigger_slot

        def maker(following: Step) -> Step:
            def match(binding: list[int]) -> None:
                budget.steps += 1
                if not budget.steps & 0xFFFF:
                    budget.check()
                for row in index.get(key(binding), ()):
                    for column, slot in binds:
                        binding[slot] = row[column]
                    if own is None or binding[own] != binding[trigger]:
                        following(binding)

            def match_long(binding: list[int]) -> None:
                rows = index.get(key(binding), ())
                for number, row in enumerate(rows):
                    if not number & 0xFFFF:
                        budget.check()
                    for column, slot in binds:
                        binding[slot] = row[column]
                    if own is None or binding[own] != binding[trigger]:
                        following(binding)

            return match if columns else match_long

        return maker

    def refuse_matches(self, literal: Literal) -> None:
        """Add the step that stops where a negative literal of a complete relation does not hold."""
        relation, arguments = self.database.locate(literal.atom)
        key = [self.value(expression) for expression in arguments]
        rows = relation.rows

        def maker(following: Step) -> Step:
            def absent(binding: list[int]) -> None:
                if tuple([binding[place] for place in key]) not in rows:
                    following(binding)

            return absent

        self.makers.append(maker)

    def filter_distinct(self, literal: Literal) -> None:
        """Add the step of `distinct`, or of its negation."""
        atom = literal.atom
        self._compare(self.value(atom[1]), self.value(atom[2]), not literal.positive)

    def row_slots(self, atom: Expression) -> tuple[Relation, list[int]]:
        """Return the relation of a bound atom and the slots of its row."""
        relation, arguments = self.database.locate(atom)
        return relation, [self.value(expression) for expression in arguments]

    def finish(self, last: Step) -> Step:
        """Return the first step of the chain, which ends with `last`."""
        step = last
        for maker in reversed(self.makers):
            step = maker(step)
        return step
