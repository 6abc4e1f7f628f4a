"""The size of the project, by limits that a change may lower. A raised limit needs its reason in the commit.

A line of code has more than blanks, comments and docstrings; a line of more than 120 columns counts as it would fold.
"""

import io
import math
import re
import subprocess
import tokenize
from collections import Counter
from pathlib import Path

import pytest
from support import ROOT

PARTS = ("cext", "mcts", "bots", "playout", "web")
MOST_LINES = 69_900
MOST_FILES = 1_680
"""Tracked files of all kinds."""
MOST_WORDS = 50_000
"""Of the README and of docs."""
LONGEST_FILE, LONGEST_COMPILED = 690, 1_470
"""Lines of any kind."""
MOST_MODULES = 12
"""Of one folder, without its `__init__`."""
LARGER_FOLDERS = {
    "bots/commands": "a file for each command",
    "bots/players": "a file for each bot",
    "mcts/pictures/games": "a file for the pictures of each game",
    "mcts/reference": "a file for each compiled module that it repeats",
}
LARGER_FOLDERS_TODAY = {
    "bots/arena/play": 17,
    "bots/arena/ratings": 16,
    "bots/commands/common": 14,
    "bots/system": 16,
    "bots/page/js": 17,
    "cext/search": 20,
    "mcts/gdl": 22,
    "mcts/pictures": 14,
}
"""Folders that have more modules than they should, with their number."""
COLUMNS = 120
PYTHON = (".py", ".pyi", ".pyx", ".pxd", ".tmpl")
OTHERS = (".h", ".c", ".js", ".mjs", ".ts", ".css", ".html")
STATEMENT_ENDS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a source distribution, which lists no files")


@pytest.fixture(scope="module")
def tracked():
    """Return the paths of all tracked files."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def python_lines(text):
    """Return the numbers of the lines with code, of Python or Cython."""
    found, at_beginning = set(), True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        is_docstring = (
            token.type == tokenize.STRING and at_beginning and token.line.strip().endswith(('"""', "'''", '"'))
        )
        at_beginning = token.type in STATEMENT_ENDS
        if not at_beginning and not is_docstring and token.type != tokenize.ENDMARKER:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


def code_lines(path, text):
    """Return the number of lines of code of a file."""
    rows = text.splitlines()
    if path.suffix in PYTHON:
        try:
            kept = [rows[number - 1] for number in python_lines(text)]
        except (tokenize.TokenError, IndentationError):  # a template
            kept = [row for row in rows if not row.lstrip().startswith("#")]
    elif path.suffix in OTHERS:
        plain = re.sub(r"/\*.*?\*/|<!--.*?-->", "", text, flags=re.DOTALL)
        kept = [row for row in plain.splitlines() if not row.lstrip().startswith("//")]
    else:
        kept = []
    return sum(math.ceil(len(row) / COLUMNS) for row in kept if row.strip())


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", '"""Of two\n\nlines."""\n\nX = 1  # one\n# two\n"""Of X."""\n', 1),
        ("a.py", "def f(a,\n      b):\n    return (\n        a\n    )\n", 5),
        ("a.py", f"x = '{'a' * 120}'\n", 2),
        ("a.pyx", 'cdef int f(int *a) nogil:\n    """Docs."""\n    return a[0]\n', 2),
        ("a.js", "/* one\n two */\n// three\nlet x = 1;\n\n", 1),
        ("a.css", "a { color: red; }\n", 1),
        ("a.json", "{}\n", 0),
    ],
)
def test_lines_of_code(name, text, lines):
    assert code_lines(Path(name), text) == lines


def test_the_product_has_no_more_lines_of_code_than_its_limit(tracked):
    weights = Counter()
    for path in tracked:
        if path.parts[0] in PARTS:
            weights["/".join(path.parts[:2])] += code_lines(
                path, (ROOT / path).read_text(encoding="utf-8", errors="replace")
            )
    assert weights.total() <= MOST_LINES, weights.most_common(12)


def test_files_and_words_have_limits(tracked):
    assert len(tracked) <= MOST_FILES
    pages = [path for path in tracked if path.suffix == ".md" and (path.parts[0] == "docs" or str(path) == "README.md")]
    assert len(pages) > 50
    assert sum(len((ROOT / path).read_text(encoding="utf-8").split()) for path in pages) <= MOST_WORDS


def test_no_file_of_the_product_is_long(tracked):
    sources = [path for path in tracked if path.parts[0] in PARTS and path.suffix in (*PYTHON, *OTHERS)]
    lengths = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in sources}
    most = {path: LONGEST_COMPILED if path.suffix == ".pyx" else LONGEST_FILE for path in sources}
    assert {str(path): length for path, length in lengths.items() if length > most[path]} == {}


def test_no_folder_of_the_product_is_a_heap(tracked):
    modules = Counter(
        str(path.parent)
        for path in tracked
        if path.parts[0] in PARTS and path.suffix in (".py", ".pyx", ".js") and path.stem != "__init__"
    )
    large = {
        folder: count for folder, count in modules.items() if count > MOST_MODULES and folder not in LARGER_FOLDERS
    }
    assert {folder: count for folder, count in large.items() if count > LARGER_FOLDERS_TODAY.get(folder, 0)} == {}
