"""Run the Python of a page and its doctests in one namespace, in order. A process of its own: pages register bots.

python page_runner.py PAGE
"""

import doctest
import sys
from pathlib import Path

from documents import blocks, file_of


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
