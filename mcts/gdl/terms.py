"""Ground terms as whole numbers: equal terms have equal numbers."""

from __future__ import annotations

from .errors import RulesheetError
from .parser import Expression

MAX_DEPTH = 24
MAX_TERMS = 4_000_000


class Terms:
    """The table of all ground terms of a rulesheet."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, tuple[int, ...]]] = []
        """Functor and arguments of each term; a constant has none."""
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}
        self._depths: list[int] = []

    def number(self, functor: str, arguments: tuple[int, ...] = ()) -> int:
        """Return the number of a term."""
        key = (functor, arguments)
        found = self._numbers.get(key)
        if found is None:
            depth = 1 + max((self._depths[part] for part in arguments), default=0)
            if depth > MAX_DEPTH:
                raise RulesheetError(
                    f"terms of `{functor}` grow without end: one is nested {depth} levels deep; valid: {MAX_DEPTH}"
                )
            found = self._numbers[key] = len(self.parts)
            if found >= MAX_TERMS:
                raise RulesheetError(f"more than {MAX_TERMS:,} different terms")
            self.parts.append(key)
            self._depths.append(depth)
        return found

    def number_of(self, expression: Expression) -> int:
        """Return the number of an expression without variables."""
        if isinstance(expression, str):
            return self.number(expression)
        return self.number(str(expression[0]), tuple(self.number_of(part) for part in expression[1:]))

    def text(self, term: int) -> str:
        """Return a term as text, as in `mark(2,3)`."""
        functor, arguments = self.parts[term]
        if not arguments:
            return functor
        return f"{functor}({','.join(map(self.text, arguments))})"

    def value(self, term: int) -> int | None:
        """Return the whole number that a constant is the text of, else None."""
        functor, arguments = self.parts[term]
        return int(functor) if not arguments and functor.isdecimal() and len(functor) <= 9 else None
