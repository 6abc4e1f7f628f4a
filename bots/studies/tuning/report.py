"""Results of a study as text and as data for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from mcts import load_game

from .space import Setting, value_text
from .study import Study, StudyResult


def setting_text(setting: Setting) -> str:
    """Return a setting as in a spec: `exploration=0.4,selection=ucb1`."""
    return ",".join(f"{name}={value_text(value)}" for name, value in setting.items())


def study_dict(study: Study, result: StudyResult) -> dict[str, Any]:
    """Return the description and the results of a study as data for JSON."""
    final = None if result.final is None else asdict(result.final)
    return {
        "game": study.game,
        "bot": study.space.bot.spec,
        "over": study.space.text,
        "method": study.method,
        "limit": study.limit.to_dict(),
        "opening_plies": study.opening_plies,
        "score": study.score or load_game(study.game).score,
        "seed": study.seed,
        "start": study.space.given,
        "best": result.best,
        "best_bot": result.best_spec,
        "complete": result.complete,
        "games": result.games,
        "final": final,
        "iterations": [asdict(iteration) for iteration in result.iterations],
    }
