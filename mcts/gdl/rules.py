"""Statements as rules: a head and a body of literals, without `or`, `and` and nested `not`.

Also the checks that need one rule at a time: safety, the place of keywords, the number of arguments.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..errors import RulesheetError
from .parser import Expression, Statement, parse

MAX_LITERALS = 200
MAX_RULES = 200_000
ARITY = {"role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2, "base": 1, "input": 2}
ARITY |= {"terminal": 0, "distinct": 2, "sees": 2}
OF_A_ROLE = ("legal", "does", "goal", "input")
"""Relations whose first argument is a role."""
RANDOM = "random"
"""The role that chance plays (GDL-II: Thielscher 2010)."""
PERCEPT = "Sees"
"""Functor of the fluents (PERCEPT role percept): what `sees` tells of the last step. No rule can spell it."""


@dataclass(frozen=True)
class Literal:
    """An atom of a body; `distinct` is an atom whose relation has this name."""

    atom: Expression
    positive: bool = True


@dataclass(frozen=True)
class Rule:
    """`head` holds if all literals of `body` hold."""

    head: Expression
    body: tuple[Literal, ...]
    place: Statement


def name_of(atom: Expression) -> str:
    """Return the relation of an atom."""
    return atom if isinstance(atom, str) else str(atom[0])


def is_variable(term: Expression) -> bool:
    """Return True for a variable."""
    return isinstance(term, str) and term[0] == "?"


def variables_of(expression: Expression) -> Iterator[str]:
    """Yield the variables of an expression, each as often as it occurs."""
    if isinstance(expression, str):
        if expression[0] == "?":
            yield expression
    else:
        for part in expression[1:]:
            yield from variables_of(part)


def read_rules(text: str, deadline: float = math.inf) -> list[Rule]:
    """Return the rules of a rulesheet, after the checks of each rule.

    Args:
        text: the rulesheet.
        deadline: value of `time.monotonic` at which the time ends.

    Raises:
        RulesheetError: the text or a rule is not valid.
        TimeoutError: the time has ended.
    """
    rules: list[Rule] = []
    for statement in parse(text, deadline):
        for rule in _rules_of(statement, deadline):
            if time.monotonic() > deadline:
                raise TimeoutError
            _check_rule(rule)
            rules.append(_with_percept(rule))
            if len(rules) > MAX_RULES:
                raise statement.refuse(f"more than {MAX_RULES:,} rules after splitting every `or`")
    _check_arities(rules)
    return rules


def _rules_of(statement: Statement, deadline: float) -> Iterator[Rule]:
    expression = statement.expression
    if name_of(expression) != "<=":
        yield Rule(expression, (), statement)
        return
    if isinstance(expression, str) or len(expression) < 2:
        raise statement.refuse("a rule without a head; valid: (<= head literal ...)")
    for body in _choices(("and", *expression[2:]), True, statement, deadline):
        yield Rule(expression[1], tuple(dict.fromkeys(body)), statement)


def _with_percept(rule: Rule) -> Rule:
    """Return a rule for `sees` as one for the fluent of the percept, and any other rule as it is."""
    if name_of(rule.head) != "sees":
        return rule
    return replace(rule, head=("next", (PERCEPT, *rule.head[1:])))


def _choices(part: Expression, positive: bool, statement: Statement, deadline: float) -> list[tuple[Literal, ...]]:
    """Return the conjunctions of which one must hold, for a part of a body."""
    name = name_of(part)
    if name == "not":
        if isinstance(part, str) or len(part) != 2:
            raise statement.refuse("`not` takes one argument")
        return _choices(part[1], not positive, statement, deadline)
    if name in ("or", "and"):
        if isinstance(part, str):
            raise statement.refuse(f"`{name}` takes arguments")
        adds = (name == "or") == positive
        found: list[tuple[Literal, ...]] = [] if adds else [()]
        for each in part[1:]:
            if time.monotonic() > deadline:
                raise TimeoutError
            choices = _choices(each, positive, statement, deadline)
            if (len(found) + len(choices) if adds else len(found) * len(choices)) > MAX_RULES:
                raise statement.refuse(f"`or` and `and` make more than {MAX_RULES:,} choices")
            if adds:
                found += choices
                continue
            found = [left + right for left in found for right in choices]
            if max(map(len, found), default=0) > MAX_LITERALS:
                raise statement.refuse(f"the body has more than {MAX_LITERALS} literals")
        return found
    return [(Literal(part, positive),)]


def _check_rule(rule: Rule) -> None:
    head, refuse = name_of(rule.head), rule.place.refuse
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        name = name_of(atom)
        if is_variable(atom):
            raise refuse(f"the variable {atom} stands where an atom is needed")
        if name in ARITY and (0 if isinstance(atom, str) else len(atom) - 1) != ARITY[name]:
            raise refuse(f"`{name}` takes {ARITY[name]} argument{'s' * (ARITY[name] != 1)}")
        if name in ("<=", "not", "or", "and"):
            raise refuse(f"`{name}` stands where an atom is needed")
    if head in ("does", "true", "distinct"):
        raise refuse(f"a rule defines `{head}`, which the game manager defines; valid: any other relation")
    for literal in rule.body:
        if name_of(literal.atom) in ("next", "init", "sees", "base", "input") and head not in ("base", "input", "init"):
            raise refuse(f"`{name_of(literal.atom)}` stands in the body of a rule")
    bound = {
        variable
        for literal in rule.body
        if literal.positive and name_of(literal.atom) != "distinct"
        for variable in variables_of(literal.atom)
    }
    for expression in (rule.head, *(literal.atom for literal in rule.body)):
        for variable in variables_of(expression):
            if variable not in bound:
                raise refuse(f"unsafe rule: {variable} is in no positive literal of the body")


def _check_arities(rules: list[Rule]) -> None:
    seen: dict[str, tuple[int, Rule]] = {}
    for rule in rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            arity = 0 if isinstance(atom, str) else len(atom) - 1
            first = seen.setdefault(name_of(atom), (arity, rule))
            if first[0] != arity:
                raise rule.place.refuse(
                    f"`{name_of(atom)}` has {arity} arguments here and {first[0]} on line {first[1].place.line}"
                )


def check_roles(rules: list[Rule]) -> None:
    """Raise RulesheetError unless the rulesheet defines what every game needs."""
    defined = {name_of(rule.head) for rule in rules}
    for name in ("role", "legal", "goal", "terminal"):
        if name not in defined:
            raise RulesheetError(f"no rule defines `{name}`; a game needs role, legal, goal and terminal")


def unknown_roles(rules: list[Rule]) -> Iterator[str]:
    """Yield a message for each constant that stands in the place of a role and is none, if all roles are constants."""
    roles = {rule.head[1]: None for rule in rules if name_of(rule.head) == "role"}
    if not all(isinstance(role, str) and not is_variable(role) for role in roles):
        return
    seen = set()
    for rule in rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            role = atom[1] if name_of(atom) in OF_A_ROLE else None
            if isinstance(role, str) and not is_variable(role) and role not in roles and role not in seen:
                seen.add(role)
                place = f"line {rule.place.line}: {name_of(atom)}"
                yield f"{place} is for {role}, which is not a role; valid: {', '.join(map(str, roles))}"
