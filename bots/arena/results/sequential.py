"""The state of a sequential test: the bots, the hypotheses, and the evidence so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from cext.arguments import counted
from cext.game_info import RETURNS
from mcts import load_game

from ..ratings.blocks import BlockCounts, Pentanomial, Scoring, mean_score, pentanomial
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
    blocks: int
    """Number of counted blocks."""
    score: float | None
    """Mean score of the first bot in a block, 0 to 1; None without blocks."""
    pentanomial: Pentanomial | None
    """Blocks by the points of the first bot: 0, 1/2, 1, 3/2, 2. None where returns count."""
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
            "blocks": self.blocks,
            "score": None if self.score is None else round(self.score, 6),
            "pentanomial": None if self.pentanomial is None else list(self.pentanomial),
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
        if self.pentanomial is not None:
            counts = ", ".join(f"{count:,}" for count in self.pentanomial)
            found = f"pentanomial [{counts}] (blocks of 0, 1/2, 1, 3/2, 2 points)"
        else:
            mean = "" if self.score is None else f", mean score {self.score:.4f} by returns"
            found = f"{counted(self.blocks, 'block')}{mean}"
        meaning = {ACCEPTED: "accepted (H1)", REJECTED: "rejected (H0)", UNDECIDED: "undecided"}[self.decision]
        return f"LLR {self.llr:.2f} ({self.sprt.lower:.2f} to {self.sprt.upper:.2f}), {found}: {meaning}"


def scoring_of(tournament: Tournament) -> Scoring:
    """Return the score of a bot in a block of a tournament."""
    return Scoring(tournament.score, _span(tournament.game))


@lru_cache(maxsize=8)
def _span(spec: str) -> float:
    game = load_game(spec)
    return game.max_utility - game.min_utility


def log_likelihood_ratio(tournament: Tournament, blocks: BlockCounts) -> float:
    """Return the log likelihood ratio of the sequential test of a tournament from whole blocks."""
    assert tournament.sprt is not None
    if tournament.score == RETURNS:
        return tournament.sprt.llr_of_scores(scoring_of(tournament).counts(blocks), tournament.block_size)
    return tournament.sprt.llr(pentanomial(blocks, 0, 1))


def sequential_test(tournament: Tournament, blocks: BlockCounts) -> SequentialTest | None:
    """Return the state of the test of a tournament from whole blocks; None if the tournament has no test."""
    sprt = tournament.sprt
    if sprt is None:
        return None
    llr = log_likelihood_ratio(tournament, blocks)
    verdict = sprt.verdict(llr)
    decision = UNDECIDED if verdict is None else ACCEPTED if verdict == "H1" else REJECTED
    first, second = tournament.labels
    counts = None if tournament.score == RETURNS else pentanomial(blocks, 0, 1)
    scores = scoring_of(tournament).counts(blocks)
    mean = mean_score(scores) if scores else None
    return SequentialTest(first, second, sprt, scores.total(), mean, counts, llr, decision)
