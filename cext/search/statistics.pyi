from typing import NamedTuple

class ArmRow(NamedTuple):
    action: int
    visits: int
    value: float
    weight: float
    lower: float
    upper: float
