"""Rules of a game as HTML that a page can show."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LEADING_AWAY = ("link_open", "link_close", "image")
"""Types of tokens that lead away from the page."""


@cache
def _reader() -> MarkdownIt:
    """Return the parser. HTML inside the rules is shown as text. A page without rules does not wait for its import."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def rules_html(markdown: str) -> tuple[str, str]:
    """Return the title of rules and their HTML, without pictures. Links become text, and a source is folded."""
    reader = _reader()
    tokens = reader.parse(markdown)
    title = ""
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title, tokens = tokens[1].content, tokens[3:]
    for token in tokens:
        if token.children:
            token.children = [child for child in token.children if child.type not in _LEADING_AWAY]
    html, has_source, source = reader.renderer.render(tokens, reader.options, {}).partition("<h2>Source</h2>\n")
    return title, f"{html}<details><summary>Source</summary>{source}</details>" if has_source else html
