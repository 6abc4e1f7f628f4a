"""Access to the server: tokens, limits, and the games, bots and positions that a client may name or see."""
