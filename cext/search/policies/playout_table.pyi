from .policy import Policy

class PlayoutPolicy(Policy):
    def check(self) -> None: ...
