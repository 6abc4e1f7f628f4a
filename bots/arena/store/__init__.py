"""Games on disk, and their export to other formats."""
