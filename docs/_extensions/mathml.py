"""Formulas as MathML, which browsers draw without a script: the site works without a network.

A formula that cannot be converted is an error of the build.
"""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def writer(display):
    """Return the function that writes formulas, `inline` or as a `block`."""

    def visit(translator, node):
        formula = node.astext()
        try:
            translator.body.append(convert(formula, display=display))
        except Exception as error:
            LOGGER.warning("formula %r cannot be read: %r", formula, error, location=node)
        raise nodes.SkipNode

    return visit


def setup(app):
    app.add_html_math_renderer("mathml", (writer("inline"), None), (writer("block"), None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
