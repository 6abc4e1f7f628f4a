"""Terms as text, in the two notations: `mark(2,f(3))`, as actions and facts have it, and `(mark 2 (f 3))`, as KIF."""

from __future__ import annotations

import re

from .parser import Expression

IDLE = "noop"
"""The move of a role that does not act."""
CHOSEN_IDLE = "noop()"
"""Text of this move as an action of a player who chooses it."""
_OPENING = re.compile(r"([^(),]+)\(")


def term_text(term: Expression) -> str:
    """Return a term as text, as in `mark(2,3)`."""
    return term if isinstance(term, str) else f"{term[0]}({','.join(map(term_text, term[1:]))})"


def kif_text(expression: Expression) -> str:
    """Return an expression as KIF."""
    return expression if isinstance(expression, str) else f"({' '.join(map(kif_text, expression))})"


def kif_of_text(text: str) -> str:
    """Return the KIF of the text of a term or an action: words contain no brackets and no commas."""
    return IDLE if text == CHOSEN_IDLE else _OPENING.sub(r"(\1 ", text).replace(",", " ")
