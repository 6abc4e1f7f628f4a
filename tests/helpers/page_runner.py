"""Run the Python of a page and its doctests in one namespace, in order. A process of its own: pages register bots.

python page_runner.py PAGE
"""

import doctest
import re
import sys
import textwrap
from pathlib import Path

FILE = re.compile(r"`([\w./-]+)`:")
_BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Return (number of lines before the block, language, code) of each code block of a page, without indentation."""
    text = page.read_text()
    return [
        (text[: found.start(3)].count("\n"), found[2], textwrap.dedent(found[3])) for found in _BLOCK.finditer(text)
    ]


def file_of(page, before):
    """Return the path of the file that a block shows, as the last line above it names it: `path`: and a blank line."""
    above = page.read_text().splitlines()[: before - 1]
    found = FILE.fullmatch(above[-2]) if len(above) > 1 and not above[-1] else None
    return found and found[1]


def run(page):
    """Run all blocks of a page except the files that it shows; return the number of doctests that fail."""
    namespace = {"__name__": "page"}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for before, language, code in blocks(page):
        if language == "python" and not file_of(page, before):
            exec(compile("\n" * before + code, str(page), "exec"), namespace)
        if language == "pycon":
            test = parser.get_doctest(code, namespace, page.name, str(page), before)
            test.globs = namespace  # instead of a copy
            runner.run(test, clear_globs=False)
    return runner.failures


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])) != 0)
