"""The server of `playout serve`: matches and analysis as JSON and over WebSockets, and the page that shows them."""
