"""The state of a sequential test: who is tested against whom, and what the results say by now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..ratings.blocks import BlockCounts, pentanomial
from ..ratings.sprt import Sprt
from ..tournament.schedule import Tournament

Decision = Literal["accepted", "rejected", "undecided"]

ACCEPTED: Decision = "accepted"
"""H1: the tested bot is better by elo1."""
REJECTED: Decision = "rejected"
"""H0: it is better by no more than elo0."""
UNDECIDED: Decision = "undecided"


@dataclass(frozen=True)
class SequentialTest:
    """A test of the first bot of a tournament against the second, by the blocks counted so far."""

    tested: str
    """Label of the first bot."""
    against: str
    """Label of the second bot."""
    sprt: Sprt
    """Hypotheses, in Elo, and error rates."""
    pentanomial: tuple[int, int, int, int, int]
    """Blocks by what the first bot scored: 0, 1/2, 1, 3/2, 2."""
    llr: float | None
    """Log likelihood ratio of H1 to H0; None where it cannot be worked out."""
    decision: Decision

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold."""
        return {
            "tested": self.tested,
            "against": self.against,
            "elo0": self.sprt.elo0,
            "elo1": self.sprt.elo1,
            "model": self.sprt.model,
            "alpha": self.sprt.alpha,
            "beta": self.sprt.beta,
            "pentanomial": list(self.pentanomial),
            "llr": None if self.llr is None else round(self.llr, 4),
            "lower": round(self.sprt.lower, 4),
            "upper": round(self.sprt.upper, 4),
            "decision": self.decision,
        }

    def describe(self) -> str:
        """Return who is tested against whom, for what."""
        sprt = self.sprt
        return (
            f"Test of {self.tested} against {self.against}: H0 {sprt.elo0:g}, H1 {sprt.elo1:g} {sprt.model} Elo, "
            f"alpha {sprt.alpha:g}, beta {sprt.beta:g}"
        )

    def describe_state(self) -> str:
        """Return the log likelihood ratio with its bounds, the counts and the decision."""
        llr = "not known" if self.llr is None else f"{self.llr:.2f}"
        counts = ", ".join(f"{count:,}" for count in self.pentanomial)
        meaning = {ACCEPTED: "accepted (H1)", REJECTED: "rejected (H0)", UNDECIDED: "undecided"}[self.decision]
        return (
            f"LLR {llr} ({self.sprt.lower:.2f} to {self.sprt.upper:.2f}), "
            f"pentanomial [{counts}] (blocks of 0, 1/2, 1, 3/2, 2 points): {meaning}"
        )


def sequential_test(tournament: Tournament, blocks: BlockCounts) -> SequentialTest | None:
    """The test of a tournament by whole blocks; None where it has no sequential test."""
    sprt = tournament.sprt
    if sprt is None:
        return None
    counts = pentanomial(blocks, 0, 1)
    llr = sprt.llr(counts)
    verdict = sprt.verdict(llr)
    decision = UNDECIDED if verdict is None else ACCEPTED if verdict == "H1" else REJECTED
    first, second = tournament.labels
    return SequentialTest(first, second, sprt, counts, llr, decision)
