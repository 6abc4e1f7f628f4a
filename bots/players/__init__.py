"""The bots that come with Playout, one in each file."""
