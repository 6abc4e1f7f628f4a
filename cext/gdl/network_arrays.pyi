from typing import Any

class NetworkArrays:
    def __init__(self, network: Any, max_steps: int) -> None: ...
