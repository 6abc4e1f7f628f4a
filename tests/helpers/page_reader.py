"""A parser that collects text, links, styles and data of a report page."""

import json
from html.parser import HTMLParser

VOID = {"meta", "input", "wbr", "br", "img", "link", "hr"}
"""Elements without an end tag."""


class Page(HTMLParser):
    """Parsed content of a page. An element that is not closed, or closed twice, is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.texts, self.scripts = [], [], set(), [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.note(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attrs):
        self.note(tag, attrs)

    def note(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if "id" in names:
            assert dict(attrs)["id"] not in self.ids
            self.ids.add(dict(attrs)["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts[-1] += data
        elif self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self):
        return json.loads(self.scripts[0])
