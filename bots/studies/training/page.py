"""The page of a training: curves of its losses and of the strength of its generations, and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...standalone import standalone_page

SUFFIX = ".html"
HEADINGS = ("generation", "positions", "loss", "points", "Elo", "kept", "minutes")


def cells_of(generation: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the row of a generation below HEADINGS.

    Args:
        generation: as `generation_to_dict` returns it.
    """
    points, elo, error = generation["points"], generation["elo"], _error(generation)
    return (
        str(generation["generation"]),
        f"{generation['positions']:,}",
        f"{generation['loss']:.4f}",
        "" if points is None else f"{points:.1f} ± {generation['error']:.1f}",
        "" if elo is None else f"{elo:+.0f}" + ("" if error is None else f" ± {error:.0f}"),
        "yes" if generation["kept"] else "no",
        f"{generation['seconds'] / 60:.1f}",
    )


def training_page(card: Mapping[str, Any]) -> str:
    """Return the page of a training as HTML.

    Args:
        card: as `make_card` returns it.
    """
    found: Sequence[Mapping[str, Any]] = card["generations"]
    losses = {
        "values": [_point(one, one["loss"] - one["policy_loss"]) for one in found],
        "policy": [_point(one, one["policy_loss"]) for one in found],
    }
    charts = [
        _chart(
            "Losses",
            "Mean cross entropy on positions that are not learnt from. Later nets learn from positions of better play.",
            "loss",
            losses,
        )
    ]
    strength, total = [], 0.0
    for one in found:
        if one["elo"] is not None:
            elo = total + one["elo"]
            strength.append({"x": one["generation"], "y": elo, "error": _error(one), "title": f"{elo:+.0f}"})
            total = elo if one["kept"] else total
    if strength:
        charts.append(
            _chart(
                "Strength",
                "Elo above the first generation, added up over the best nets. Bars are intervals of one test each.",
                "Elo",
                {"generations": strength},
            )
        )
    facts = {"net": card["digest"], "seed": str(card["seed"])}
    facts |= {name.replace("_", " "): _plain(value) for name, value in card["recipe"].items()}
    data = {"game": card["game"], "facts": facts, "charts": charts, "headings": HEADINGS}
    rows = [cells_of(one) for one in found]
    return standalone_page(f"{card['game']}: training of a net", "tournaments/training", {**data, "rows": rows})


def _chart(title: str, text: str, unit: str, series: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    curves = [{"name": name, "points": points} for name, points in series.items()]
    return {"title": title, "text": text, "unit": unit, "series": curves}


def _point(generation: Mapping[str, Any], loss: float) -> dict[str, Any]:
    number = generation["generation"]
    return {"x": number, "y": loss, "error": None, "title": f"generation {number}: {loss:.4f}"}


def _error(generation: Mapping[str, Any]) -> float | None:
    low, high = generation["elo_lower"], generation["elo_upper"]
    return None if low is None or high is None else (high - low) / 2


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
