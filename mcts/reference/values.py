"""Values as the search counts them: whole numbers in units of 2^-30 of [0, 1]."""

import numpy as np

ONE = 1 << 30
"""Value 1."""
VALUE_UNIT = 1.0 / ONE
"""Value of one unit."""
PRUNED = np.float32(-1e9)
"""Mean of an arm that selection never takes again."""
