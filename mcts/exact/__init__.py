"""Exact solutions of games: values, optimal policies, best responses."""
