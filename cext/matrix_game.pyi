import numpy as np
from numpy.typing import ArrayLike, NDArray

def matrix_game(payoff: ArrayLike) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
