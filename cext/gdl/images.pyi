MOST_SYMMETRIES: int
MOST_INPUTS: int

class Images: ...
