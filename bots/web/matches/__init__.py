"""The matches of a server."""
