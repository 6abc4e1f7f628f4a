"""Pages and plots: their present content, and the content that the stored results give."""

import hashlib
import io
import re
from collections import Counter
from pathlib import Path

import matplotlib

from bench.stored import read_stored

from .sections import SECTIONS, wrapped

ROOT = Path(__file__).parent.parent.parent
RESULTS = "bench/results"
PLACE = re.compile(
    r"(?P<begin><!-- results: (?P<name>\w+) -->\n)(?P<text>.*?)(?P<end><!-- end: (?P=name) -->)", re.DOTALL
)
COMMENT = re.compile(r"<!-- (?:results|end): \w* ?-->")
ABOUT = "results: sha256 "
"""Precedes the digest of the results in the description of a plot."""


class PageError(Exception):
    """A page, the table of sections and the stored results do not fit together."""


def digest_of(results):
    """Return the digest of files of results."""
    return hashlib.sha256("".join(result.to_json() for result in results).encode()).hexdigest()


def content_of(path):
    """Return the content of a file as bytes; that of a missing file is empty."""
    return path.read_bytes() if path.exists() else b""


def svg_of(figure, name, results):
    """Return the SVG of a figure. The same matplotlib gives the same bytes."""
    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Description": ABOUT + digest_of(results)})
    return stream.getvalue()


def _origin(results):
    """Return the date and the processor of a file of results, to follow its name."""
    return f", {results.date[:10]}, {results.machine['processor']}" if results else ""


class Pages:
    """The pages of a repository and its stored results.

    Args:
        root: folder of the repository.
        sections: name -> Section.
    """

    def __init__(self, root=ROOT, sections=SECTIONS):
        self.root = root
        self.sections = sections
        self.pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]

    def results_of(self, section):
        """Return the results that a section reads, or None if one of its files is not stored."""
        paths = [self.root / RESULTS / f"{name}.json" for name in section.files]
        return [read_stored(path) for path in paths] if all(path.exists() for path in paths) else None

    def image_of(self, name):
        """Return the path of the plot of a section."""
        return self.root / "docs" / "images" / f"benchmarks_{name}.svg"

    def text_of(self, name):
        """Return the Markdown of a section."""
        section = self.sections[name]
        results = self.results_of(section)
        if results is None:
            return f"`{section.command}` measures this; no results are stored yet.\n"
        parts = [f"![{section.alt}](images/{self.image_of(name).name})"] if section.plot else []
        parts.append(section.markdown(*results).strip())
        if not self._is_known(name):
            measured = dict(zip(section.files, results, strict=True))
            paths = [*section.raw, *(f"{RESULTS}/{file}.json" for file in section.files)]
            files = "; ".join(f"`{path}`{_origin(measured.get(Path(path).stem))}" for path in paths)
            if files:
                parts.append(wrapped(f"Command: `{section.command}`. Raw results: {files}."))
        return "\n\n".join(parts) + "\n"

    def _is_known(self, name):
        """Return True if an earlier section of the same page names the same command and files."""
        origins = {other: (section.page, section.command, section.files) for other, section in self.sections.items()}
        return list(origins.values()).index(origins[name]) < list(origins).index(name)

    def new_pages(self):
        """Return path -> content (bytes) of all pages that the stored results give.

        Raises:
            PageError: a place has no section, a section is not exactly once in its page, or comments do not pair.
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
                placed.append((place["name"], self._name(page)))
            found[page] = PLACE.sub(
                lambda place: place["begin"] + self.text_of(place["name"]) + place["end"], text
            ).encode()
        expected = Counter((name, section.page) for name, section in self.sections.items())
        counts = Counter(placed)
        if counts != expected:
            wrong = {name for name, _ in (counts - expected) + (expected - counts)}
            raise PageError(f"sections that are not exactly once in their pages: {', '.join(sorted(wrong))}")
        return found

    def plots(self):
        """Return name of a section -> its stored results, for all sections with a plot."""
        found = {name: self.results_of(section) for name, section in self.sections.items() if section.plot}
        return {name: results for name, results in found.items() if results is not None}

    def new_files(self):
        """Return path -> content (bytes) of all pages and plots that the stored results give.

        Raises:
            PageError: as `new_pages`.
        """
        found = self.new_pages()
        for name, results in self.plots().items():
            found[self.image_of(name)] = svg_of(self.sections[name].plot(*results), name, results)
        return found

    def differences(self):
        """Return the names of pages and plots that do not show the stored results.

        A plot is compared by the digest of its results: another version of matplotlib draws other bytes.
        """
        wrong = [path for path, content in self.new_pages().items() if content_of(path) != content]
        for name, results in self.plots().items():
            path = self.image_of(name)
            if digest_of(results).encode() not in content_of(path):
                wrong.append(path)
        return [self._name(path) for path in wrong]

    def write(self):
        """Write all pages and plots that differ and return their names."""
        changed = []
        for path, content in self.new_files().items():
            if content_of(path) != content:
                path.write_bytes(content)
                changed.append(self._name(path))
        return changed

    def _name(self, path):
        return str(path.relative_to(self.root))
