"""External engines: programs of anybody's that play over the Universal Game Interface, and this one's side of it."""
