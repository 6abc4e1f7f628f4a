"""What the games of a tournament come to."""
