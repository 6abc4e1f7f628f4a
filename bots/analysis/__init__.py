"""What a bot or a search makes of positions."""
