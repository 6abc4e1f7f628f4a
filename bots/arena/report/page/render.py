"""Makes the page of a report: one file that needs nothing else, neither network nor server."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

import jinja2

from .collector import ReportData
from .page_model import PageModel


def render(data: ReportData) -> str:
    """The page as HTML. All texts that come from bots and games are escaped.

    Args:
        data: what `collect` found.
    """
    style, script = _resource("style.css"), _resource("page.js")
    page = _environment().get_template("page.html")
    return page.render(page=PageModel(data), style=style, script=script, script_hash=_hash(script)) + "\n"


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


def _hash(script: str) -> str:
    """What a browser has to find for the page's own script before it runs it: no other may run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
