"""Statistics of results: errors, tests and ratings, as functions of how often each distinct block was played."""
