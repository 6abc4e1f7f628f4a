"""Rating models, one file each; the model called `name` is the class that `name.py` assigns to `MODEL`."""
