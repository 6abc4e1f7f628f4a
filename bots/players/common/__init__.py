"""Code that several bots share; `bots.registry` finds no bots here."""
