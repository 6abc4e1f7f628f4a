"""The commands of `playout`, a file for each group of them, and what they share."""
