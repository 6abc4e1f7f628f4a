"""Bots of this package in the interfaces of other packages, and their bots in this one. Each is an extra."""
