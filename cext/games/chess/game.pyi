from ...game.game import Game
from ...game_info import GameInfo

INFO: GameInfo

class Chess(Game): ...

GAME = Chess
