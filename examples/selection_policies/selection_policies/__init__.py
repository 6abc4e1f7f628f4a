"""Selection policies outside the tree of Playout: UCB1-tuned and Thompson sampling."""
