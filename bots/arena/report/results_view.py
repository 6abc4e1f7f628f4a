"""The results of a tournament as the data that pages show, in a report and on a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...system.untrusted import clean_line, clean_text
from ..records import NOBODY_LABEL, shown_number
from ..results.report import Report
from .failure_groups import FailureGroup
from .json_data import report_to_dict

_LEFT_OUT = ("covariance", "difference_errors")
"""Tables of the ratings with a row and a column for each bot, which pages do not show."""


def results_view(
    report: Report, lengths: Mapping[int, int] | None = None, failures: Iterable[FailureGroup[int]] = ()
) -> dict[str, Any]:
    """Return the results as plain data.

    Args:
        report: the assembled report.
        lengths: number of games by number of steps.
        failures: failures by index of the bot; the single ones of the report are not used.
    """
    data = report_to_dict(report)
    for bot in data["bots"]:
        bot["points"] = bot["wins"] + bot["draws"] / 2
    data["ratings"] = {key: value for key, value in data["ratings"].items() if key not in _LEFT_OUT}
    data["lengths"] = sorted((lengths or {}).items())
    labels = {standing.index: standing.bot for standing in report.standings}
    data["failures"] = [
        {
            "bot": labels.get(group.bot, NOBODY_LABEL),
            "kind": group.kind,
            "message": clean_line(group.message),
            "log": clean_text(group.log),
            "count": group.count,
            "games": sorted(map(shown_number, group.numbers)),
        }
        for group in failures
    ]
    return data
