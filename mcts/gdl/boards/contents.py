"""The contents of cells: the blank one, the role to which each belongs, and its mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...pictures.parts import PIECES, Mark
from ..parser import Expression
from ..rules import OF_A_ROLE, Rule, name_of
from .grids import Area, Layer
from .relations import Values, split_term

_BLANKS = frozenset(
    ["blank", "empty", "none", "nothing", "free", "emp", "clear", "unmarked", "vacant", "noone", "nobody", "nil"]
)
_SHORT_BLANKS = frozenset(["b", "e", "d"])
"""Words that mean a blank cell only if no other content is as frequent at the beginning."""
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
_WEIGHT_OF_FACT = 9
_LONGEST_SHORT = 4
_LONGEST_CODE = 2
"""Letters of a piece whose first tells what it is; the second may tell two of a kind apart."""


class Contents:
    """The marks of a rulesheet.

    Args:
        roles: names of the players.
        rules: the rules.
        areas: the boards.
        blank: words that the head of the file calls blank.
    """

    def __init__(self, roles: Sequence[str], rules: Sequence[Rule], areas: Sequence[Area], blank: str) -> None:
        self._roles = tuple(roles)
        self._flags = {
            id(layer)
            for area in areas
            for layer in area.layers
            if not (layer.contents or layer.relation.name in PIECES) and any(other.contents for other in area.layers)
        }
        layers = [layer for area in areas for layer in area.layers]
        named = frozenset(blank.replace(",", " ").split())
        self._blanks = {id(layer): _blank_words(layer, named, self._roles) for layer in layers}
        shown = [
            (layer, content)
            for layer in layers
            for content in dict.fromkeys(map(layer.content, layer.relation.universe))
            if not self.is_blank(layer, content)
        ]
        self._num_shown = Counter(id(layer) for layer, _ in shown)
        words = dict.fromkeys(word for _, content in shown for word in content)
        self._owners = _owners(self._roles, rules, list(words), layers)
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
        """Return a content without the word or the letter of its owner."""
        rest = []
        for word in content:
            kind = _plain(word)
            if word in self._owners:
                role = self._roles[self._owners[word]]
                short = kind.removeprefix(_plain(role)).removesuffix(_plain(role))
                if kind == _stem(role):
                    short = ""
                elif short == kind and len(kind) <= _LONGEST_CODE + 1:
                    owner = self._owners[word]
                    firsts = {other[0].lower() for other, player in self._owners.items() if player == owner}
                    is_first = kind[0] == _plain(role)[:1] or firsts == {kind[0]}
                    short = kind[1:] if is_first else kind[:-1] if len(kind) > 1 else kind
                kind = short
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
        letters = {each[:1] for each in self._kinds}
        if len(letters) > 1 and letters <= _PIECE_LETTERS.keys() and max(map(len, self._kinds)) <= _LONGEST_CODE:
            kind = _PIECE_LETTERS[kind[0]]
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
    """Return the words for a blank cell: those of the head, well-known ones, or that of most cells at the start."""
    relation = layer.relation
    words = {word for values in relation.universe for word in layer.content(values)}
    found = words & named or {word for word in words if _plain(word) in _BLANKS}
    if found or len(layer.contents) != 1:
        return frozenset(found)
    first = next(filter(None, relation.samples), [])  # a board may begin later than the game
    start = Counter(layer.content(values)[0] for values in (*first, *relation.always))
    ((word, count),) = start.most_common(1) or [("", 0)]
    letters = {word for word in words if len(word) == 1 and not word.isdigit()}
    if len(words) > 2 and len(letters) == 1 and letters <= _SHORT_BLANKS:
        return frozenset(letters)
    is_plain = word not in roles and not word.isdigit() and relation.is_total(layer.coordinates)
    return frozenset([word] if word in _SHORT_BLANKS or (is_plain and 2 * count > start.total()) else [])


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


def _owners(
    roles: Sequence[str], rules: Sequence[Rule], words: Sequence[str], layers: Sequence[Layer]
) -> dict[str, int]:
    """Return word -> player, for the words on cells that belong to one.

    Names of roles decide first, then first letters if they decide about all words, then the rules.
    """
    found: dict[str, int] = {}
    for word in words:
        plain = _plain(word)
        same = [player for player, role in enumerate(roles) if plain in (_plain(role), _stem(role))]
        inside = [player for player, role in enumerate(roles) if role and _plain(role) in plain]
        if not plain.isdigit() and len(same or inside) == 1:
            found[word] = (same or inside)[0]
    if len(roles) < 2:
        return found
    letters = [_plain(role)[:1] for role in roles]
    short = [word for word in words if word not in found and not word.isdigit()]
    guess = {word: letters.index(word[0].lower()) for word in short if word[0].lower() in letters}
    is_clear = len(set(letters)) == len(letters) and len({*guess.values(), *found.values()}) > 1
    if is_clear and len(guess) == len(short) and all(len(word) <= _LONGEST_CODE + 1 for word in short):
        found = guess | found
    owners = _from_rules(roles, rules, layers)
    return {word: owners[word] for word in words if word in owners} | found


def _from_rules(roles: Sequence[str], rules: Sequence[Rule], layers: Sequence[Layer]) -> dict[str, int]:
    """Return word -> player.

    Facts such as `(owns white wp)` decide, and rules in which a move, a legal move or a goal of one player stands with
    the word.
    """
    forms = {layer.relation.form: layer for layer in layers}
    counts: dict[str, Counter[int]] = {}
    for rule in rules:
        atoms = [rule.head, *(literal.atom for literal in rule.body if literal.positive)]
        is_fact = not rule.body and name_of(rule.head) not in ("role", "init", "next")
        named = (
            [word for word in split_term(rule.head)[1] if not word.isdigit()]
            if is_fact
            else [player for atom in atoms for player in _players(atom)]
        )
        players = {roles.index(word) for word in named if word in roles}
        if len(players) != 1:
            continue
        (player,) = players
        for word in named if is_fact else ():  # numbers in facts are coordinates
            counts.setdefault(word, Counter())[player] += _WEIGHT_OF_FACT
        for atom in atoms:
            form, terms = split_term(atom[1]) if name_of(atom) in ("true", "next") else ("", ())
            for word in forms[form].content(terms) if form in forms else ():
                counts.setdefault(word, Counter())[player] += 3 if name_of(atom) == "next" else 1
    owners = {}
    for word, votes in counts.items():
        best = votes.most_common(2)
        if len(best) == 1 or best[0][1] > 2 * best[1][1]:
            owners[word] = best[0][0]
    return owners if len(set(owners.values())) > 1 else {}


def _players(atom: Expression) -> Iterable[str]:
    """Yield the constant roles of an atom of a move, a goal, or the control of a player."""
    if isinstance(atom, str):
        return
    if atom[0] in OF_A_ROLE and isinstance(atom[1], str):
        yield atom[1]
    elif atom[0] == "true" and not isinstance(atom[1], str) and len(atom[1]) == 2 and isinstance(atom[1][1], str):
        yield atom[1][1]
