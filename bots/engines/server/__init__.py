"""Our side of the protocols: bots as engines for other programs."""
