"""Results of a tournament on standard output, for the commands that show them."""

from __future__ import annotations

import json
import sys

from ..arena.report.json_data import report_to_dict
from ..arena.report.text import print_report
from ..arena.results.report import Report
from .common import stdout


def show_report(report: Report, as_json: bool) -> None:
    """Print the results of a tournament, as JSON or as a table."""
    if as_json:
        sys.stdout.write(json_text(report))
    else:
        print_report(report, stdout())


def json_text(report: Report) -> str:
    """The results of a tournament as JSON."""
    return json.dumps(report_to_dict(report), indent=2) + "\n"
