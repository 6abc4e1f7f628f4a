"""Tournaments of a database, for clients that watch them."""
