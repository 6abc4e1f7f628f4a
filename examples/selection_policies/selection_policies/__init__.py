"""Selection policies outside the tree of Playout: UCB1-tuned, Thompson sampling, and decoupled UCB1."""
