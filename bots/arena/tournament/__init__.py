"""Description and schedule of tournaments: games, pairings, openings, limits and failure policies."""
