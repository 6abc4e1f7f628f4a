"""A module with a bot whose import never ends."""

import time

from bots import Bot

time.sleep(100)


class Late(Bot):
    pass
