"""`name(key=value,...)`: how games, searchers and bots are named everywhere."""

from cext.spec import format_spec, parse_spec

__all__ = ["format_spec", "parse_spec"]
