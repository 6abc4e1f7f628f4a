"""Results of tournaments: counts, standings and reports."""
