"""The rules of games as text: the pages of docs/games, which are installed with the package."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

from cext.game.game import Game
from cext.game.python_game import PythonGame
from cext.game_info import GameInfo

from .gdl.rulesheets import SUFFIX
from .registry import load_game

_INSTALLED = Path(__file__).parent / "rule_pages"
_PICTURE = re.compile(r"^(!\[[^\]]*\]\([^)]*\)|```\{living\}[^`]*```)\n\n?", re.MULTILINE)
_AFTER_RULES = "\n## Exact facts\n"
"""The heading of a page below which it is about good play, not about the rules."""
_ACTION = re.compile(r"([^(]*)(?:\((.*)\))?", re.DOTALL)
_AMOUNT = re.compile(r"(?:(\w+):)?(\d+)")
_IN_SOURCE = Path(__file__).parent.parent / "docs" / "games"
"""Where the pages are in a source tree that is built in place."""


def rules(game: Game | str) -> str:
    """Return the rules of a game as Markdown.

    For a built-in game it is the page of docs/games without its pictures, up to the facts about good play: rules,
    parameters, actions, returns, a position and an example game. For a rulesheet of the library it is its rules in
    words and its text, for another rulesheet its summary and its text. For other games it is `game.info.rules` (the
    class attribute `rules` of a `PythonGame`), else the docstring of the class, else the summary.

    Args:
        game: a game, or its name as `load_game` takes it.

    Raises:
        SpecError, UnknownGameError, GameLoadError, ParameterError: see `load_game`.
    """
    loaded = game if isinstance(game, Game) else load_game(game)
    kind = type(loaded)
    if kind.__module__.startswith("cext.games.") and not loaded.info.rules:
        return _page(loaded.name)
    written = loaded.info.rules or (inspect.getdoc(kind) if issubclass(kind, PythonGame) else None)
    return f"# {loaded.info.title or loaded.name}\n\n{(written or loaded.info.summary).strip()}\n"


def phrases_of(info: GameInfo) -> dict[str, str]:
    """Return kind of action -> its phrase, as in `GameInfo.phrases`, with that of a pass."""
    return {"pass": "passes", **info.phrases}


def said(info: GameInfo, action: str, notation: str | None = None) -> str:
    """Return an action as the words that follow the player, or as a sentence, which begins with a capital letter.

    Args:
        info: the description of the game, whose phrases are used; actions without a phrase are played.
        action: the text of the action.
        notation: its notation on the board; None: it has none.

    Example:
        >>> from mcts.game_rules import said
        >>> said(mcts.game_info("oh_hell"), "bid(2)"), said(mcts.game_info("dice_ttt"), "throw(2)")
        ('bids 2', 'The die shows 2')
    """
    found, phrases = _ACTION.fullmatch(action), phrases_of(info)
    kind, inner = found.groups("") if found else (action, "")
    arguments = inner.split(",")
    whole = notation or (", ".join(arguments) if kind in phrases else action)

    def word(place: re.Match[str]) -> str:
        name = place[1]
        if name in ("", "sum"):
            return (name and _sum_of(arguments)) or whole
        return arguments[int(name) - 1] if name.isdecimal() and 0 < int(name) <= len(arguments) else ""

    return re.sub(r"\{(\w*)\}", word, phrases.get(kind, "plays {}"))


def _sum_of(arguments: list[str]) -> str:
    """Return the sum of amounts, with the words after them or the places; empty for other arguments."""
    amounts = [found for one in arguments if (found := _AMOUNT.fullmatch(one))]
    total = sum(int(found[2]) for found in amounts)
    words = [f"with the {one}" for one in arguments if one and not _AMOUNT.fullmatch(one)]
    if words and not amounts:
        return ""
    places = ", ".join(found[0] for found in amounts if found[1])
    return " ".join([str(total), *words]) + (f" ({places})" if places else "")


def title_of(info: GameInfo) -> str:
    """Return the name of a game for people: its title, else its name in words.

    Example:
        >>> from mcts.game_rules import title_of
        >>> title_of(mcts.game_info("connect_four"))
        'Connect four'
    """
    if info.title:
        return info.title
    words = info.name.removesuffix(SUFFIX).rpartition(".")[2].replace("_", " ").strip()
    return words[:1].upper() + words[1:]


@cache
def _page(name: str) -> str:
    folder = _INSTALLED if _INSTALLED.is_dir() else _IN_SOURCE
    page = (folder / f"{name}.md").read_text(encoding="utf-8")
    return _PICTURE.sub("", page.partition(_AFTER_RULES)[0])
