"""One file a searcher. A module here that defines SEARCHER is a searcher; nothing else needs to know its name."""
