"""Engines: programs that speak UGI, UCI or GTP. Each protocol has a file; processes, options and time are shared."""
