"""Shared by games on boards: symmetries, lines, cells, encodings, legality checks, boards as text."""

from ... import _variant

__path__ = _variant.search_path(__path__, "games", "common")
