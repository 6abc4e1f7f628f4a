"""A drawing as SVG text. Colors are classes of the style sheet; all texts are escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from cext.arguments import shown

from .themes import THEMES, style_sheet

SIZES = (16, 10_000)
"""Least and greatest size of a picture in pixels."""
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_MOST_LABEL, _MOST_DESCRIPTION = 300, 4000
_UNSAFE = re.compile("[^ -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2028\u2029\u2066-\u2069]")
"""Characters that XML does not allow, other control characters, and marks that change the direction of text."""
_SPACES = dict.fromkeys(map(ord, "\t\n\r"), " ")
_LETTER = 0.6
"""Mean width of a letter, by the size of the font."""
_WIDE_LETTER = 0.62


def clean(text: str) -> str:
    """Return a text for XML on one line: escaped, and with U+FFFD for control characters."""
    return escape(_UNSAFE.sub("\ufffd", text.translate(_SPACES)))


def shortened(text: str, most: int) -> str:
    """Return a text cut to at most `most` letters, with an ellipsis if it was longer."""
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def fitting(text: str, width: float, size: float) -> str:
    """Return a text that fits into a width, if needed shortened with an ellipsis.

    Widths of letters are estimated: the fonts of readers differ.
    """
    return shortened(text, max(1, int(width / (size * _LETTER))))


def width_of(text: str, size: float) -> float:
    """Return the estimated width of a text."""
    return len(text) * size * _WIDE_LETTER


def check_look(size: float | None, theme: str) -> None:
    """Check the arguments that all pictures have. Raises ValueError, TypeError."""
    if theme not in THEMES:
        raise ValueError(f"no theme {shown(theme)}; valid: {', '.join(THEMES)}")
    if size is None:
        return
    if isinstance(size, bool) or not isinstance(size, (int, float)):
        raise TypeError(f"a size is a number of pixels or None, not {shown(size)}")
    if not SIZES[0] <= size <= SIZES[1]:
        raise ValueError(f"size {shown(size)} is out of range; valid: {SIZES[0]} to {SIZES[1]}, or None")


def number(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Canvas:
    """Shapes in the order in which they are drawn. Each is one line of the text.

    Args:
        label: name for screen readers, and tooltip.
        description: what the picture shows, for screen readers.
        theme: one of THEMES.
    """

    def __init__(self, label: str, description: str, theme: str) -> None:
        self._label, self._description = shortened(label, _MOST_LABEL), shortened(description, _MOST_DESCRIPTION)
        self._theme = theme
        self._has_pieces = False
        self._lines: list[str] = []
        self._open: list[str] | None = None

    def use_pieces(self) -> None:
        """Give the picture the colors of pieces."""
        self._has_pieces = True

    def rect(
        self, kind: str, x: float, y: float, width: float, height: float, *, corner: float = 0, line: float = 0
    ) -> None:
        """Draw a rectangle, with an outline if a line has a width; `kind` is its classes."""
        rounded = f' rx="{number(corner)}"' if corner else ""
        rounded += f' stroke-width="{number(line)}"' if line else ""
        self._add(
            f'<rect{_classes(kind)} x="{number(x)}" y="{number(y)}" width="{number(width)}" '
            f'height="{number(height)}"{rounded}/>'
        )

    def frame(
        self, kind: str, x: float, y: float, width: float, height: float, *, corner: float = 0, line: float = 2,
        dashes: str = "", shift: float = 0,
    ) -> None:  # fmt: skip
        """Draw the outline of a rectangle, inside of it. `dashes` is a pattern of SVG, which begins at `shift`."""
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        if shift:
            dashed += f' stroke-dashoffset="{number(shift)}"'
        self._add(
            f'<rect{_classes(kind)} x="{number(x + line / 2)}" y="{number(y + line / 2)}" '
            f'width="{number(width - line)}" height="{number(height - line)}" rx="{number(max(corner - line / 2, 0))}" '
            f'fill="none" stroke-width="{number(line)}"{dashed}/>'
        )

    def circle(self, kind: str, x: float, y: float, radius: float, *, line: float = 0, solid: bool = True) -> None:
        """Draw a circle."""
        stroke = f' stroke-width="{number(line)}"' if line else ""
        fill = "" if solid else ' fill="none"'
        self._add(f'<circle{_classes(kind)} cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{fill}{stroke}/>')

    def path(self, kind: str, data: str, *, line: float = 0, solid: bool = False) -> None:
        """Draw a path: filled, or with a width as a line; both if it is solid."""
        stroke = f' stroke-width="{number(line)}" stroke-linecap="round" stroke-linejoin="round"' if line else ""
        if line and not solid:
            stroke = f' fill="none"{stroke}'
        self._add(f'<path{_classes(kind)} d="{data}"{stroke}/>')

    def text(
        self, kind: str, x: float, y: float, words: str, size: float, *, anchor: str = "start", bold: bool = False,
        mono: bool = False, line: float = 0,
    ) -> None:  # fmt: skip
        """Write a line of text; y is its baseline. With a width of a line, the letters have an outline."""
        if not words:
            return
        placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
        weight = ' font-weight="600"' if bold else ""
        font = f' font-family="{MONO}" xml:space="preserve"' if mono else ""
        if line:
            font += f' stroke-width="{number(line)}" paint-order="stroke"'
        self._add(
            f'<text{_classes(kind)} x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{placed}{weight}{font}>'
            f"{clean(words)}</text>"
        )

    @contextmanager
    def group(self, kind: str = "", *, tip: str = "", **data: str) -> Iterator[None]:
        """Draw the shapes of a block as one group on one line.

        Args:
            kind: classes.
            tip: tooltip of the group.
            data: values of attributes `data-NAME`; empty ones are left out.
        """
        outer, self._open = self._open, []
        try:
            yield
        finally:
            inner, self._open = self._open, outer
        attributes = "".join(f' data-{name}="{clean(value)}"' for name, value in data.items() if value)
        title = f"<title>{clean(tip)}</title>" if tip else ""
        self._add(f"<g{_classes(kind)}{attributes}>{title}{''.join(inner)}</g>")

    def to_text(self, width: float, height: float, size: float | None, *, is_bare: bool = False) -> str:
        """Return the file.

        Args:
            width, height: of the drawing, in its own units.
            size: the longer side in pixels, or None: the picture fills the element that contains it.
            is_bare: True to leave out the background and the style sheet.
        """
        scaled = ""
        if size is not None:
            scale = size / max(width, height)
            scaled = f' width="{number(width * scale)}" height="{number(height * scale)}"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="po po-{self._theme}"{scaled} '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" font-family="{FONT}">'
        )
        card = (
            f'<rect class="po-paper po-edge" x="0.5" y="0.5" width="{number(width - 1)}" height="{number(height - 1)}" '
            'rx="14"/>'
        )
        if is_bare:
            return f"{head}<title>{clean(self._label)}</title>{''.join(self._lines)}</svg>"
        return "\n".join(
            [
                head,
                f"<title>{clean(self._label)}</title>",
                f"<desc>{clean(self._description)}</desc>",
                f"<style>{style_sheet(self._theme, self._has_pieces)}</style>",
                card,
                *self._lines,
                "</svg>",
            ]
        )

    def _add(self, shape: str) -> None:
        if self._open is None:
            self._lines.append(shape)
        else:
            self._open.append(shape)


def _classes(kind: str) -> str:
    words = " ".join(f"po-{word}" for word in kind.split())
    return f' class="{words}"' if words else ""
