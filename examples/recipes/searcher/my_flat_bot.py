from my_searchers import FlatMonteCarlo

from playout import SearchBot


class FlatBot(SearchBot):
    SEARCHER = FlatMonteCarlo
