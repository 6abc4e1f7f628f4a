"""Statistics of results: errors, tests and ratings, from the counts of distinct blocks."""
