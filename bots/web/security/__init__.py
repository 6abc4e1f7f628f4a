"""Who may use the server, what may be asked for, and what may be seen."""
