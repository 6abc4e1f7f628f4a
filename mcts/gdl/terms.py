"""Ground terms as whole numbers: equal terms have equal numbers."""

from __future__ import annotations

from cext.gdl.joins import Joins

from ..errors import RulesheetError
from .parser import Expression

MAX_DEPTH = 24
MAX_TERMS = 4_000_000


class Terms:
    """The table of all ground terms of a rulesheet."""

    def __init__(self, joins: Joins) -> None:
        self.joins = joins

    def number(self, functor: str, arguments: tuple[int, ...] = ()) -> int:
        """Return the number of a term."""
        found = self.joins.term(self.joins.functor(functor, len(arguments)), arguments)
        if found < 0:
            raise RulesheetError(
                f"the term `{functor}` is nested too deeply, or there are too many; "
                f"valid: {MAX_DEPTH} levels, {MAX_TERMS:,} terms"
            )
        return found

    def number_of(self, expression: Expression) -> int:
        """Return the number of an expression without variables."""
        if isinstance(expression, str):
            return self.number(expression)
        return self.number(str(expression[0]), tuple(self.number_of(part) for part in expression[1:]))

    def text(self, term: int) -> str:
        """Return a term as text, as in `mark(2,3)`."""
        functor, arguments = self.joins.parts(term)
        if not arguments:
            return functor
        return f"{functor}({','.join(map(self.text, arguments))})"

    def value(self, term: int) -> int | None:
        """Return the whole number that a constant is the text of, else None."""
        functor, arguments = self.joins.parts(term)
        return int(functor) if not arguments and functor.isdecimal() and len(functor) <= 9 else None
