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
    "api_reference",
    "living_figure",
    "mathml",
    "notebook_output",
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

# Cells of notebooks run here, unless the cache in build/docs has the results of the same cells. The cache knows cells
# only: `make docs` deletes it after a change of the package.
nb_execution_mode = "cache"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_kernel_rgx_aliases = {".*": "python3"}

html_math_renderer = "mathml"

# The reference: docstrings in Google's form, types in signatures, links for names in backticks.
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_typehints_format = "short"
maximum_signature_line_length = 90
python_use_unqualified_type_names = True
default_role = "py:obj"
api_made_by_functions = {
    "mcts.exact.best_responses.BestResponses",
    "mcts.exact.sequence_solution.SequenceSolution",
    "mcts.Game",
    "mcts.searchers.base.SampledSearchResult",
    "mcts.SearchResult",
    "mcts.Solution",
    "mcts.State",
    "mcts.exact.tabular_solution.TabularSolution",
    "mcts.View",
    "bots.arena.Result",
    "bots.arena.Report",
    "bots.arena.Standing",
    "bots.arena.PairingResult",
    "bots.arena.SeatScore",
    "bots.arena.SequentialTest",
    "bots.arena.StoredGame",
    "bots.arena.ScheduledGame",
    "bots.arena.GameRecord",
    "bots.arena.Failure",
    "bots.arena.Tournament",
}
api_hidden_bases = {"Exclusive", "ViewSearcher", "object"}

nitpicky = True
nitpick_ignore_regex = [
    # Other projects: their inventories would need the network.
    (
        r"py:class",
        r"(abc|collections|collections\.abc|concurrent\.futures|contextlib|gymnasium|networkx|numpy|os|pathlib|pettingzoo|pyspiel|typing)\..*",
    ),
    (r"py:class", r"ArrayLike|Joint|NDArray|np\.\w+|float32|float64"),  # imported for type checkers only
    (r"py:class", r"bots\.game\.failures\._(Bot|Nobody)"),  # type variables
    # Types inside of the packages that signatures name, but whose objects a user passes on at most.
    (
        r"py:class",
        r"bots\.arena\.(ratings|results|store|tournament)\.\w+\..*|mcts\.(options|reference|results\.tree_data)\..*|cext\.notation\.Field|Tree",
    ),
    (r"py:class", r"cext\.search\.root_record\.RootRecord"),
    (r"py:class", r"mcts\.adapters\.(pettingzoo\._Agents|gymnasium\.Opponent|openspiel\.imported\.SpielPosition)"),
]

html_theme = "furo"
html_title = f"Playout {release}"
html_static_path = ["_static"]
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_css_files = ["playout.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}

copybutton_exclude = ".linenos, .gp, .go"  # prompts and output of doctests
