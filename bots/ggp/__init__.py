"""The protocol of general game playing over HTTP: a player, and a host of matches."""
