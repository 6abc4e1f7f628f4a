from os import PathLike

class Library:
    def __init__(self, path: str | PathLike[str]) -> None: ...
