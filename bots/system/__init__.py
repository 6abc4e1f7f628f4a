"""Everything that depends on the operating system: one place for each use, with a fallback. See docs/platforms.md."""
