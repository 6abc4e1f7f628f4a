# Nothing for Python: what tree.pxd declares is for other compiled modules.
