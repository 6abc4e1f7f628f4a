"""A parser that collects elements, scripts and data of a report page."""

import json
from html.parser import HTMLParser

VOID = {"meta", "input", "wbr", "br", "img", "link", "hr"}
"""Elements without an end tag."""


class Page(HTMLParser):
    """Parsed content of a page. An element that is not closed, or closed twice, is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.scripts = [], [], set(), []
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

    @property
    def data(self):
        return json.loads(self.scripts[0])

    @property
    def text(self):
        """All texts of the data."""
        return " ".join(texts_of(self.data))


def texts_of(data):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from (key, *texts_of(value))
    elif isinstance(data, list):
        for value in data:
            yield from texts_of(value)
    elif isinstance(data, str):
        yield data
