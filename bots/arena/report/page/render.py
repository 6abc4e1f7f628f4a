"""Renders the page of a report: one file that needs neither network nor server."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

import jinja2

from ...results.report import Report
from .collector import GameSurvey
from .page_model import PageModel


def render(report: Report, survey: GameSurvey) -> str:
    """Return the page as HTML. All texts from bots and games are escaped.

    Args:
        report: the assembled report; its single failures are not used.
        survey: counts and samples of the same games, as `collect` returns them.
    """
    script = _resource("page.js")
    model = PageModel(report, survey)
    return render_page("page.html", page=model, script=script, script_hash=_script_hash(script))


def render_page(template: str, **values: Any) -> str:
    """Return the page of a template in this folder as HTML, with the common style. All texts are escaped.

    Args:
        template: name of the file.
        values: what the template uses.
    """
    return _environment().get_template(template).render(style=_resource("style.css"), **values) + "\n"


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_resource),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _script_hash(script: str) -> str:
    """Return the hash of the script for the content security policy, with which a browser runs no other script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
