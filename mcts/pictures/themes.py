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


@cache
def style_sheet(theme: str) -> str:
    """Return the rules of a theme, one of THEMES."""
    if theme == "auto":
        return f"{_rules('auto', 0)}@media(prefers-color-scheme:dark){{{_rules('auto', 1)}}}"
    return _rules(theme, THEMES.index(theme) - 1)


def _rules(theme: str, shade: int) -> str:
    rules = {name: (what, *shades) for name, (what, *shades) in _PLAIN.items()}
    for color, shades in _COLORS.items():
        rules[f"f-{color}"] = ("fill", *shades)
        rules[f"s-{color}"] = ("stroke", *shades)
    for color, shades in _TINTS.items():
        rules[f"t-{color}"] = ("fill", *shades)
    return "".join(f".po-{theme} .po-{name}{{{rule[0]}:{rule[1 + shade]}}}" for name, rule in rules.items())
