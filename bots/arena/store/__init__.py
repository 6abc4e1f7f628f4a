"""Games on disk, and what is written out of them."""
