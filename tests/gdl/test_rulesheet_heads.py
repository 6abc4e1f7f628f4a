"""The comments at the head of a rulesheet."""

import pytest
from rulesheets import FOLDER

from mcts.gdl.head import MOST_CHARACTERS, read_head


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}),
        ("; title: Nim\n;; board:  heap(n) \n", {"title": "Nim", "board": "heap(n)"}),
        ("\n; A comment.\n;title: Nim", {"title": "Nim"}),
        ("; title: one\n; title: two", {"title": "one"}),
        ("(role a)\n; title: late", {}),
        ("; Title: no key\n; two words: no key\n; title:\n; url:a", {}),
        ("; title: \x1b[31mred\x07", {"title": "[31mred"}),
        ("; title: " + "x" * 10**6, {"title": "x" * MOST_CHARACTERS}),
    ],
)
def test_the_head_is_read_up_to_the_first_expression(text, fields):
    head = read_head(text)
    assert head.fields == fields
    assert (head.title, head.summary) == (fields.get("title", ""), "")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.kif")), ids=lambda path: path.stem)
def test_rulesheets_of_the_library_have_a_title_a_summary_and_a_size(path):
    text = path.read_text()
    head = read_head(text)
    assert 0 < len(head.title) <= 40
    assert 0 < len(head.summary) <= 100
    assert 0 < len(head.fields["size"]) <= 10
    assert all(len(line) <= 120 for line in text.splitlines())
