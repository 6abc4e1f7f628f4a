"""Routes of the interface under `/api/v1`, one file for each part."""
