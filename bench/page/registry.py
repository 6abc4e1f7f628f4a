"""The sections, found by scanning their folder."""

import importlib
import pkgutil

from . import sections

IMAGES = "docs/images"
SUITE_COMMAND = "make bench RESULTS=bench/results/suite.json"


class Section:
    """One module of `sections`.

    Args:
        name: of the module.
    """

    def __init__(self, name):
        self.name = name
        self._module = importlib.import_module(f"{sections.__name__}.{name}")
        self.files = getattr(self._module, "FILES", ("suite",))
        self.command = getattr(self._module, "COMMAND", SUITE_COMMAND)
        self.raw = [*getattr(self._module, "RAW", ()), *(f"bench/results/{name}.json" for name in self.files)]
        """Paths of the data, relative to the root of the repository."""
        self.alt = getattr(self._module, "ALT", "")
        self.has_plot = hasattr(self._module, "plot")

    @property
    def image(self):
        """Path of the plot, relative to the root of the repository."""
        return f"{IMAGES}/benchmarks_{self.name}.svg"

    def markdown(self, results):
        """Return the text of the section."""
        return self._module.markdown(*results).strip()

    def plot(self, results):
        """Return the figure of the plot."""
        return self._module.plot(*results)


def all_sections():
    """Return name -> section."""
    names = sorted(module.name for module in pkgutil.iter_modules(sections.__path__))
    return {name: Section(name) for name in names}
