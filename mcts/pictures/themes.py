"""Colors of pictures, light and dark, as one style sheet.

Every rule begins with the class of its theme on the root of the picture, so that pictures of several themes and other
drawings on one page do not change each other. Programs without support for `prefers-color-scheme` show the light
colors.
"""

from __future__ import annotations

from functools import cache

THEMES = ("auto", "light", "dark")
"""`auto` follows the reader's settings (`prefers-color-scheme`)."""

_COLORS = {  # name: (light, dark)
    "blue": ("#1d5fa8", "#82b4f0"),
    "orange": ("#c2410c", "#f59a62"),
    "green": ("#24784a", "#69cf98"),
    "purple": ("#7b3aa3", "#cf9bf0"),
    "red": ("#c1312f", "#f58a80"),
    "gray": ("#59636f", "#a5afbc"),
}
_TINTS = {
    "blue": ("#d6e6f8", "#203a58"),
    "orange": ("#fbdfd0", "#4d2c1b"),
    "green": ("#d3ecdd", "#1c4230"),
    "purple": ("#ebdcf5", "#3e2650"),
    "red": ("#f9dad8", "#4f2524"),
    "gray": ("#e3e7ec", "#343b45"),
}
_PIECES = {
    "yellow": ("#b98a00", "#f0cf5a"),
    "white": ("#ffffff", "#f6f7f9"),
    "black": ("#1d2229", "#07090b"),
}
"""Further colors, of pieces."""
_LINES = {
    "white": ("#8a95a3", "#f6f7f9"),
    "black": ("#1d2229", "#59636f"),
}
"""Colors of lines, where those of areas are too near to the background."""
_PIECE_TINTS = {
    "yellow": ("#fbf0c4", "#4a3d12"),
    "white": ("#f8fafc", "#3d444d"),
    "black": ("#d5dae0", "#0f1216"),
}
_PLAIN = {  # class: (property, light, dark)
    "paper": ("fill", "#ffffff", "#16191e"),
    "edge": ("stroke", "#dfe3e8", "#2a2f37"),
    "ink": ("fill", "#1c242d", "#e8ebef"),
    "muted": ("fill", "#5b6673", "#9aa5b3"),
    "cell": ("fill", "#eff2f5", "#242a32"),
    "closed": ("fill", "#f5f7f9", "#1d2127"),
    "card": ("fill", "#f6f8fa", "#1d2228"),
    "acting": ("fill", "#e4edf9", "#22344b"),
    "offered": ("stroke", "#8fa0b3", "#66788d"),
    "last": ("stroke", "#d29a06", "#e2b23a"),
    "lastfill": ("fill", "#fdf1cb", "#453a1b"),
    "chosen": ("stroke", "#8438a8", "#d79bf2"),
    "coin": ("fill", "#f2c744", "#d8ab2c"),
    "coinedge": ("stroke", "#a97a08", "#f4d67c"),
    "heat": ("fill", "#8ccbc4", "#2c736d"),
    "strong": ("fill", "#1f8a80", "#4fb8ad"),
    "track": ("fill", "#f1f4f6", "#22272f"),
    "axis": ("stroke", "#c5ccd4", "#434b57"),
}
_RIM = ("stroke", "#5b6673", "#9aa5b3")


@cache
def style_sheet(theme: str, has_pieces: bool = False) -> str:
    """Return the rules of a theme, one of THEMES; with those of the colors of pieces if a picture has some."""
    if theme == "auto":
        return f"{_rules('auto', 0, has_pieces)}@media(prefers-color-scheme:dark){{{_rules('auto', 1, has_pieces)}}}"
    return _rules(theme, THEMES.index(theme) - 1, has_pieces)


def _rules(theme: str, shade: int, has_pieces: bool) -> str:
    rules = dict(_PLAIN)
    colors, tints = dict(_COLORS), dict(_TINTS)
    if has_pieces:
        rules["rim"] = _RIM
        colors |= _PIECES
        tints |= _PIECE_TINTS
    for color, shades in colors.items():
        rules[f"f-{color}"] = ("fill", *shades)
        rules[f"s-{color}"] = ("stroke", *_LINES.get(color, shades))
    for color, shades in tints.items():
        rules[f"t-{color}"] = ("fill", *shades)
    return "".join(f".po-{theme} .po-{name}{{{rule[0]}:{rule[1 + shade]}}}" for name, rule in rules.items())
