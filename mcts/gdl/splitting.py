"""Rules split into smaller ones: a variable that few literals share is eliminated by a relation of its own.

The instances of a rule are as many as the values of all its variables together. If a variable stands neither in the
head nor in most literals, its literals become a rule for a new relation over their other variables, which takes their
place in the rule (variable elimination, Dechter 1999).
"""

from __future__ import annotations

from .parser import Expression
from .rules import Literal, Rule, name_of, variables_of

GUARD = "guard "
"""Relations whose names begin so bound the values of variables. They are no conditions: the literal that each is made
of stands in the rule as well."""
PART = "part "


def split(rules: list[Rule]) -> list[Rule]:
    """Return rules that derive the same atoms, and others of new relations, in place of those with many variables."""
    return _Splitter().split(rules)


class _Splitter:
    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], str] = {}
        self.made: list[Rule] = []

    def split(self, rules: list[Rule]) -> list[Rule]:
        kept = [self._reduce(rule) for rule in rules]
        return kept + self.made

    def _reduce(self, rule: Rule) -> Rule:
        literals = list(rule.body)
        wanted = set(variables_of(rule.head))
        while True:
            found = self._best(literals, wanted)
            if found is None:
                return Rule(rule.head, tuple(literals), rule.place)
            group, scope = found
            rest = [literal for literal in literals if literal not in group]
            outside = wanted.union(*(variables_of(literal.atom) for literal in rest))
            arguments = sorted(scope & outside)
            body = [*group, *self._guards(group, rest, rule)]
            prefix = GUARD if name_of(rule.head).startswith(GUARD) else PART
            literals = [*rest, Literal(self._relation(prefix, arguments, body, rule))]

    def _best(self, literals: list[Literal], wanted: set[str]) -> tuple[list[Literal], set[str]] | None:
        """Return the literals of the variable that is the cheapest to eliminate, and their variables."""
        by_variable: dict[str, list[Literal]] = {}
        for literal in literals:
            for variable in dict.fromkeys(variables_of(literal.atom)):
                by_variable.setdefault(variable, []).append(literal)
        every = wanted | set(by_variable)
        best = None
        for variable, group in by_variable.items():
            if variable in wanted or len(group) == len(literals):
                continue
            scope = {each for literal in group for each in variables_of(literal.atom)}
            if len(scope) < len(every) and (best is None or (len(scope), len(group)) < best[0]):
                best = (len(scope), len(group)), group, scope
        return best and best[1:]

    def _guards(self, group: list[Literal], rest: list[Literal], rule: Rule) -> list[Literal]:
        """Return literals that bind the variables of a group that no positive literal of it binds."""
        bound = {variable for literal in group if _binds(literal) for variable in variables_of(literal.atom)}
        free = {variable for literal in group for variable in variables_of(literal.atom)} - bound
        guards = []
        while free:
            best = min(
                (literal for literal in rest if _binds(literal) and free & set(variables_of(literal.atom))),
                key=lambda literal: len(set(variables_of(literal.atom))),
            )
            here = sorted(free & set(variables_of(best.atom)))
            free -= set(here)
            guards.append(Literal(self._relation(GUARD, here, [best], rule)))
        return guards

    def _relation(self, prefix: str, arguments: list[str], body: list[Literal], rule: Rule) -> Expression:
        """Return the atom of a new relation, or of one with an equal rule."""
        names: dict[str, str] = {}
        ordered = sorted(body, key=lambda literal: (literal.positive, _shape(literal.atom)))
        renamed = tuple((literal.positive, _renamed(literal.atom, names)) for literal in ordered)
        places = {name: number for number, name in enumerate(names)}
        arguments = sorted(arguments, key=places.__getitem__)
        key = (prefix, renamed, tuple(names[argument] for argument in arguments))
        name = self.known.get(key)
        made = name or f"{prefix}{len(self.known)}"
        head: Expression = (made, *arguments) if arguments else made
        if name is None:
            self.known[key] = name_of(head)
            self.made.append(Rule(head, tuple(body), rule.place))
        return head


def _binds(literal: Literal) -> bool:
    return literal.positive and name_of(literal.atom) != "distinct"


def _shape(atom: Expression) -> str:
    """Return an atom as text, without the names of its variables."""
    if isinstance(atom, str):
        return "?" if atom[0] == "?" else atom
    return f"({' '.join(map(_shape, atom))})"


def _renamed(atom: Expression, names: dict[str, str]) -> Expression:
    if isinstance(atom, str):
        return names.setdefault(atom, f"?{len(names)}") if atom[0] == "?" else atom
    return (atom[0], *(_renamed(part, names) for part in atom[1:]))
