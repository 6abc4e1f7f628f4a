"""Rules that derive only atoms which other rules ask for (magic sets, Bancilhon and others 1986).

A relation such as `(count_loop ?x ?before ?after)` may have far more atoms over the reachable facts than a game ever
asks for, as `?before` can have any value. Each relation that depends on the state gets another one, of the values that
its arguments have where rules ask for it, as far as these are known there. Its rules then hold for these values alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Literal, Rule, name_of, variables_of
from .splitting import GUARD


class _Demand:
    def __init__(self, rules: list[Rule], asked: set[str]) -> None:
        self.rules = rules
        self.asked = asked
        self.places: dict[str, set[int]] = {}
        """Relation -> the arguments that are known wherever rules ask for it."""

    def rewrite(self) -> list[Rule]:
        for rule in self.rules:
            for literal in (Literal(rule.head), *rule.body):
                if name_of(literal.atom) in self.asked:
                    arity = 0 if isinstance(literal.atom, str) else len(literal.atom) - 1
                    self.places.setdefault(name_of(literal.atom), set(range(arity)))
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                for literal, known, _ in self._calls(rule):
                    name, atom = name_of(literal.atom), literal.atom
                    fewer = {place for place in self.places[name] if known.issuperset(variables_of(atom[place + 1]))}
                    changed = changed or len(fewer) < len(self.places[name])
                    self.places[name] = fewer
        found = []
        for rule in self.rules:
            found.append(Rule(rule.head, (*self._wanted(rule), *rule.body), rule.place))
            for literal, _, before in self._calls(rule):
                conditions = tuple(each for each in before if each.positive or name_of(each.atom) == "distinct")
                head = self._question(literal)
                if not (len(conditions) == 1 and conditions[0].atom == head.atom):
                    found.append(Rule(head.atom, conditions, rule.place))
        return found

    def _question(self, literal: Literal) -> Literal:
        """Return the literal that holds where rules ask for an atom."""
        name = f"{GUARD}{name_of(literal.atom)}"
        known = [literal.atom[place + 1] for place in sorted(self.places[name_of(literal.atom)])]
        return Literal((name, *known) if known else name)

    def _wanted(self, rule: Rule) -> tuple[Literal, ...]:
        return (self._question(Literal(rule.head)),) if name_of(rule.head) in self.asked else ()

    def _calls(self, rule: Rule) -> Iterator[tuple[Literal, set[str], list[Literal]]]:
        """Yield the literals that ask for an atom, with the variables that are known and the literals before it."""
        before = list(self._wanted(rule))
        known = {variable for literal in before for variable in variables_of(literal.atom)}
        left = list(rule.body)
        while left:
            literal = min(left, key=lambda each: self._rank(each, known))
            left.remove(literal)
            if name_of(literal.atom) in self.asked:
                yield literal, set(known), list(before)
            before.append(literal)
            if literal.positive and name_of(literal.atom) != "distinct":
                known.update(variables_of(literal.atom))

    def _rank(self, literal: Literal, known: set[str]) -> tuple[bool, bool, bool, int]:
        """Return the key of the literal that comes next: tests, then what is not asked for, then the least unknown."""
        variables = set(variables_of(literal.atom))
        unknown = len(variables - known)
        is_filter = not literal.positive or name_of(literal.atom) == "distinct"
        is_asked = name_of(literal.atom) in self.asked
        return (is_filter and unknown > 0, is_asked, unknown > 0 and not variables & known, unknown)


def ask(rules: list[Rule], dynamic: set[str], given: set[str]) -> list[Rule]:
    """Return rules that derive what `given` relations need.

    Args:
        rules: the rules.
        dynamic: names of the relations that depend on the state.
        given: those of them that are derived in full.
    """
    return _Demand(rules, dynamic - given).rewrite()
