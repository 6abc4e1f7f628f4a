"""Analysis of bots and positions."""
