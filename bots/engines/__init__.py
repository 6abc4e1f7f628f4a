"""Programs of others: one room for processes, options, time and failures, and one file for each protocol."""
