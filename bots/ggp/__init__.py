"""The protocol of general game playing over HTTP: messages, and our player."""
