from my_searchers import FlatMonteCarlo

from bots import SearchBot


class FlatBot(SearchBot):
    SEARCHER = FlatMonteCarlo
