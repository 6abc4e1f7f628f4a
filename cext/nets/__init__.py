"""Nets: small networks that estimate the values of states and which actions are good, read by compiled code."""

from .. import _variant

__path__ = _variant.search_path(__path__, "nets")
