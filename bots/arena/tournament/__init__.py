"""What a tournament is: its games, pairings, openings and limits."""
