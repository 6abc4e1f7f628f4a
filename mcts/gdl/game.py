"""The game of a rulesheet: read, grounded and compiled when it is loaded."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import Any, ClassVar

from cext.arguments import shown
from cext.parameters import read_parameters

from ..errors import RulesheetError
from ..primitives.failures import failures_named
from .compiling import compile_network
from .drawn_game import DrawnGame
from .grounding import ground
from .head import read_head
from .libraries import use_library
from .network import Network
from .rules import check_roles, read_rules
from .rulesheets import PARAMETERS, SHOWN_DIGITS, SUFFIX, digest_of, info_of, is_digest, library_rules, note

MAX_INSTANCES = 10_000_000
CONSTANT_SUM = 100.0


@lru_cache(maxsize=8)
def load_network(text: str, seconds: int = 60) -> Network:
    """Return the network of a rulesheet, given as text.

    Args:
        text: the rulesheet.
        seconds: limit of the time in which the text is read and compiled.

    Raises:
        RulesheetError: the rulesheet is not valid, or exceeds a limit.
    """
    begin = time.monotonic()
    try:
        rules = read_rules(text, begin + seconds)
    except TimeoutError:
        raise RulesheetError(f"the rules are not read after {seconds} seconds") from None
    check_roles(rules)
    return compile_network(ground(rules, seconds, MAX_INSTANCES, begin))


class RulesheetGame(DrawnGame):
    """A game that a text in the Game Description Language defines.

    Games are equal if their texts and parameters are. `spec` shows the name and the parameters that are changed, and
    for a file the first digits of the SHA-256 of its text; nothing shows where the file is.

    Args:
        text: the rulesheet.
        name: the name of the game. One that ends with `.kif` is that of a file.
        compiled: the network of the rulesheet, if it is compiled already.
        sha256: the SHA-256 that the text must have, or 16 or more of its first digits.
        given: parameters, `max_steps` and `seconds`.

    Attributes:
        network: the network that the rulesheet was compiled to.
        text: the rulesheet.
        head: what the comments at its head say.
        digest: the SHA-256 of the text, as 64 hexadecimal digits.

    Raises:
        RulesheetError: the rulesheet is not valid, exceeds a limit, or has another SHA-256.
        ParameterError: a parameter is unknown or out of range.
    """

    may_compile: ClassVar[bool] = True
    """False for games whose network is never compiled to machine code."""

    def __init__(
        self, text: str, name: str, /, compiled: Network | None = None, *, sha256: str | None = None, **given: Any
    ) -> None:
        if not isinstance(compiled, Network | None):
            given["compiled"] = compiled  # from a spec: refused as any other name
        parameters = read_parameters(name, PARAMETERS, given)
        head, digest = read_head(text), digest_of(text)
        if sha256 is not None and not (is_digest(sha256, SHOWN_DIGITS) and digest.startswith(sha256)):
            raise RulesheetError(f"{name} has the SHA-256 {digest}, not {shown(sha256)}")
        with failures_named(name, RulesheetError, RulesheetError):
            network = load_network(text, parameters["seconds"]) if compiled is None else compiled
        words = library_rules(name, text) or f"{head.summary}\n\n"
        info = info_of(
            name,
            head,
            network.roles,
            summary=head.summary or f"the rulesheet {name}",
            utility_sum=CONSTANT_SUM if network.constant_sum else None,
            rules=f"{words}{_fenced(text)}",
        )
        super().__init__(info, parameters, network, parameters["max_steps"])
        self.network, self.text, self._digest, self.head = network, text, digest, head
        note(self)
        if self.may_compile:
            use_library(self, network)
        changed = {key: parameters[key] for key, kind in PARAMETERS.items() if parameters[key] != kind.default}
        self.name_by(name, {"sha256": digest[:SHOWN_DIGITS], **changed} if name.endswith(SUFFIX) else changed)

    @property
    def digest(self) -> str:
        return self._digest

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and isinstance(other, RulesheetGame) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash((self.digest, self.parameters["max_steps"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.text, self.name, self.parameters)


def _fenced(text: str) -> str:
    """Return a rulesheet as a block of code of Markdown, which no line of it can end."""
    fence = "`" * max(3, *(1 + len(run) for run in re.findall("`+", text) or [""]))
    return f"{fence}lisp\n{text.strip()}\n{fence}"


def _restored(text: str, name: str, parameters: dict[str, Any]) -> RulesheetGame:
    return RulesheetGame(text, name, **parameters)
