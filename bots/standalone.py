"""Makes pages of one file, which need neither network nor server, of modules and style sheets of the page."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from posixpath import join, normpath
from typing import Any

PAGE = Path(__file__).parent / "page"
"""Folder with the files of the page."""
STYLES = ("page", "match", "panels", "arena")
_IMPORT = re.compile(r'^import \{ (.+?) \} from "(.+?)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def standalone_page(title: str, module: str, data: Mapping[str, Any]) -> str:
    """Return a page as HTML. Browsers run no other script in it.

    Args:
        title: title of the page.
        module: path of the module that shows the data, from the folder of modules.
        data: what JSON can hold; the module reads it from the element `data`.
    """
    script = _bundle(f"{module}.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Text in a script element must not contain the end of the element, or the beginning of a comment.
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    styles = "".join((PAGE / f"css/{name}.css").read_text(encoding="utf-8") for name in STYLES)
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<style>{styles}</style>
</head>
<body>
<main id="content"></main>
<div id="said" class="unseen" role="status" aria-live="polite"></div>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
<script type="application/json" id="data">{text}</script>
<script>{script}</script>
</body>
</html>
"""


@cache
def _bundle(entry: str) -> str:
    """Return a module with all that it imports as one script: browsers import no module from a file on a disk.

    A module becomes a function that returns its exports, in the order in which they import each other.
    """
    done: dict[str, str] = {}

    def add(name: str) -> str:
        def imported(match: re.Match[str]) -> str:
            names = match[1].replace(" as ", ": ")
            return f"const {{ {names} }} = {_variable(add(normpath(join(name, '..', match[2]))))};"

        if name not in done:
            text = _IMPORT.sub(imported, (PAGE / "js" / name).read_text(encoding="utf-8"))
            exports = ", ".join(_EXPORT.findall(text))
            done[name] = (
                f"const {_variable(name)} = (() => {{\n{_EXPORT.sub('', text)}return {{ {exports} }};\n}})();\n"
            )
        return name

    add(entry)
    return '"use strict";\n' + "".join(done.values())


def _variable(name: str) -> str:
    return "_" + re.sub(r"\W", "_", name)
