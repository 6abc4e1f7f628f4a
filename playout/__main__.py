"""The command `playout`, and `python -m playout`."""

from bots.cli import main

if __name__ == "__main__":
    main()
