"""Pictures of the built-in games: one module with the name of each game, and a function `picture` in it."""
