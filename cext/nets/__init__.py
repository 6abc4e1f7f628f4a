"""Value nets: small networks that estimate the values of states, read by compiled code."""

from .. import _variant

__path__ = _variant.search_path(__path__, "nets")
