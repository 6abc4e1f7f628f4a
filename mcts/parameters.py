"""The kinds of parameter that searchers and bots take, as games do."""

from cext.facts import Choice, Flag, Integer, Parameter, Real, Text, read_parameters

__all__ = ["Choice", "Flag", "Integer", "Parameter", "Real", "Text", "read_parameters"]
