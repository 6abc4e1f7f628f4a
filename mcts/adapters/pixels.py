"""Pictures of states as arrays of pixels. Needs resvg_py, which draws SVG, and Pillow, which reads what it draws."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from cext.game.game import State, View

try:
    import resvg_py
    from PIL import Image
except ImportError as error:
    raise ImportError(
        f"render_mode='rgb_array' needs {error.name}, which is not installed: pip install 'playout[pixels]'"
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIZE = 512
_PAPER = "#ffffff"
"""Color around a picture."""


def pixels_of(state: State | View) -> NDArray[np.uint8]:
    """Return the picture of a state or view as an array of 512 rows, 512 columns and the values of red, green and blue.

    The picture stands in the middle: pictures of one game differ in height, but recorders of videos need one size.
    """
    png = resvg_py.svg_to_bytes(svg_string=state.to_svg(size=_SIZE), background=_PAPER)
    frame = Image.new("RGB", (_SIZE, _SIZE), _PAPER)
    with Image.open(io.BytesIO(png)) as picture:
        frame.paste(picture.convert("RGB"), ((_SIZE - picture.width) // 2, (_SIZE - picture.height) // 2))
    return np.asarray(frame)
