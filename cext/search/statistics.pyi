# Nothing for Python: what statistics.pxd declares is for other compiled modules.
