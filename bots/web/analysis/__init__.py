"""Computations for clients: searches, exact values, and the scheduler that gives them threads."""
