"""How often a bot keeps the value of a position of connect four, against a perfect solver."""
