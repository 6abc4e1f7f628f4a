"""Learning from games of a search against itself."""
