"""The state of a sequential test: the bots, the hypotheses, and the evidence so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..ratings.blocks import BlockCounts, pentanomial
from ..ratings.sprt import Sprt
from ..tournament.schedule import Tournament

Decision = Literal["accepted", "rejected", "undecided"]

ACCEPTED: Decision = "accepted"
"""H1 is accepted: the tested bot is better by elo1."""
REJECTED: Decision = "rejected"
"""H0 is accepted: the tested bot is better by no more than elo0."""
UNDECIDED: Decision = "undecided"


@dataclass(frozen=True)
class SequentialTest:
    """A test of the first bot of a tournament against the second, from the blocks counted so far."""

    tested: str
    """Label of the first bot."""
    against: str
    """Label of the second bot."""
    sprt: Sprt
    """Hypotheses, in Elo, and error rates."""
    pentanomial: tuple[int, int, int, int, int]
    """Blocks by the points of the first bot: 0, 1/2, 1, 3/2, 2."""
    llr: float
    """Log likelihood ratio of H1 to H0."""
    decision: Decision
    """`accepted` if H1 is accepted, `rejected` if H0 is, else `undecided`."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold."""
        return {
            "tested": self.tested,
            "against": self.against,
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "model": self.sprt.model,
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "pentanomial": list(self.pentanomial),
            "llr": round(self.llr, 4),
            "lower": round(self.sprt.lower, 4),
            "upper": round(self.sprt.upper, 4),
            "decision": self.decision,
        }

    def describe(self) -> str:
        """Return the bots and the hypotheses as a text."""
        sprt = self.sprt
        return (
            f"{self.tested} against {self.against}: H0 {sprt.elo0:g}, H1 {sprt.elo1:g} {sprt.model} Elo, "
            f"alpha {sprt.alpha:g}, beta {sprt.beta:g}"
        )

    def describe_state(self) -> str:
        """Return the log likelihood ratio with its bounds, the counts and the decision as a text."""
        counts = ", ".join(f"{count:,}" for count in self.pentanomial)
        meaning = {ACCEPTED: "accepted (H1)", REJECTED: "rejected (H0)", UNDECIDED: "undecided"}[self.decision]
        return (
            f"LLR {self.llr:.2f} ({self.sprt.lower:.2f} to {self.sprt.upper:.2f}), "
            f"pentanomial [{counts}] (blocks of 0, 1/2, 1, 3/2, 2 points): {meaning}"
        )


def sequential_test(tournament: Tournament, blocks: BlockCounts) -> SequentialTest | None:
    """Return the state of the test of a tournament from whole blocks; None if the tournament has no test."""
    sprt = tournament.sprt
    if sprt is None:
        return None
    counts = pentanomial(blocks, 0, 1)
    llr = sprt.llr(counts)
    verdict = sprt.verdict(llr)
    decision = UNDECIDED if verdict is None else ACCEPTED if verdict == "H1" else REJECTED
    first, second = tournament.labels
    return SequentialTest(first, second, sprt, counts, llr, decision)
