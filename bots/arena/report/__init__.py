"""Results as text, JSON and a page."""
