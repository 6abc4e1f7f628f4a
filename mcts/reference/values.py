"""Values as the search counts them: whole numbers in units of 2^-30 of [0, 1]."""

from collections.abc import Iterable

import numpy as np

ONE = 1 << 30
"""Value 1."""
VALUE_UNIT = 1.0 / ONE
"""Value of one unit."""
PRUNED = np.float32(-1e9)
"""Mean of an arm that selection never takes again."""


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the sum, added one by one as in the kernel; `sum` is more exact in newer Pythons."""
    total = 0.0
    for number in numbers:
        total += number
    return total
