"""Shared by games on boards: symmetries, lines, encodings, and boards as text."""

from ... import _variant

__path__ = _variant.search_path(__path__, "games", "common")
