"""A picture as SVG text: shapes on a white card, which is legible on light and on dark pages."""

from __future__ import annotations

from html import escape

INK, MUTED, GRID, PAPER = "#1f2933", "#5b6875", "#b8c2cc", "#ffffff"
BLUE, ORANGE, GREEN, GOLD = "#1d5fa8", "#c2410c", "#2f7d4f", "#f5d67b"
SHADE = "#eef1f4"
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Picture:
    """A picture of a size in pixels.

    Args:
        width, height: size of the card.
        title: text for readers who do not see the picture.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str = PAPER, line: str = "none", **more: object
    ) -> None:
        """Draw a rectangle."""
        self._add("rect", x=x, y=y, width=w, height=h, fill=fill, stroke=line, **more)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: str = INK, width: float = 1, **more: object
    ) -> None:
        """Draw a line."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=color, stroke_width=width, **more)

    def circle(self, x: float, y: float, r: float, fill: str = "none", line: str = INK, width: float = 1) -> None:
        """Draw a circle."""
        self._add("circle", cx=x, cy=y, r=r, fill=fill, stroke=line, stroke_width=width)

    def path(self, d: str, color: str = INK, width: float = 1, fill: str = "none", **more: object) -> None:
        """Draw a path in the notation of SVG."""
        self._add("path", d=d, stroke=color, stroke_width=width, fill=fill, **more)

    def arrow(self, x1: float, y1: float, x2: float, y2: float, color: str = MUTED, width: float = 1.6) -> None:
        """Draw an arrow from one point to another."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
        base_x, base_y = x2 - 8 * along_x, y2 - 8 * along_y
        self.line(x1, y1, base_x, base_y, color, width)
        left = f"{_number(base_x - 4 * along_y)},{_number(base_y + 4 * along_x)}"
        right = f"{_number(base_x + 4 * along_y)},{_number(base_y - 4 * along_x)}"
        self.path(f"M{_number(x2)},{_number(y2)} L{left} L{right} Z", color, 0, color)

    def text(
        self, x: float, y: float, words: str, size: float = 13, color: str = INK, anchor: str = "start",
        bold: bool = False, mono: bool = False,
    ) -> None:  # fmt: skip
        """Write a line of text; y is its baseline."""
        weight = ' font-weight="600"' if bold else ""
        font = f' font-family="{MONO}"' if mono else ""
        self._parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" fill="{color}" '
            f'text-anchor="{anchor}"{weight}{font}>{escape(words)}</text>'
        )

    def mark(self, kind: str, x: float, y: float, size: float, color: str | None = None) -> None:
        """Draw a mark in a cell of a size with the center (x, y): x, o or z."""
        r = size * 0.27
        width = max(2.0, size * 0.075)
        if kind == "x":
            for sign in (1, -1):
                self.line(x - r, y - sign * r, x + r, y + sign * r, color or BLUE, width, stroke_linecap="round")
        elif kind == "o":
            self.circle(x, y, r * 1.08, "none", color or ORANGE, width)
        elif kind == "z":
            points = f"M{_number(x - r)},{_number(y + r * 0.85)} H{_number(x + r)} L{_number(x)},{_number(y - r)} Z"
            self.path(points, color or GREEN, width, stroke_linejoin="round")
        else:
            raise ValueError(f"no mark {kind!r}; valid: x, o, z")

    def to_text(self) -> str:
        """Return the file."""
        w, h = _number(self.width), _number(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" '
            f'font-family="{FONT}">'
        )
        card = (
            f'<rect x="0.5" y="0.5" width="{_number(self.width - 1)}" height="{_number(self.height - 1)}" rx="10" '
            f'fill="{PAPER}" stroke="#d8dee4"/>'
        )
        return "\n".join([head, f"<title>{escape(self.title)}</title>", card, *self._parts, "</svg>"]) + "\n"

    def _add(self, kind: str, **attributes: object) -> None:
        texts = [
            f'{name.replace("_", "-")}="{_number(value) if isinstance(value, int | float) else value}"'
            for name, value in attributes.items()
        ]
        self._parts.append(f"<{kind} {' '.join(texts)}/>")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
