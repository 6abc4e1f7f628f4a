from ...game.game import Game
from ...game_info import GameInfo

INFO: GameInfo

class Go(Game): ...

GAME = Go
