# Nothing here can be called from Python.
