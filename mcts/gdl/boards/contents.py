"""The contents of cells: the blank one, the role to which each belongs, and its mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...pictures.parts import PIECES, SHAPES, Mark
from ..parser import Expression
from ..rules import OF_A_ROLE, Rule
from .grids import Area, Layer
from .relations import Values, split_term

_BLANKS = frozenset(
    ["blank", "empty", "none", "nothing", "free", "emp", "clear", "unmarked", "vacant", "noone", "nobody", "nil"]
)
_SHORT_BLANKS = frozenset(["b", "e", "d", "n", "s", "0"])
"""Words that mean a blank cell only if most cells have this content at the beginning."""
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
_WORD = re.compile(r"[A-Za-z]+|\d+")
_INITIALS = re.compile(r"(?<![a-z])[a-z]|[A-Z]|\d+")
"""First letters of words, and numbers, as in `bE` for `blockedEast`."""
_MORE_BLANK = 1.2
"""A short word means a blank cell if at least so many times as many cells have it as any other."""
_LONGEST_SHORT = 4
_LONGEST_CODE = 2
"""Letters of a piece whose first tells what it is; the second may tell two of a kind apart."""


def _plain(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower())


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
        words = dict.fromkeys(
            word for layer in layers for values in layer.relation.universe for word in layer.content(values)
        )
        self._blanks = {id(layer): self._blank_of(layer, named) for layer in layers}
        blanks = frozenset().union(*self._blanks.values()) if layers else frozenset()
        self._owners = _owners(self._roles, rules, [word for word in words if word not in blanks], layers)
        self._num_words = Counter(self._owners.values())
        self._first_letters: dict[int, set[str]] = {}
        for word, player in self._owners.items():
            self._first_letters.setdefault(player, set()).add(word[0].lower())
        self.role_marks = tuple(self._role_mark(number) for number in range(len(roles)))
        self._kinds = frozenset(
            self._kind(layer, content)
            for layer in layers
            for content in dict.fromkeys(layer.content(values) for values in layer.relation.universe)
            if not self.is_blank(layer, content) and self.owner(content) is not None
        )
        self._simple = [layer for layer in layers if self._is_simple(layer)]
        self._shorts: dict[str, str] = {}
        self._taken = set(SHAPES)
        self._made: dict[tuple[int, Values], Mark] = {}
        for layer in layers:
            for content in dict.fromkeys(layer.content(values) for values in layer.relation.universe):
                if not self.is_blank(layer, content):
                    self._made[id(layer), content] = self._make(layer, content)
        letters = {PIECES[piece]: letter for letter, piece in _PIECE_LETTERS.items()}
        symbols = _symbols({mark.name: letters.get(mark.shape, "") for mark in self._made.values()})
        for key, mark in self._made.items():
            symbol = symbols[mark.name]
            is_note = key[0] in self._flags and self.owner(key[1]) is None and mark.shape != "block"
            self._made[key] = replace(mark, shape=symbol if is_note else mark.shape, symbol=symbol)
        self.role_marks = tuple(
            replace(mark, symbol=symbols.get(self._plain_word(player), ""))
            for player, mark in enumerate(self.role_marks)
        )

    def _blank_of(self, layer: Layer, named: frozenset[str]) -> frozenset[str]:
        """Return the words that mean a blank cell."""
        words = {word for values in layer.relation.universe for word in layer.content(values)}
        found = {word for word in words if word in named}
        found = found or {word for word in words if _plain(word) in _BLANKS}
        if found or len(layer.contents) != 1:
            return frozenset(found)
        relation = layer.relation
        first = next(filter(None, relation.samples), [])  # a board may begin later than the game
        start = Counter(layer.content(values)[0] for values in (*first, *relation.always))
        if not start:
            return frozenset()
        word, count = start.most_common(1)[0]
        others = [other for other in words if other != word]
        least = max((start[other] for other in others), default=0) * _MORE_BLANK
        if word.lower() in _SHORT_BLANKS and count > least:
            return frozenset([word])
        for short in sorted(_SHORT_BLANKS & words):
            others = [other for other in words if other != short]
            is_alone = len(others) > 1 and not short.isdigit() and all(
                other.isdigit() or len(other) > 1 for other in others
            )  # fmt: skip
            if is_alone:
                return frozenset([short])
        is_total = relation.is_total(layer.coordinates)
        is_plain = word not in self._roles and not word.isdigit()
        return frozenset([word] if is_total and is_plain and 2 * count > start.total() else [])

    def is_blank(self, layer: Layer, content: Values) -> bool:
        """Return True if a content means that the cell is blank."""
        return not self._blanks[id(layer)].isdisjoint(content)

    def is_flag(self, layer: Layer, content: Values) -> bool:
        """Return True for a fact that says something about a cell, beside what lies on it."""
        return id(layer) in self._flags and self.owner(content) is None and self.mark(layer, content).shape != "block"

    def owner(self, content: Values) -> int | None:
        """Return the player of a content, if the rules tell."""
        for word in content:
            if word in self._owners:
                return self._owners[word]
        return None

    def _role_mark(self, player: int) -> Mark:
        """Return the mark of a player."""
        role = self._roles[player]
        plain = _plain(role)
        own = [word for word, owner in self._owners.items() if owner == player and len(word) == 1]
        for letter in [plain.removesuffix("player").removeprefix("player"), *(word.lower() for word in own)]:
            if letter in _LETTER_MARKS:
                return Mark(letter, _LETTER_MARKS[letter].color, role)
        color = next((color for word, color in _COLORS.items() if word in plain), None)
        taken = {found for role in self._roles for word, found in _COLORS.items() if word in _plain(role)}
        if color is None:
            free = [color for color in _PLAYER_COLORS if color not in taken]
            color = free[player % len(free)] if free else "gray"
        shape = "disc" if color in ("black", "white") else _PLAYER_SHAPES[player % len(_PLAYER_SHAPES)]
        return Mark(shape, color, role)

    def _kind(self, layer: Layer, content: Values) -> str:
        """Return a content without the word or the letters of its owner."""
        owner = self.owner(content)
        rest = []
        for word in content:
            if owner is None or self._owners.get(word) != owner:
                rest.append(word)
                continue
            plain, role = _plain(word), _plain(self._roles[owner])
            if plain in (role, role.removesuffix("player"), role.removeprefix("player")):
                continue
            short = plain.removeprefix(role).removesuffix(role)
            if short == plain and 1 < len(plain) <= _LONGEST_CODE + 1:
                is_first = plain[0] == role[0] or self._is_prefix(plain[0], owner)
                short = plain[1:] if is_first else plain[:-1] if plain[-1] == role[0] else plain
            elif short == plain and len(plain) == 1 and self._num_words[owner] == 1:
                short = ""
            rest.append(short)
        return " ".join(word for word in rest if word)

    def _plain_word(self, player: int) -> str:
        """Return the content that is the plain piece of a player."""
        return next((mark.name for mark in self._made.values() if mark.shape == self.role_marks[player].shape
                     and mark.color == self.role_marks[player].color), "")  # fmt: skip

    def _is_prefix(self, letter: str, owner: int) -> bool:
        """Return True for a letter with which all words of a player begin, and none of another player."""
        others = [letters for player, letters in self._first_letters.items() if player != owner]
        return self._first_letters[owner] == {letter} and not any(letter in letters for letters in others)

    def _is_simple(self, layer: Layer) -> bool:
        """Return True for a relation with a single content that is not blank."""
        contents = {layer.content(values) for values in layer.relation.universe}
        return len([content for content in contents if not self.is_blank(layer, content)]) == 1 < len(contents)

    def _role_color(self, letter: str) -> str | None:
        """Return the color of which a content is the first letter, if just one color in names of roles begins so."""
        colors = {word for word in _COLORS for role in self._roles if word in _plain(role)}
        found = [color for color in colors if color[0] == letter]
        return _COLORS[found[0]] if len(found) == 1 and len(colors) > 1 else None

    def mark(self, layer: Layer, content: Values) -> Mark:
        """Return the mark of a content that is not blank."""
        return self._made[id(layer), content]

    def _make(self, layer: Layer, content: Values) -> Mark:
        name = " ".join(content)
        owner = self.owner(content)
        if owner is not None:
            kind = self._kind(layer, content)
            own = self.role_marks[owner]
            shape = self._shape(kind) if kind else ""
            return Mark(shape or own.shape, own.color, name)
        plain = _plain(name)
        if plain in _LETTER_MARKS:
            return Mark(plain, _LETTER_MARKS[plain].color, name)
        if plain in _BLOCKS:
            return Mark("block", "gray", name)
        color = _COLORS.get(plain) or self._role_color(plain)
        if color:
            return Mark("disc", color, name)
        if plain not in PIECES and (not layer.contents or layer in self._simple):
            return Mark("disc", "gray", name)
        return Mark(PIECES.get(plain) or self._short(name), "gray", name)

    def _shape(self, kind: str) -> str:
        """Return the shape of a kind of piece."""
        plain = _plain(kind)
        if self._kinds <= _MEN | _KINGS and not self._kinds.isdisjoint(_KINGS):
            return "crown" if plain in _KINGS else "disc"
        if plain not in PIECES and (len(self._kinds) == 1 or max(self._num_words.values()) == 1):
            return ""
        letters = {each[:1] for each in self._kinds}
        if len(letters) > 1 and letters <= _PIECE_LETTERS.keys() and max(map(len, self._kinds)) <= _LONGEST_CODE:
            plain = _PIECE_LETTERS[plain[0]]
        return PIECES.get(plain) or self._short(kind)

    def _short(self, name: str) -> str:
        """Return a text of up to three letters that no other name has."""
        if name not in self._shorts:
            words = _WORD.findall(name) or [name]
            joined = "".join(words)
            choices = [name, joined, "".join(word[:1] for word in words), joined[:2], joined[:3]]
            choices += [joined[:1] + letter for letter in joined[1:]]
            fitting = [each for each in choices if 0 < len(each) <= _LONGEST_SHORT and each not in self._taken]
            self._shorts[name] = fitting[0] if fitting else joined[:_LONGEST_SHORT]
            self._taken.add(self._shorts[name])
        return self._shorts[name]

    def symbols(self) -> dict[str, str]:
        """Return the text of each mark that is not its name -> its name."""
        return {mark.symbol: mark.name for mark in self._made.values() if mark.symbol != mark.name}

    def legend(self, areas: Iterable[Area], most: int) -> tuple[Mark, ...]:
        """Return the marks whose meaning does not follow from the players; none if they are too many."""
        found: dict[Mark, None] = {}
        for area in areas:
            for layer in area.layers:
                for content in dict.fromkeys(layer.content(values) for values in layer.relation.universe):
                    if not self.is_blank(layer, content):
                        mark = self.mark(layer, content)
                        is_plain = any((own.shape, own.color) == (mark.shape, mark.color) for own in self.role_marks)
                        if not is_plain and mark.name != mark.shape and mark.shape not in PIECES.values():
                            found[mark] = None
                    if len(found) > most:
                        return ()
        return tuple(found)


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
    """Return word -> player, for the words on cells that belong to one."""
    plains = [_plain(role) for role in roles]
    found: dict[str, int] = {}
    for word in words:
        plain = _plain(word)
        for player, role in enumerate(plains):
            stem = role.removesuffix("player").removeprefix("player")
            if plain and plain in (role, stem) and not plain.isdigit():
                found[word] = player
    for word in words:
        matches = [p for p, role in enumerate(plains) if role and _plain(word) != role and role in _plain(word)]
        if word not in found and len(matches) == 1 and not _plain(word).isdigit():
            found[word] = matches[0]
    if len(roles) < 2:
        return found
    _add(found, _from_facts(roles, rules, words), words)
    letters = [role[:1] for role in plains]
    short = [word for word in words if word not in found and not word.isdigit()]
    if len(set(letters)) == len(letters):
        guess = {word: letters.index(word[0].lower()) for word in short if word[0].lower() in letters}
        if (
            len(guess) == len(short) <= 200
            and len({*guess.values(), *found.values()}) > 1
            and all(len(word) <= 3 for word in short)
        ):
            _add(found, guess, words)
    _add(found, _from_moves(roles, rules, layers), words)
    return found


def _add(found: dict[str, int], more: Mapping[str, int], words: Iterable[str]) -> None:
    for word in words:
        if word not in found and word in more:
            found[word] = more[word]


def _from_facts(roles: Sequence[str], rules: Sequence[Rule], words: Iterable[str]) -> dict[str, int]:
    """Return word -> player by facts such as `(owns white wp)`, which name a word always with the same player."""
    wanted = frozenset(words)
    found: dict[str, dict[str, set[int]]] = {}
    for rule in rules:
        if rule.body or isinstance(rule.head, str) or rule.head[0] in ("role", "init", "next"):
            continue
        _, constants = split_term(rule.head)
        players = {roles.index(word) for word in constants if word in roles}
        if len(players) == 1:
            for word in constants:
                if word in wanted and word not in roles:
                    found.setdefault(str(rule.head[0]), {}).setdefault(word, set()).update(players)
    owners: dict[str, int] = {}
    for linked in found.values():
        single = {word: next(iter(players)) for word, players in linked.items() if len(players) == 1}
        if len(set(single.values())) > 1 and len(single) == len(linked):
            owners.update(single)
    return owners


def _from_moves(roles: Sequence[str], rules: Sequence[Rule], layers: Sequence[Layer]) -> dict[str, int]:
    """Return word -> player by rules in which a move, a legal move or a goal of one player stands with the word."""
    forms = {layer.relation.form: layer for layer in layers}
    counts: dict[str, Counter[int]] = {}
    for rule in rules:
        atoms = [rule.head, *(literal.atom for literal in rule.body if literal.positive)]
        players = {roles.index(player) for atom in atoms for player in _players(atom) if player in roles}
        if len(players) != 1:
            continue
        player = next(iter(players))
        for atom in atoms:
            if isinstance(atom, str) or atom[0] not in ("true", "next"):
                continue
            form, terms = split_term(atom[1])
            if form not in forms:
                continue
            for word in forms[form].content(terms):
                counts.setdefault(word, Counter())[player] += 3 if atom[0] == "next" else 1
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
