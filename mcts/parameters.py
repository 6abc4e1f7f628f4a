"""The kinds of parameter that searchers and bots take, as games do."""

from cext.parameters import Choice, Flag, Integer, Parameter, Real, Text, read_parameters

__all__ = ["Choice", "Flag", "Integer", "Parameter", "Real", "Text", "read_parameters"]
