"""The contents of cells: the blank one, the role to which each belongs, and its mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...pictures.parts import PIECES, Mark
from .grids import Area, Layer, read_hints
from .relations import Values

_BLANKS = frozenset(
    ["blank", "empty", "none", "nothing", "free", "emp", "clear", "unmarked", "vacant", "noone", "nobody", "nil"]
)
_SHORT_BLANK = "b"
"""A word that means a blank cell if no player has this letter first."""
_COLORS = {
    "white": "white", "black": "black", "red": "red", "blue": "blue", "green": "green", "orange": "orange",
    "purple": "purple", "yellow": "yellow", "gray": "gray", "grey": "gray", "pink": "purple",
    "magenta": "purple", "teal": "green", "cyan": "blue",
}  # fmt: skip
_PLAYER_COLORS = ("blue", "orange", "green", "purple", "red", "yellow", "gray")
_PLAYER_SHAPES = ("disc", "diamond", "z", "o", "x", "disc", "diamond")
_LETTER_MARKS = {"x": Mark("x", "blue"), "o": Mark("o", "orange"), "z": Mark("z", "green")}
_PIECE_LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_MEN = frozenset(["", "p", "m", "pawn", "man", "checker", "piece", "soldier", "s"])
_KINGS = frozenset(["k", "king"])
_BLOCKS = frozenset([
    "wall", "block", "blocked", "burned", "burnt", "arrow", "rock", "barrier", "obstacle", "brick", "hole", "fire",
    "drawn", "line", "edge",
])  # fmt: skip
_FEATURES: dict[str, dict[str, Any]] = {
    "tall": {"scale": 1.45}, "high": {"scale": 1.45}, "big": {"scale": 1.45}, "large": {"scale": 1.45},
    "short": {"scale": 0.85}, "low": {"scale": 0.85}, "small": {"scale": 0.85},
    "round": {"shape": "disc"}, "square": {"shape": "square"}, "solid": {"is_hollow": False},
    "hollow": {"is_hollow": True}, "dark": {"color": "black"}, "light": {"color": "white"},
    **{word: {"color": color} for word, color in _COLORS.items()},
}  # fmt: skip
"""Word in the name of a piece such as `tall-dark-round-solid` -> the fields of its mark."""
_INITIALS = re.compile(r"(?<![a-z])[a-z]|[A-Z]|\d+")
"""First letters of words, and numbers, as in `bE` for `blockedEast`."""
_LONGEST_SHORT = 4
_LONGEST_CODE = 2
"""Letters of contents that are their own symbols."""


class Contents:
    """The marks of a rulesheet.

    Args:
        roles: names of the players.
        areas: the boards.
        fields: fields of the head of the file, of which `blank` and `pieces` are read.
    """

    def __init__(self, roles: Sequence[str], areas: Sequence[Area], fields: Mapping[str, str]) -> None:
        self._roles = tuple(roles)
        self._flags = {
            id(layer)
            for area in areas
            for layer in area.layers
            if not (layer.contents or layer.relation.name in PIECES) and any(other.contents for other in area.layers)
        }
        layers = [layer for area in areas for layer in area.layers]
        named = frozenset(fields.get("blank", "").replace(",", " ").split())
        self._blanks = {id(layer): _blank_words(layer, named, self._roles) for layer in layers}
        shown = [
            (layer, content)
            for layer in layers
            for content in dict.fromkeys(map(layer.content, layer.relation.universe))
            if not self.is_blank(layer, content)
        ]
        self._num_shown = Counter(id(layer) for layer, _ in shown)
        words = dict.fromkeys(word for _, content in shown for word in content)
        self._owners = _owners(self._roles, list(words), read_hints(fields.get("pieces", "")))
        self._kinds = frozenset(self._kind(content) for _, content in shown if self.owner(content) is not None)
        self.role_marks = tuple(self._role_mark(number) for number in range(len(roles)))
        made = {(id(layer), content): self._make(layer, content) for layer, content in shown}
        letters = {PIECES[piece]: letter for letter, piece in _PIECE_LETTERS.items()}
        symbols = _symbols({mark.name: letters.get(mark.shape, "") for mark in made.values()})
        self._made = {}
        for key, mark in made.items():
            symbol = symbols[mark.name]
            text = mark.name if len(mark.name) <= _LONGEST_SHORT else symbol
            self._made[key] = replace(mark, shape=mark.shape or text, symbol=symbol)
        plain = {(mark.shape, mark.color): mark.symbol for mark in reversed(self._made.values())}
        self.role_marks = tuple(
            replace(mark, symbol=plain.get((mark.shape, mark.color), "")) for mark in self.role_marks
        )

    def is_blank(self, layer: Layer, content: Values) -> bool:
        """Return True if a content means that the cell is blank."""
        return not self._blanks[id(layer)].isdisjoint(content)

    def is_flag(self, layer: Layer, content: Values) -> bool:
        """Return True for a fact that says something about a cell, beside what lies on it."""
        return id(layer) in self._flags and self.owner(content) is None and _plain(" ".join(content)) not in _BLOCKS

    def owner(self, content: Values) -> int | None:
        """Return the player of a content, if the rules tell."""
        return next((self._owners[word] for word in content if word in self._owners), None)

    def mark(self, layer: Layer, content: Values) -> Mark:
        """Return the mark of a content that is not blank."""
        return self._made[id(layer), content]

    def _role_mark(self, player: int) -> Mark:
        """Return the mark of a player."""
        role = self._roles[player]
        own = [word.lower() for word, owner in self._owners.items() if owner == player and len(word) == 1]
        for letter in [_stem(role), *own]:
            if letter in _LETTER_MARKS:
                return replace(_LETTER_MARKS[letter], name=role)
        color = _color_in(role)
        if color is None:
            taken = {_color_in(role) for role in self._roles}
            free = [color for color in _PLAYER_COLORS if color not in taken]
            color = free[player % len(free)] if free else "gray"
        shape = "disc" if color in ("black", "white") else _PLAYER_SHAPES[player % len(_PLAYER_SHAPES)]
        return Mark(shape, color, role)

    def _kind(self, content: Values) -> str:
        """Return a content without the word of its owner."""
        rest = []
        for word in content:
            kind = _plain(word)
            if word in self._owners:
                role = self._roles[self._owners[word]]
                kind = "" if kind == _stem(role) else kind.removeprefix(_plain(role)).removesuffix(_plain(role))
            rest.append(kind)
        return " ".join(word for word in rest if word)

    def _make(self, layer: Layer, content: Values) -> Mark:
        """Return the mark of a content, without a symbol; an empty shape is drawn as the symbol."""
        name = " ".join(content)
        owner, plain = self.owner(content), _plain(name)
        words = re.findall("[a-z]+", name.lower())
        if len(words) > 1 and all(word in _FEATURES for word in words):
            looks: dict[str, Any] = {"shape": "disc", "color": "gray"}
            for word in words:
                looks |= _FEATURES[word]
            return Mark(name=name, **looks)
        if owner is not None:
            own = self.role_marks[owner]
            return Mark(self._shape(self._kind(content), own.shape), own.color, name)
        if plain in _LETTER_MARKS:
            return replace(_LETTER_MARKS[plain], name=name)
        if plain in _BLOCKS:
            return Mark("block", "gray", name)
        if plain in _COLORS:
            return Mark("disc", _COLORS[plain], name)
        is_only = id(layer) not in self._flags and (
            not layer.contents or (self._blanks[id(layer)] and self._num_shown[id(layer)] == 1)
        )
        return Mark(PIECES.get(plain, "disc" if is_only else ""), "gray", name)

    def _shape(self, kind: str, own: str) -> str:
        """Return the shape of a kind of piece of a player with a shape; none for a text."""
        if self._kinds <= _MEN | _KINGS and not self._kinds.isdisjoint(_KINGS):
            return "crown" if kind in _KINGS else "disc"
        if not kind or (kind not in PIECES and len({*self._owners.values()}) in (len(self._owners), 0)):
            return own
        return PIECES.get(kind, own if len(self._kinds) == 1 else "")

    def symbols(self) -> dict[str, str]:
        """Return the text of each mark that is not its name -> its name."""
        return {mark.symbol: mark.name for mark in self._made.values() if mark.symbol != mark.name}

    def legend(self, most: int) -> tuple[Mark, ...]:
        """Return the marks whose meaning does not follow from the players; none if they are too many."""
        plain = {(mark.shape, mark.color) for mark in self.role_marks}
        found = dict.fromkeys(
            mark
            for mark in self._made.values()
            if (mark.shape, mark.color) not in plain and mark.name != mark.shape and mark.shape not in PIECES.values()
        )
        return tuple(found) if len(found) <= most else ()


def _plain(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())


def _stem(role: str) -> str:
    """Return a role without `player` at one end."""
    return _plain(role).removesuffix("player").removeprefix("player")


def _color_in(role: str) -> str | None:
    """Return the color that a role names."""
    return next((color for word, color in _COLORS.items() if word in _plain(role)), None)


def _blank_words(layer: Layer, named: frozenset[str], roles: Sequence[str]) -> frozenset[str]:
    """Return the words for a blank cell: those of the head, or well-known ones."""
    words = {word for values in layer.relation.universe for word in layer.content(values)}
    found = words & named or {word for word in words if _plain(word) in _BLANKS}
    if not found and _SHORT_BLANK not in {_plain(role)[:1] for role in roles}:
        found = words & {_SHORT_BLANK}
    return frozenset(found)


def _symbols(names: Mapping[str, str]) -> dict[str, str]:
    """Return name of a content -> a text that no other has, as short as possible; names of a few letters stay.

    Args:
        names: name of a content -> the letter of a piece of chess, or nothing.
    """
    if all(len(name) <= _LONGEST_CODE for name in names):
        return {name: name for name in names}
    for length in range(1, _LONGEST_SHORT + 1):
        found = {name: name[:length] for name in names}
        if len(set(found.values())) == len(found):
            return found
    made: dict[str, str] = {}
    taken = set[str]()
    for name in names:
        initials = "".join(_INITIALS.findall(name))
        choices = [
            name[:1] + names[name] if names[name] else initials,
            *(name[:length] for length in range(1, _LONGEST_SHORT + 1)),
        ]
        free = [each for each in choices if 0 < len(each) <= _LONGEST_SHORT and each not in taken]
        made[name] = free[0] if free else name[:_LONGEST_SHORT]
        taken.add(made[name])
    return made


def _owners(roles: Sequence[str], words: Sequence[str], hints: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return word -> player, for the words on cells that belong to one.

    Args:
        roles: names of the players.
        words: the words.
        hints: name of a player -> words that belong to it; all others belong to the player whose name they contain.
    """
    found: dict[str, int] = {}
    for word in words:
        plain = _plain(word)
        same = [player for player, role in enumerate(roles) if plain in (_plain(role), _stem(role))]
        inside = [player for player, role in enumerate(roles) if role and _plain(role) in plain]
        named = [player for player, role in enumerate(roles) if word in hints.get(role, ())]
        if named or (not plain.isdigit() and len(same or inside) == 1):
            found[word] = (named or same or inside)[0]
    return found
