"""The places of sections in pages: what is there, and what belongs there."""

import re
from pathlib import Path

from bots.benchmark.result_file import read_results

from .registry import all_sections
from .svg import digest_of, svg_of

ROOT = Path(__file__).parent.parent.parent
RESULTS = "bench/results"
PLACE = re.compile(
    r"(?P<begin><!-- results: (?P<name>\w+) -->\n)(?P<text>.*?)(?P<end><!-- end: (?P=name) -->)", re.DOTALL
)
COMMENT = re.compile(r"<!-- (?:results|end): \w* ?-->")


class PageError(Exception):
    """A page, a section and the stored results do not fit together."""


def _origin(results):
    """Return the date and the processor of a file of results, to follow its name."""
    return f", {results.date[:10]}, {results.machine['processor']}" if results else ""


class Pages:
    """The pages of a repository and its stored results.

    Args:
        root: folder of the repository.
        sections: name -> Section.
    """

    def __init__(self, root=ROOT, sections=None):
        self.root = root
        self.sections = all_sections() if sections is None else sections
        self.pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]

    def results_of(self, section):
        """Return the results that a section reads, or None if one of its files is not stored."""
        paths = [self.root / RESULTS / f"{name}.json" for name in section.files]
        return [read_results(path) for path in paths] if all(path.exists() for path in paths) else None

    def text_of(self, section, page):
        """Return the Markdown of a section in a page."""
        results = self.results_of(section)
        if results is None:
            return f"`{section.command}` measures this; no results are stored yet.\n"
        parts = []
        if section.has_plot:
            image = Path(section.image).relative_to("docs")
            up = "../" * (len(page.relative_to(self.root / "docs").parts) - 1)
            parts.append(f"![{section.alt}]({up}{image})")
        parts.append(section.markdown(results))
        measured = dict(zip(section.files, results, strict=True))
        files = "; ".join(f"`{path}`{_origin(measured.get(Path(path).stem))}" for path in section.raw)
        parts.append(f"Command: `{section.command}`. Raw results: {files}.")
        return "\n\n".join(parts) + "\n"

    def new_files(self):
        """Return path -> content (bytes) of all pages and plots, as they should be.

        Raises:
            PageError: a place has no section, a section has no place or several, or comments do not pair.
        """
        found, placed = {}, []
        for page in self.pages:
            text = page.read_text(encoding="utf-8")
            if "<!-- results:" not in text and "<!-- end:" not in text:
                continue
            places = list(PLACE.finditer(text))
            if len(COMMENT.findall(text)) != 2 * len(places):
                raise PageError(f"{self._name(page)}: comments that begin and end a section do not pair")
            for place in places:
                if place["name"] not in self.sections:
                    raise PageError(
                        f"{self._name(page)}: no section {place['name']!r}; valid: {', '.join(self.sections)}"
                    )
                placed.append(place["name"])
            found[page] = PLACE.sub(lambda place, page=page: self._filled(place, page), text).encode()
        if sorted(placed) != sorted(self.sections):
            wrong = [name for name in self.sections if placed.count(name) != 1]
            raise PageError(f"sections that are not exactly once in the pages: {', '.join(wrong)}")
        for section in self.sections.values():
            results = self.results_of(section) if section.has_plot else None
            if results is not None:
                found[self.root / section.image] = svg_of(section.plot(results), section.name, results)
        return found

    def _filled(self, place, page):
        return place["begin"] + self.text_of(self.sections[place["name"]], page) + place["end"]

    def differences(self):
        """Return the names of pages and plots that do not show the stored results.

        A plot is compared by the digest of its results: another version of matplotlib draws other bytes.
        """
        plots = {self.root / section.image: section for section in self.sections.values() if section.has_plot}
        wrong = []
        for path, content in self.new_files().items():
            known = path.read_bytes() if path.exists() else b""
            section = plots.get(path)
            same = known == content if section is None else digest_of(self.results_of(section)).encode() in known
            if not same:
                wrong.append(self._name(path))
        return wrong

    def write(self):
        """Write all pages and plots that differ and return their names."""
        changed = []
        for path, content in self.new_files().items():
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
                changed.append(self._name(path))
        return changed

    def _name(self, path):
        return str(path.relative_to(self.root))
