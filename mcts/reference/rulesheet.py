"""Rulesheets in plain Python: a direct reading of the semantics of the Game Description Language, for tests.

A state is a set of ground terms. Every question is answered by computing all that follows from the state and the moves,
stratum by stratum, without grounding beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..gdl.graphs import components
from ..gdl.parser import Expression
from ..gdl.rules import PERCEPT, Rule, name_of, read_rules, variables_of

State = frozenset[Expression]
Facts = dict[str, set[Expression]]
Binding = dict[str, Expression]


def _stratum(atom: Expression) -> str:
    """Return what is evaluated together: a relation, one value of `goal`, or the percepts."""
    if name_of(atom) == "next" and name_of(atom[1]) == PERCEPT:
        return PERCEPT
    if name_of(atom) == "goal" and isinstance(atom[2], str) and atom[2][0] != "?":
        return f"goal {atom[2]}"
    return name_of(atom)


def _match(pattern: Expression, term: Expression, binding: Binding) -> Binding | None:
    """Return the binding extended so that the pattern is the term, or None."""
    if isinstance(pattern, str):
        if pattern[0] != "?":
            return binding if pattern == term else None
        if pattern in binding:
            return binding if binding[pattern] == term else None
        if name_of(term) == PERCEPT:
            return None
        return {**binding, pattern: term}
    if isinstance(term, str) or len(term) != len(pattern) or term[0] != pattern[0]:
        return None
    found: Binding | None = binding
    for part, of_term in zip(pattern[1:], term[1:], strict=True):
        found = _match(part, of_term, found) if found is not None else None
    return found


def _substitute(expression: Expression, binding: Mapping[str, Expression]) -> Expression:
    if isinstance(expression, str):
        return binding.get(expression, expression)
    return (expression[0], *(_substitute(part, binding) for part in expression[1:]))


def _bindings(rule: Rule, facts: Facts) -> Iterator[Binding]:
    """Yield each binding under which the body of a rule holds."""
    found: list[Binding] = [{}]
    bound: set[str] = set()
    for literal in rule.body:
        atom = literal.atom
        if not literal.positive or name_of(atom) == "distinct":
            continue
        # The rows of each choice of arguments whose variables have values.
        known = [
            place
            for place in range(1, 1 if isinstance(atom, str) else len(atom))
            if bound.issuperset(variables_of(atom[place]))
        ]
        rows: dict[tuple[Expression, ...], list[Expression]] = {}
        for row in facts.get(name_of(atom), ()):
            rows.setdefault(tuple(row[place] for place in known), []).append(row)
        found = [
            more
            for old in found
            for row in rows.get(tuple(_substitute(atom[place], old) for place in known), ())
            if (more := _match(atom, row, old)) is not None
        ]
        bound.update(variables_of(atom))
    for binding in found:
        for literal in rule.body:
            atom = _substitute(literal.atom, binding)
            holds = atom[1] != atom[2] if name_of(atom) == "distinct" else atom in facts.get(name_of(atom), ())
            if holds != literal.positive:
                break
        else:
            yield binding


class Rulesheet:
    """The rules of one game.

    Attributes:
        roles: the names of the roles, in order.

    Raises:
        RulesheetError: the text is not valid, or relations depend on their own negation.
    """

    def __init__(self, text: str) -> None:
        self._rules = read_rules(text)
        needs: dict[str, set[str]] = {}
        for rule in self._rules:
            needs.setdefault(_stratum(rule.head), set()).update(_stratum(literal.atom) for literal in rule.body)
        self._strata = [set(component) for component in components(needs)]
        for inside in self._strata:
            for rule in self._rules:
                if _stratum(rule.head) in inside and any(
                    not literal.positive and _stratum(literal.atom) in inside for literal in rule.body
                ):
                    raise rule.place.refuse("the relation depends on its own negation")
        changing = {"true", "does"}
        for inside in self._strata:  # those that others need come first
            if inside & changing or any(needs.get(name, set()) & changing for name in inside):
                changing |= inside
        self._fixed: Facts = {}
        self._complete(self._fixed, [inside for inside in self._strata if not inside & changing])
        self._strata = [inside for inside in self._strata if inside & changing]
        facts = self._fixed
        roles = [rule.head[1] for rule in self._rules if name_of(rule.head) == "role"]
        self.roles = list(dict.fromkeys(roles))
        self._initial = frozenset(row[1] for row in facts.get("init", ()))

    def initial(self) -> State:
        """Return the fluents of the initial state."""
        return self._initial

    def terminal(self, state: State) -> bool:
        """Return True at the end of the game."""
        return bool(self._all_facts(state, ()).get("terminal"))

    def legal(self, state: State) -> dict[Expression, set[Expression]]:
        """Return role -> its legal moves."""
        found: dict[Expression, set[Expression]] = {role: set() for role in self.roles}
        for row in self._all_facts(state, ()).get("legal", ()):
            found.setdefault(row[1], set()).add(row[2])
        return found

    def goals(self, state: State) -> dict[Expression, set[int]]:
        """Return role -> the values of its goals."""
        found: dict[Expression, set[int]] = {role: set() for role in self.roles}
        for row in self._all_facts(state, ()).get("goal", ()):
            found.setdefault(row[1], set()).add(int(str(row[2])))
        return found

    def following(self, state: State, moves: Mapping[Expression, Expression]) -> State:
        """Return the fluents after a step in which each role plays its move."""
        rows = self._all_facts(state, [("does", role, move) for role, move in moves.items()]).get("next", ())
        return frozenset(row[1] for row in rows)

    def _all_facts(self, state: Iterable[Expression], does: Iterable[Expression]) -> Facts:
        """Return all that holds: relation -> atoms."""
        facts: Facts = dict(self._fixed)
        facts |= {"true": {("true", fluent) for fluent in state}, "does": set(does)}
        self._complete(facts, self._strata)
        return facts

    def _complete(self, facts: Facts, strata: list[set[str]]) -> None:
        """Add all that follows in some strata."""
        for inside in strata:
            rules = [rule for rule in self._rules if _stratum(rule.head) in inside]
            grows = True
            while grows:
                grows = False
                for rule in rules:
                    made = {_substitute(rule.head, binding) for binding in _bindings(rule, facts)}
                    known = facts.get(name_of(rule.head), set())
                    grows |= not made <= known
                    facts[name_of(rule.head)] = {*known, *made}  # the old set may belong to others
