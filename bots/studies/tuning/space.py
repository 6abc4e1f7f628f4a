"""Tuned parameters with their ranges and options, from a text such as `exploration=0.05..2:log,playout`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from cext.parameters import valid_parameters
from cext.spec import format_value
from mcts import Game, ParameterError, PlayoutError
from mcts.parameters import Choice, Flag, Integer, Parameter, Real

from ...base import Bot
from ...search_bot import SearchBot

Setting = dict[str, Any]
"""A value for each tuned parameter, by name."""

DEFAULT_FACTOR = 8.0
"""A number above 0 that is named without a range is tuned between its value divided and multiplied by this factor."""
UNSET = "default"
"""Option that leaves a parameter out whose default depends on the game."""
MOST_COMBINATIONS = 256
"""Number of combinations of options up to which all of them are tried before the first game."""

_ITEM = re.compile(r"\s*(?P<name>[^=\s]+)\s*(?:=\s*(?P<values>[^\s]+)\s*)?")
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>.+?)(?P<log>:log)?")


@dataclass(frozen=True)
class Range:
    """A numeric parameter. Its *unit* is the place of a value in the range, from 0 to 1."""

    name: str
    low: float
    high: float
    whole: bool
    """True for whole numbers."""
    log: bool
    """True if equal steps multiply the value by equal factors."""

    def value(self, unit: float) -> float | int:
        """Return the value at a unit."""
        if self.log:
            found = math.exp(math.log(self.low) + unit * math.log(self.high / self.low))
        else:
            found = self.low + unit * (self.high - self.low)
        found = min(max(found, self.low), self.high)
        return round(found) if self.whole else float(f"{found:.4g}")

    def unit(self, value: float) -> float:
        """Return the unit of a value."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def least_step(self, unit: float) -> float:
        """Return the step at a unit below which two whole numbers may be rounded to the same one; 0 for reals."""
        if not self.whole:
            return 0.0
        slope = self.value(unit) * math.log(self.high / self.low) if self.log else self.high - self.low
        return min(0.5, 0.5 / slope)

    @property
    def text(self) -> str:
        """The range as in `--over`."""
        return f"{self.name}={self.low:g}..{self.high:g}{':log' if self.log else ''}"


@dataclass(frozen=True)
class Options:
    """A parameter with a list of values."""

    name: str
    values: tuple[Any, ...]

    @property
    def text(self) -> str:
        """The options as in `--over`."""
        return f"{self.name}={'|'.join(map(value_text, self.values))}"


def value_text(value: Any) -> str:
    """Return a value as in a spec; `default` for one that is not set."""
    return UNSET if value is None else format_value(value)


@dataclass(frozen=True)
class Space:
    """All tuned parameters of a bot."""

    bot: Bot
    """The bot whose other parameters stay."""
    own: Setting
    """The values of its parameters, with which the search begins."""
    ranges: tuple[Range, ...]
    options: tuple[Options, ...]

    @property
    def parts(self) -> tuple[Range | Options, ...]:
        """All parameters, numbers first."""
        return (*self.ranges, *self.options)

    @property
    def text(self) -> str:
        """Canonical text of the space, as in `--over`."""
        return ",".join(part.text for part in self.parts)

    @property
    def start(self) -> Setting:
        """Start of the search: the values of the bot, or the middle of a range."""
        own = self.own
        numbers = {part.name: own[part.name] if own[part.name] is not None else part.value(0.5) for part in self.ranges}
        return {**numbers, **{part.name: own[part.name] for part in self.options}}

    @property
    def given(self) -> Setting:
        """The values that the bot itself has; None for a number that it has not."""
        return {part.name: self.own[part.name] for part in self.parts}

    def spec(self, setting: Mapping[str, Any]) -> str:
        """Return the canonical spec of the bot with a setting. A default of the bot that stays is not written out."""
        unset = {name for name, value in self.bot.parameters.items() if value is None}
        changes = {name: value for name, value in setting.items() if name not in unset or value != self.own[name]}
        return self.bot.changed(changes).spec

    def check(self, game: Game) -> None:
        """Start a game with both ends of all ranges and every combination of options; with each option if these are
        too many.

        Raises:
            ParameterError: two parameters do not go together, or the bot does not read one in this game.
        """
        start = {part.name: self.own[part.name] for part in self.options}
        if math.prod(len(part.values) for part in self.options) <= MOST_COMBINATIONS:
            chosen = [dict(zip(start, values, strict=True)) for values in product(*(p.values for p in self.options))]
        else:
            chosen = [{**start, part.name: value} for part in self.options for value in part.values]
        ends = [{part.name: part.value(end) for part in self.ranges} for end in (0.0, 1.0)[: 1 + bool(self.ranges)]]
        for options, numbers in product(chosen, ends):
            changed = self.bot.changed({**options, **numbers})
            if (reason := _refusal(changed, game)) is not None:
                raise ParameterError(f"--over: {changed.spec} cannot play {game.spec}: {reason}")


def _refusal(bot: Bot, game: Game) -> PlayoutError | None:
    """Return the error with which a bot refuses to begin a game, if it does."""
    try:
        bot.check_game(game)
        bot.new_game(game, 0, 0)
    except PlayoutError as error:
        return error
    finally:
        bot.close()
    return None


def own_values(bot: Bot, game: Game) -> Setting:
    """Return the parameters of a bot. Those that depend on the game have their values in it."""
    found = dict(bot.parameters)
    if isinstance(bot, SearchBot):
        chosen = bot.searcher_for(game, found.get("memory_mb")).parameters
        found |= {name: chosen.get(name) for name, value in found.items() if value is None}
    return found


def parse_space(text: str, bot: Bot, game: Game) -> Space:
    """Return the space that a text describes.

    Args:
        text: parameters separated by commas: `name=LOW..HIGH`, with `:log` for a logarithmic scale; `name=A|B|C`; or
            `name` alone for all options that go with the game, or for numbers around the value of the bot.
        bot: the bot with these parameters.
        game: the game, on which some defaults depend.

    Raises:
        ParameterError: a parameter is unknown or occurs twice, a value is not valid, or the own value of the bot is
            not in its range.
        UnsupportedGameError: the bot cannot play the game.
    """
    bot.check_game(game)
    starts = own_values(bot, game)
    ranges: list[Range] = []
    options: list[Options] = []
    for item in text.split(","):
        found = _ITEM.fullmatch(item)
        if found is None:
            raise _error(item, "valid: name=LOW..HIGH, name=LOW..HIGH:log, name=A|B|C, or a name alone")
        name, values = found["name"], found["values"]
        if name not in bot.PARAMETERS:
            raise _error(name, f"{bot.name} has no such parameter; {valid_parameters(name, bot.PARAMETERS)}")
        if any(name == part.name for part in ranges) or any(name == part.name for part in options):
            raise _error(name, "it is given twice; valid: each parameter once")
        kind, own = bot.PARAMETERS[name], starts[name]
        part = _declared(name, kind, own) if values is None else _given(name, values, kind)
        if values is None and isinstance(part, Options):
            part = Options(name, tuple(one for one in part.values if _refusal(bot.changed({name: one}), game) is None))
        if isinstance(part, Range):
            ranges.append(part)
            if own is not None and not part.low <= own <= part.high:
                raise _error(item, f"the bot begins at {name}={own:g}; valid: a range that contains it")
        else:
            options.append(part)
            if own not in part.values:
                valid = "options that contain it, or another --bot"
                raise _error(item, f"the bot begins at {name}={value_text(own)}; valid: {valid}")
    return Space(bot, starts, tuple(ranges), tuple(options))


def _declared(name: str, kind: Parameter, own: Any) -> Range | Options:
    """Return what a parameter without values is tuned over."""
    unset = (None,) if own is None else ()
    if isinstance(kind, Choice):
        return Options(name, (*unset, *kind.options))
    if isinstance(kind, Flag):
        return Options(name, (*unset, False, True))
    if not isinstance(kind, Integer | Real):
        raise _error(name, f"it is a text; valid: its texts, {name}=A|B")
    if own is None:
        raise _error(name, f"the bot has no value of it; valid: a range, {name}=LOW..HIGH")
    if own <= 0:
        return Range(name, kind.low, kind.high, isinstance(kind, Integer), False)
    low, high = max(own / DEFAULT_FACTOR, kind.low), min(own * DEFAULT_FACTOR, kind.high)
    if isinstance(kind, Integer):
        low, high = math.ceil(low), math.floor(high)
    if not low < high:
        raise _error(name, f"its only value near {own:g} is {own:g}; valid: a range, {name}=LOW..HIGH")
    return Range(name, low, high, isinstance(kind, Integer), low > 0)


def _given(name: str, values: str, kind: Parameter) -> Range | Options:
    found = _RANGE.fullmatch(values)
    if found is not None and isinstance(kind, Integer | Real):
        low, high = (kind.read(f"--over: {name}", found[end]) for end in ("low", "high"))
        assert low is not None
        assert high is not None
        log = found["log"] is not None
        if not low < high:
            raise _error(values, f"valid for {name}: LOW..HIGH with LOW below HIGH")
        if log and low <= 0:
            raise _error(values, f"a logarithmic range of {name} begins above 0; valid: a greater LOW, or no :log")
        return Range(name, low, high, isinstance(kind, Integer), log)
    read = [_option(name, text, kind) for text in values.split("|")]
    if len(read) < 2 or len(set(map(value_text, read))) < len(read):
        form = f"{name}=LOW..HIGH, or " if isinstance(kind, Integer | Real) else ""
        raise _error(f"{name}={values}", f"valid: {form}two or more different values, {name}=A|B")
    return Options(name, tuple(read))


def _option(name: str, text: str, kind: Parameter) -> Any:
    if text == UNSET and kind.default is None:
        return None
    return kind.read(f"--over: {name}", text)


def _error(item: str, reason: str) -> ParameterError:
    return ParameterError(f"--over {item.strip()!r}: {reason}")
