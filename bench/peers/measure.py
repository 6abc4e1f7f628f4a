"""Interleaved measurements of the other packages and of Playout, and their results."""

from statistics import median

from bots.benchmark.machine import describe_machine
from bots.benchmark.result_file import Result, ResultFile
from bots.system.affinity import set_affinity, share_of_cpus

from . import ours
from .environments import NoPeerError, interpreter_with
from .peer import Peer, load_adapter

SHORT_DIVISOR = 100


def pin():
    """Restrict this process and those that it starts to one processor. Return False if the system cannot."""
    last = share_of_cpus(0, 1)[-1:]
    set_affinity(last)
    return bool(last)


class Comparison:
    """One case of one package, and the times of both sides.

    Args:
        peer: the running package.
        case: a key of its cases.
        divisor: of the number of simulations.
    """

    def __init__(self, peer, case, divisor=1):
        facts = peer.cases[case]
        self.peer, self.case, self.same, self.work = peer, case, facts["same"], facts["ours"]
        self.count = max(10, facts["count"] // divisor)
        self.unit = "playouts" if self.work.startswith("playouts") else "simulations"
        self.times = ours.times_for(self.work, self.count)
        self.our_seconds, self.their_seconds = [], []

    @property
    def name(self):
        """Name of the case in results."""
        return f"{self.peer.package}: {self.case}"

    def warm_up(self):
        """Do a tenth of the work once on both sides, without a measurement. Raises NoPeerError."""
        ours.seconds(self.work, self.count, 1)
        self.peer.seconds(self.case, max(1, self.count // 10), ours.EXPLORATION)

    def measure(self, ours_first):
        """Measure both sides once, one after the other. Raises NoPeerError."""
        for mine in (ours_first, not ours_first):
            if mine:
                self.our_seconds.append(ours.seconds(self.work, self.count, self.times))
            else:
                self.their_seconds.append(self.peer.seconds(self.case, self.count, ours.EXPLORATION))

    def ratios(self):
        """Return Playout's rate over the other one, for each measurement."""
        pairs = zip(self.our_seconds, self.their_seconds, strict=True)
        return [theirs * self.times / mine for mine, theirs in pairs]

    def results(self):
        """Return the results of both sides."""
        labels = {"package": f"{self.peer.package} {self.peer.version}", "same": self.same, "work": self.work}
        mine = tuple((time,) for time in self.our_seconds)
        theirs = tuple((time,) for time in self.their_seconds)
        return [
            Result(f"peers/{self.name}", self.unit, self.count, theirs, {}, labels),
            Result(f"beside/{self.name}", self.unit, self.count * self.times, mine, {}, labels),
        ]

    def line(self, width):
        """Return the medians as a line of text."""
        ratios = self.ratios()
        theirs = self.count / median(self.their_seconds)
        mine = self.count * self.times / median(self.our_seconds)
        spread = f"{min(ratios):.2f}-{max(ratios):.2f}"
        return f"{self.name:{width}}  {theirs:13,.0f}  {mine:13,.0f}  {median(ratios):7.2f}  {spread}"


def start(names, folder, tell):
    """Install and start packages, and return those that run. For the others, `tell` receives the reason.

    Args:
        names: names of adapters.
        folder: folder of the environments.
        tell: function that is called with remarks.
    """
    running = []
    for name in names:
        adapter = load_adapter(name)
        try:
            running.append(Peer(adapter, interpreter_with(adapter.REQUIREMENTS, folder)))
        except NoPeerError as reason:
            tell(f"{name} is not measured: {reason}")
    return running


def compare(peers, passes, short, tell):
    """Return the comparisons, measured in interleaved passes. `tell` is called for packages that fail."""
    found = [Comparison(peer, case, SHORT_DIVISOR if short else 1) for peer in peers for case in peer.cases]
    for number in range(passes):
        for comparison in found:
            if comparison.peer in peers:
                try:
                    if number == 0:
                        comparison.warm_up()
                    comparison.measure(number % 2 == 0)
                except NoPeerError as reason:
                    tell(f"{comparison.name} is not measured: {reason}")
                    peers = [peer for peer in peers if peer is not comparison.peer]
        found = [comparison for comparison in found if comparison.peer in peers]
        tell(f"pass {number + 1} of {passes}")
    return found


def result_file(comparisons, command):
    """Return the results as they are stored."""
    results = [result for comparison in comparisons for result in comparison.results()]
    return ResultFile(command, describe_machine(), tuple(results))
