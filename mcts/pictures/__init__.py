"""Pictures of positions as SVG, and the parts of which a game builds its own.

`State.to_svg` and `View.to_svg` return pictures. A game describes itself as a `Picture` by overriding `Game.picture`.
"""

from .boards import Heat
from .charts import Bar, Group, bars_to_svg
from .facts import board_of, heading_of, last_marks, last_steps, legal_texts, seats_of
from .layout import draw
from .parts import Amounts, Board, Cell, Mark, Picture, Seat
from .positions import amounts_of, clicks_of, notation_of, picture_of, pieces_of, position_to_svg, read_action

__all__ = [
    "Amounts",
    "Bar",
    "Board",
    "Cell",
    "Group",
    "Heat",
    "Mark",
    "Picture",
    "Seat",
    "amounts_of",
    "bars_to_svg",
    "board_of",
    "clicks_of",
    "draw",
    "heading_of",
    "last_marks",
    "last_steps",
    "legal_texts",
    "notation_of",
    "picture_of",
    "pieces_of",
    "position_to_svg",
    "read_action",
    "seats_of",
]
