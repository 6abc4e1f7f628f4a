"""The game of a rulesheet: read, grounded and compiled when it is loaded."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from cext.game_info import GameInfo
from cext.gdl.game import NetworkGame
from cext.parameters import Integer, Parameter, Text, read_parameters

from .compiling import compile_network
from .errors import RulesheetError
from .grounding import ground
from .network import Network
from .parser import MAX_CHARACTERS
from .rules import check_roles, read_rules

PARAMETERS: dict[str, Parameter] = {
    "file": Text(None),
    "max_steps": Integer(1000, 1, 100_000),
    "seconds": Integer(60, 1, 3600),
}
MAX_INSTANCES = 10_000_000
CONSTANT_SUM = 100.0


@lru_cache(maxsize=8)
def load_network(text: str, seconds: int = 60) -> Network:
    """Return the network of a rulesheet, given as text.

    Args:
        text: the rulesheet.
        seconds: limit of the time in which the rules are grounded.

    Raises:
        RulesheetError: the rulesheet is not valid, or exceeds a limit.
    """
    rules = read_rules(text)
    check_roles(rules)
    return compile_network(ground(rules, seconds, MAX_INSTANCES))


def read_file(path: str) -> str:
    """Return the text of a rulesheet.

    Raises:
        RulesheetError: the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_CHARACTERS + 1)
        if len(data) > MAX_CHARACTERS:
            raise RulesheetError(f"{path} has more than {MAX_CHARACTERS:,} bytes, too many for a rulesheet")
        return data.decode("utf-8")
    except (OSError, ValueError) as error:
        raise RulesheetError(f"{path} cannot be read: {error}") from None


class RulesheetGame(NetworkGame):
    """A game that a file in the Game Description Language defines, `gdl(file=NAME.kif)`.

    Attributes:
        network: the network that the rulesheet was compiled to.
    """

    network: Network

    def __init__(self, **given: Any) -> None:
        parameters = read_parameters("gdl", PARAMETERS, given)
        path = parameters["file"]
        if path is None:
            raise RulesheetError("gdl needs a rulesheet; valid: gdl(file=NAME.kif)")
        text = read_file(path)
        try:
            self.network = load_network(text, parameters["seconds"])
        except RulesheetError as error:
            raise RulesheetError(f"{path}: {error}") from None
        info = GameInfo(
            name="gdl",
            summary=f"the rulesheet {Path(path).name}",
            players=self.network.roles,
            parameters=PARAMETERS,
            utility_sum=CONSTANT_SUM if self.network.constant_sum else None,
            rules=f"The rulesheet `{Path(path).name}` in the Game Description Language:\n\n```\n{text.strip()}\n```",
        )
        super().__init__(info, given, self.network, parameters["max_steps"])
