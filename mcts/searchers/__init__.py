"""The searchers, one in each file. A module that defines SEARCHER is found; no list has to be changed."""
