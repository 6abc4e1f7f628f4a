"""Statements as rules: a head and a body of literals, without `or`, `and` and nested `not`.

Also the checks that need one rule at a time: safety, the place of keywords, the number of arguments.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..errors import RulesheetError
from .parser import ARITY, IGNORED, Expression, Statement, parse

MAX_LITERALS = 200
MAX_RULES = 200_000
OF_A_ROLE = ("legal", "does", "goal", "sees")
"""Relations whose first argument is a role."""
PERCEPT = "Sees"
"""Functor of the fluents (PERCEPT role percept): what `sees` tells of the last step. No rule can spell it, and no
variable stands for such a fluent."""
SOME = "some "
"""Relations whose names begin so hold if some values of the variables inside one `not` satisfy its argument."""


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


def defined(statement: Statement) -> str:
    """Return the relation that a statement defines."""
    expression = statement.expression
    is_rule = name_of(expression) == "<=" and not isinstance(expression, str) and len(expression) > 1
    return name_of(expression[1] if is_rule else expression)


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
    if defined(statement) in IGNORED:
        return
    expression = statement.expression
    todo: list[Expression] = [expression if name_of(expression) == "<=" else ("<=", expression)]
    for rule in todo:
        if isinstance(rule, str) or len(rule) < 2:
            raise statement.refuse("a rule without a head; valid: (<= head literal ...)")
        whole: Expression = ("and", *rule[2:])
        bodies = _choices(whole, True, statement, deadline)
        free: set[str] = set()
        for body in bodies:
            if time.monotonic() > deadline:
                raise TimeoutError
            free.update(_free(body))
        if free:
            name = f"{SOME}{statement.line}.{statement.column}."
            whole = _closed(whole, free, Counter(variables_of(rule)), name, todo)
            bodies = _choices(whole, True, statement, deadline)
        for body in bodies:
            yield Rule(rule[1], tuple(dict.fromkeys((*body, *_role_of(rule[1], body)))), statement)


def _closed(
    part: Expression, free: set[str], counts: Mapping[str, int], name: str, todo: list[Expression]
) -> Expression:
    """Return a part of a body in which no free variable occurs only inside one `not`.

    The argument of a `not` with such variables becomes a rule for a new relation of its variables that occur elsewhere.

    Args:
        part: the part.
        free: the variables that no positive literal binds.
        counts: how often each variable occurs in the whole rule.
        name: beginning of the names of new relations.
        todo: gets the new rules.
    """
    if isinstance(part, str) or part[0] not in ("not", "or", "and"):
        return part
    if part[0] != "not":
        return (part[0], *(_closed(each, free, counts, name, todo) for each in part[1:]))
    inside = Counter(variables_of(part))
    if not any(inside[variable] == counts[variable] for variable in free):
        return part
    shared = [variable for variable, count in inside.items() if count < counts[variable]]
    head: Expression = (f"{name}{len(todo)}", *shared) if shared else f"{name}{len(todo)}"
    todo.append(("<=", head, part[1]))
    return ("not", head)


def _role_of(head: Expression, body: tuple[Literal, ...]) -> Iterator[Literal]:
    """Yield the literal that binds the role in a head, where it is a variable that the body does not bind."""
    role = head[1] if name_of(head) in OF_A_ROLE and not isinstance(head, str) else ""
    if role and is_variable(role) and role in _free(body, role):
        yield Literal(("role", role))


def _free(body: tuple[Literal, ...], *heads: Expression) -> list[str]:
    """Return the variables of a body, and of other expressions, that no positive literal binds."""
    atoms = [literal.atom for literal in body if literal.positive and name_of(literal.atom) != "distinct"]
    bound = {variable for atom in atoms for variable in variables_of(atom)}
    every = (*heads, *(literal.atom for literal in body))
    return [variable for each in every for variable in variables_of(each) if variable not in bound]


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
        name = name_of(literal.atom)
        if name in ("init", "sees", *IGNORED) or (name == "next" and defined(rule.place) != "sees"):
            valid = "; valid: `next` in a rule for `sees`" if name == "next" else ""
            raise refuse(f"`{name}` stands in the body of a rule{valid}")
    for variable in _free(rule.body, rule.head):
        raise refuse(
            f"unsafe rule: {variable} is in no positive literal of the body; valid: variables that a condition other "
            "than `not` and `distinct` has, or that are inside one `not` alone"
        )


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
