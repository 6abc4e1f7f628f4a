"""Options, consoles and files, shared by the commands."""
