"""Playing games: one match, the workers, and what runs the workers."""
