"""Check the built site: it loads nothing from other hosts, links lead somewhere, pictures have a text, markup is gone.

python docs/check_site.py build/docs/html
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ASSETS = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "script": "src",
    "source": "src",
    "video": "src",
}
"""Element -> attribute with the address of what a page loads."""
LOADED = {"icon", "manifest", "modulepreload", "preload", "stylesheet"}
"""Kinds of the element `link` that a browser loads; others name related pages."""
STYLE_URL = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
UNRENDERED = re.compile(r"\]\(\S+\)|``|:py:\w+:|\{(?:eval-rst|ref|doc)\}|^:::", re.MULTILINE)
CODE = {"code", "pre", "script", "style"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """What one page loads, links to, and shows as text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.assets: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.pictures_without_text: list[str] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect addresses and anchors of an element."""
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append(tag)
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ASSETS and ASSETS[tag] in given:
            self.assets.append(given[ASSETS[tag]])
        if tag == "link" and LOADED & set(given.get("rel", "").split()):
            self.assets.append(given.get("href", ""))
        if tag == "img" and not given.get("alt", "").strip():
            self.pictures_without_text.append(given.get("src", ""))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element of this kind, and those inside of it."""
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Collect text outside of code."""
        if not CODE & set(self._open):
            self.text.append(data)


def is_elsewhere(address: str) -> bool:
    """Return True for an address on another host."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https")


def asset_errors(folder: Path, base: Path, address: str) -> Iterator[str]:
    """Yield what is wrong with an address that a page or a style sheet loads."""
    if is_elsewhere(address):
        yield f"loads {address} from another host"
    elif not address.startswith(("data:", "#")) and not (base / unquote(urlsplit(address).path)).is_file():
        yield f"loads {address}, which does not exist"


def link_errors(folder: Path, path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    """Yield the links of a page to files and anchors that do not exist."""
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file() or not target.is_relative_to(folder):
            yield f"links to {link}, which does not exist"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"links to {link}, a page without this anchor"


def page_errors(folder: Path, path: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Yield all errors of one page."""
    page = pages[path]
    for address in page.assets:
        yield from asset_errors(folder, path.parent, address)
    yield from link_errors(folder, path, page, pages)
    yield from (f"shows {source} without a text in its place" for source in page.pictures_without_text)
    for text in page.text:
        yield from (f"shows markup as text: {found[0]!r}" for found in UNRENDERED.finditer(text))


def style_errors(folder: Path, path: Path) -> Iterator[str]:
    """Yield what is wrong with the addresses that a style sheet loads."""
    for first, second in STYLE_URL.findall(path.read_text(encoding="utf-8")):
        yield from asset_errors(folder, path.parent, first or second)


def site_errors(folder: Path) -> list[str]:
    """Return all errors of a site as lines, each with its file."""
    folder = folder.resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    found = [f"{path.relative_to(folder)}: {error}" for path in pages for error in page_errors(folder, path, pages)]
    for path in sorted(folder.rglob("*.css")):
        found += [f"{path.relative_to(folder)}: {error}" for error in style_errors(folder, path)]
    index = folder / "searchindex.js"
    if not pages or not index.is_file():
        found.append(f"{folder}: has no pages or no index for the search")
    return found


def main() -> int:
    """Print the errors of the site in a folder; return 1 if there are any."""
    if len(sys.argv) != 2:
        print("usage: python docs/check_site.py FOLDER", file=sys.stderr)
        return 2
    errors = site_errors(Path(sys.argv[1]))
    print("\n".join(errors), end="\n" * bool(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
