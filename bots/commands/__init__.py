"""The commands of `playout`: each file named after a command defines it as a function `command`; `common` is shared."""
