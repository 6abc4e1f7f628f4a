"""Settings of Sphinx. `make docs` builds the site from the pages of this folder into build/docs."""

import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS / "_extensions"))

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

project = "Playout"
author = _PROJECT["authors"][0]["name"]
version = release = _PROJECT["version"]
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_external_toc",
    "repository_links",
]
source_suffix = {".md": "myst-nb"}
# The index of this folder on GitHub; index.md is the start page of the site.
exclude_patterns = ["README.md", "_extensions", "_static"]
external_toc_path = "_toc.yml"

# Markdown as GitHub reads it, with the anchors that GitHub gives to headings.
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
highlight_language = "text"

nitpicky = True

html_theme = "furo"
html_title = f"Playout {release}"
html_static_path = ["_static"]
html_css_files = ["playout.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}

copybutton_exclude = ".linenos, .gp, .go"  # prompts and output of doctests
