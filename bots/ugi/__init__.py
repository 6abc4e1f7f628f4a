"""The Universal Game Interface: external engines as bots, and bots as engines for other programs."""
