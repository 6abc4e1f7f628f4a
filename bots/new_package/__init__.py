"""Packages to begin with: templates, and the function that writes them."""
