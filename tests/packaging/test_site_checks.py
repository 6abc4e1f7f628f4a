"""docs/check_site.py finds what is wrong with a site."""

import contextlib
import io
import runpy
import sys

import pytest
from documents import DOCS

GOOD = {
    "index.html": '<link rel="stylesheet" href="style.css"><h1 id="a">A</h1><img src="p.svg" alt="p">'
    '<a href="b.html#c">b</a><a href="https://example.org/">elsewhere</a><link rel="author" href="https://example.org/"><code>``x``</code>',
    "b.html": '<p id="c">text</p><a href="#c">here</a><a href="index.html">start</a>',
    "style.css": "body { background: url(p.svg); }",
    "p.svg": "<svg/>",
    "searchindex.js": "",
}


def check(folder, files):
    """Write a site and check it: exit status and lines."""
    for name, text in files.items():
        (folder / name).write_text(text)
    main, told = runpy.run_path(str(DOCS / "check_site.py"))["main"], io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(told):
        patch.setattr(sys, "argv", ["check_site.py", str(folder)])
        return main(), told.getvalue().splitlines()


def test_a_good_site_has_no_errors(tmp_path):
    assert check(tmp_path, GOOD) == (0, [])


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("b.html", '<p id="d">', "index.html: links to b.html#c, a page without this anchor"),
        ("b.html", '<p id="c"><a href="no.html">', "b.html: links to no.html, which does not exist"),
        ("b.html", '<p id="c"><a href="../b.html">', "b.html: links to ../b.html, which does not exist"),
        ("b.html", '<p id="c"><img src="p.svg">', "b.html: shows p.svg without a text in its place"),
        ("b.html", '<p id="c"><img src="q.svg" alt="q">', "b.html: loads q.svg, which does not exist"),
        (
            "b.html",
            '<p id="c"><script src="https://cdn.example.org/x.js"></script>',
            "b.html: loads https://cdn.example.org/x.js from another host",
        ),
        (
            "b.html",
            '<p id="c"><link rel="preload stylesheet" href="//example.org/x.css">',
            "b.html: loads //example.org/x.css from another host",
        ),
        ("b.html", '<p id="c">``code``</p>', "b.html: shows markup as text: '``'"),
        ("b.html", '<p id="c">[text](page.md)</p>', "b.html: shows markup as text: '](page.md)'"),
        (
            "style.css",
            "@font-face { src: url('https://fonts.example.org/x') }",
            "style.css: loads https://fonts.example.org/x from another host",
        ),
    ],
)
def test_an_error_is_found(name, text, error, tmp_path):
    status, lines = check(tmp_path, {**GOOD, name: text})
    assert status == 1
    assert error in lines


def test_a_folder_without_a_site_is_an_error(tmp_path):
    status, (line,) = check(tmp_path, {})
    assert status == 1
    assert line.endswith("has no pages or no index for the search")
