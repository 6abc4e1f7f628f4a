"""Calls of the operating system, with fallbacks (see docs/platforms.md), and checks of untrusted input."""
