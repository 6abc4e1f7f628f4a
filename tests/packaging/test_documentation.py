"""Names, paths and links in the README and in docs: every one of them exists."""

import importlib
import re
import tomllib

from documents import DOCS, ROOT, all_pages

import bots
import mcts
from bots.commands import application
from cext.search.search import Search
from mcts import registry

PAGES = [page for page in all_pages() if page.name != "CHANGELOG.md"]  # which has the names of earlier versions
GLOSSARY = DOCS / "glossary.md"
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
DOTTED = re.compile(r"(\w+(?:\.\w+)+)(?:\(.*\))?")
PATH = re.compile(
    r"[\w./-]*[\w-]+(?:/|\.(?:py|pyi|pyx|pxd|h|c|md|toml|json))|(?:cext|mcts|bots|docs|tests|bench|examples)/[\w./-]+"
)
IDENTIFIER = re.compile(r"([a-z]+_\w+|[A-Z]+_\w+|[A-Z][a-z]+[A-Z]\w+)(?:\(.*\))?")
PACKAGES = ("mcts", "bots", "cext", "playout")
ENTRY_POINTS = {application.ENTRY_POINTS, registry.ENTRY_POINTS}
"""Groups of entry points, which are no names of a package."""
# Objects that pages name without their package.
OBJECTS = {
    "Bot": bots.Bot,
    "Game": mcts.Game,
    "Limit": mcts.Limit,
    "MCTS": mcts.MCTS,
    "Search": Search,
    "State": mcts.State,
    "View": mcts.View,
    "bot": bots.Bot,
    "game": mcts.Game,
    "searcher": mcts.MCTS,
    "solution": mcts.Solution,
    "state": mcts.State,
    "view": mcts.View,
}
# Paths are relative to the root of the repository or to the folder of the page, and here also to another folder.
FOLDERS = {"architecture.md": ROOT / "bots" / "arena"}
RECIPES = sorted((ROOT / "examples" / "recipes").iterdir())
# Files that a reader of a page makes, or that a build makes.
MADE_LATER = re.compile(
    r".*(take_away|my_\w+|sampler|flat|serial|perft|davidson|ucb_v)\b.*|build/.*|__init__\.py|cext/x86_64_v[34]"
)


def prose(page):
    """Return the text of a page without its code blocks, and with as many lines."""
    return FENCE.sub(lambda found: "\n" * found[0].count("\n"), page.read_text())


def spans(page):
    """Return the texts in backticks outside of code blocks."""
    return SPAN.findall(prose(page))


def names_in_source(module):
    """Return the text of a module that Python cannot import, such as a .pxd file, or None."""
    stem = ROOT / module.replace(".", "/")
    files = [stem.with_suffix(suffix) for suffix in (".pxd", ".pyx", ".h") if stem.with_suffix(suffix).exists()]
    return "".join(file.read_text() for file in files) or None


def exists(dotted):
    """Return True if a dotted name below one of the packages can be imported, or is in a source file of the core."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        module, rest = ".".join(parts[:length]), parts[length:]
        try:
            found = importlib.import_module(module)
        except ImportError:
            source = names_in_source(module)
            if source is not None and all(re.search(rf"\b{name}\b", source) for name in rest):
                return True
            continue
        return has_attributes(found, rest)
    return False


def has_attributes(found, names):
    for name in names:
        if not hasattr(found, name):
            return name in getattr(found, "__annotations__", {}) and name == names[-1]
        found = getattr(found, name)
    return True


def anchors(page):
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_dotted_names_exist():
    missing, found = [], [(page, span) for page in PAGES for span in spans(page)]
    for page, span in found:
        match = DOTTED.fullmatch(span)
        if match is None or PATH.fullmatch(span):
            continue
        head, _, rest = match[1].partition(".")
        if head in PACKAGES and match[1] not in ENTRY_POINTS and not exists(match[1]):
            missing.append((page, span))
        if head in OBJECTS and not has_attributes(OBJECTS[head], rest.split(".")):
            missing.append((page, span))
    assert missing == []


def words_of_the_sources():
    """Return all words of the source files, tests and settings."""
    folders = ("cext", "mcts", "bots", "bench", "playout", "fuzz", "tests", "examples")
    kinds = (".py", ".pyi", ".pyx", ".pxd", ".h", ".html", ".toml")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    files += [ROOT / name for name in ("pyproject.toml", "setup.py", "Makefile")]
    return {word for path in files for word in (path.stem, *re.findall(r"\w+", path.read_text()))}


def test_identifiers_are_in_the_sources():
    """Identifiers of more than one word: `snake_case`, `CamelCase`, with or without arguments."""
    words = words_of_the_sources()
    for page in PAGES:
        known = words | {word for block in FENCE.findall(page.read_text()) for word in re.findall(r"\w+", block)}
        found = [IDENTIFIER.fullmatch(span) for span in spans(page)]
        assert [match[1] for match in found if match and match[1] not in known] == [], page


def test_paths_exist():
    for page in PAGES:
        bases = [ROOT, page.parent, *RECIPES, *([FOLDERS[page.name]] if page.name in FOLDERS else [])]
        paths = [span for span in spans(page) if PATH.fullmatch(span)]
        missing = [path for path in paths if not any((base / path).exists() for base in bases)]
        assert [path for path in missing if not MADE_LATER.fullmatch(path)] == [], page


def test_pages_install_from_a_clone():
    """There is no release: `pip install playout` would install nothing, or another program of this name."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    places = [*all_pages(), *(ROOT / "examples").rglob("*"), *(ROOT / "bots" / "new_package").rglob("*.tmpl")]
    files = [path for path in places if path.is_file() and path.name != "RELEASING.md" and path.suffix != ".pyc"]
    installs = {path: re.findall(r"pip install [^`\n]*", path.read_text(errors="replace")) for path in files}
    assert [(path, line) for path in installs for line in installs[path] if re.search(r"[\s\"']playout\b", line)] == []
    named = {name for lines in installs.values() for line in lines for name in re.findall(r"\.\[(\w+)\]", line)}
    assert named >= {"web", "cluster", "openspiel"}
    assert named <= set(extras)
    # A message stands where the package is installed, so that pip finds its extras.
    told = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    named = {name for path in told for name in re.findall(r"pip install '?playout\[(\w+)\]", path.read_text())}
    assert "web" in named
    assert named <= set(extras)


def test_links_resolve():
    broken, found = [], [(page, target) for page in all_pages() for target in LINK.findall(prose(page))]
    for page, target in found:
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append((page, target))
    assert broken == []


def test_every_page_is_in_the_index():
    index = DOCS / "README.md"
    linked = {(DOCS / target.partition("#")[0]).resolve() for target in LINK.findall(index.read_text())}
    linked |= {*(DOCS / "games").glob("*.md"), *(DOCS / "extending").glob("*.md")}  # which have an index of their own
    linked |= {DOCS / "index.md", *(DOCS / "api").glob("*.md"), *(DOCS / "project").glob("*.md")}  # of the site alone
    assert {page.resolve() for page in DOCS.rglob("*.md")} - linked == {index.resolve()}


def test_the_glossary_defines_each_term_once_in_order():
    groups = re.split(r"^## ", GLOSSARY.read_text(), flags=re.MULTILINE)[1:]
    found = [re.findall(r"^- \*\*(.*?)\*\*: \S", group, re.MULTILINE) for group in groups]
    for group, terms in zip(groups, found, strict=True):
        assert len(terms) == len(re.findall(r"^- ", group, re.MULTILINE)), group.splitlines()[0]
        assert terms == sorted(terms, key=lambda term: re.sub(r"[^a-z0-9 ]", "", term.lower()))
    terms = [term.lower() for group in found for term in group]
    assert len(terms) == len(set(terms))


def test_the_checks_find_what_is_missing():
    assert exists("mcts.MCTS.run")
    assert exists("cext.search.search_state.search_t")
    assert not exists("mcts.no_such_name")
    assert not exists("cext.search.search_state.no_such_name")
    assert has_attributes(mcts.State, ["to_text"])
    assert not has_attributes(mcts.State, ["no_such_name"])
    assert PATH.fullmatch("docs/games/mnk.md")
    assert PATH.fullmatch("cext/search/")
    assert "one-simulation" in anchors(DOCS / "architecture.md")
