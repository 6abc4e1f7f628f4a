"""The fixture `interleaved`: contestants whose rounds alternate, and who measure their own time."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Contestant:
    """One side of a comparison."""

    name: str
    """`group/case`, as in a file of results."""
    unit: str
    units: int
    run: Callable[[], float]
    """Do one round of `units` units, and return its time in seconds."""
    labels: dict = field(default_factory=dict)


class Interleaved:
    """Measures contestants in one pass.

    Args:
        session: collects the results.
        pass_number: number of the pass, from 0.
    """

    def __init__(self, session, pass_number):
        self.session = session
        self.pass_number = pass_number

    @property
    def short(self):
        """True in a smoke test, which needs tiny sizes and one round."""
        return self.session.short

    def __call__(self, contestants, rounds=2, warmup_rounds=1):
        """Run `rounds` rounds of every contestant in turns, in an order that is reversed after each round."""
        if self.short:
            rounds, warmup_rounds = 1, 0
        order = list(contestants)
        seconds = {each.name: [] for each in order}
        for number in range(-warmup_rounds, rounds):
            for each in order:
                taken = each.run()
                if number >= 0:
                    seconds[each.name].append(taken)
            order.reverse()
        for each in contestants:
            times = seconds[each.name]
            self.session.add_times(each.name, each.unit, each.units, self.pass_number, times, labels=each.labels)
