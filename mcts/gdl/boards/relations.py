"""The fluents of a rulesheet as relations: a form such as `cell(_,_,_)` with the values of each place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..parser import Expression

_LEAF = re.compile(r"[^(),]+(?=[,)]|$)")
_NUMBER = re.compile(r"-?\d{1,9}")
_LEAST_LETTERS = 3
_MOST_GAPS = 3
"""Maximum ratio of a coordinate's span to its number of values."""

Values = tuple[str, ...]


def split(text: str) -> tuple[str, Values]:
    """Return the form of a ground term and its constants, as in `cell(at(_,_),_)` and `1`, `2`, `x`."""
    if "(" not in text:
        return text, ()
    return _LEAF.sub("_", text), tuple(_LEAF.findall(text))


def split_term(term: Expression) -> tuple[str, Values]:
    """Return the form of a term with variables, and its constants and variables."""
    if isinstance(term, str):
        return term, ()
    found: list[str] = []

    def form(part: Expression) -> str:
        if isinstance(part, str):
            found.append(part)
            return "_"
        return f"{part[0]}({','.join(map(form, part[1:]))})"

    made = f"{term[0]}({','.join(map(form, term[1:]))})"
    return made, tuple(found)


@dataclass
class Relation:
    """All fluents of one form."""

    form: str
    name: str
    universe: list[Values] = field(default_factory=list)
    """The constants of each fluent that can be true."""
    orders: dict[int, Values] = field(default_factory=dict)
    """Place -> its values in order, for those places whose values have one."""

    @property
    def width(self) -> int:
        """Number of places."""
        return len(self.universe[0])

    def values(self, place: int) -> dict[str, None]:
        """Return the values of a place, in the order of the fluents."""
        return dict.fromkeys(values[place] for values in self.universe)


def relations_of(fluents: Sequence[str]) -> dict[str, Relation]:
    """Return form -> relation, without orders, of the texts of fluents."""
    found: dict[str, Relation] = {}
    for text in dict.fromkeys(fluents):
        form, values = split(text)
        found.setdefault(form, Relation(form, form.partition("(")[0])).universe.append(values)
    return found


def in_order(values: Mapping[str, None], roles: Sequence[str]) -> Values | None:
    """Return numbers, or letters that follow each other, in order; None for other values, and for roles."""
    if len(values) < 2 or not values.keys().isdisjoint(roles):
        return None
    if all(_NUMBER.fullmatch(value) for value in values):
        numbers = sorted(values, key=int)
        span = int(numbers[-1]) - int(numbers[0]) + 1
        return tuple(numbers) if span <= _MOST_GAPS * len(numbers) else None
    letters = sorted(values)
    if len(values) >= _LEAST_LETTERS and all(len(value) == 1 and value.isalpha() for value in values):
        return tuple(letters) if ord(letters[-1]) - ord(letters[0]) == len(letters) - 1 else None
    return None
