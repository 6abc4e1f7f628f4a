"""Figures that run in the reader's browser: the directive `{living} NAME`, whose content is the text of the picture.

NAME is that of a figure in docs/_static/figures.js. Before the reader presses "Run", or without scripts, a picture of
docs/images/drawing stands in its place: that of NAME_PAGE, with the name of the page of a game, or that of NAME.

The figures run with the npm package of `make wasm`, if it has been built; else they remain pictures.
"""

import posixpath
import shutil
import sys
from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst.directives import unchanged
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "build/wasm/playout-games"
sys.path.insert(0, str(ROOT / "docs/images"))


class living(nodes.General, nodes.Element):
    """A figure."""


class LivingFigure(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"position": unchanged, "game": unchanged}

    def run(self):
        from drawing import POSITIONS, STILLS

        name, page = self.arguments[0], posixpath.basename(self.env.docname)
        still = next((one for one in (f"{name}_{page}", name) if one in STILLS), None)
        if still is None or not self.content:
            raise self.error(f"the figure {name} has no text, or no picture; valid: {', '.join(STILLS)}")
        position = {"position": POSITIONS[name]} if name in POSITIONS else {}
        figure = {"figure": name, "game": page, **position, **self.options}
        return [living("", figure=figure, still=still, alt=" ".join(self.content))]


def visit(translator, node):
    """Draw the picture of a figure, and write the figure around it."""
    from drawing import STILLS

    builder, name = translator.builder, f"{node['still']}.svg"
    path = Path(builder.outdir, builder.imagedir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STILLS[node["still"]](), encoding="utf-8")
    data = "".join(f' data-{key}="{escape(value)}"' for key, value in node["figure"].items())
    source = posixpath.join(builder.imgpath, name)
    picture = f'<img src="{escape(source)}" alt="{escape(node["alt"])}" loading="lazy">'
    translator.body.append(f'<figure class="living"{data}>{picture}</figure>\n')
    raise nodes.SkipNode


def add_script(app, page, template, context, doctree):
    """Let the pages with figures load them, if there is a package with which they run."""
    if PACKAGE.is_dir() and doctree is not None and next(doctree.findall(living), None) is not None:
        app.add_js_file("figures.js", type="module")


def copy_package(app, error):
    """Copy the package into the site."""
    if PACKAGE.is_dir() and app.builder.format == "html" and error is None:
        shutil.copytree(PACKAGE, Path(app.outdir, "_static", PACKAGE.name), dirs_exist_ok=True)


def setup(app):
    app.add_node(living, html=(visit, None))
    app.add_directive("living", LivingFigure)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", copy_package)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
