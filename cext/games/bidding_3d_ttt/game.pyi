from ...game.game import Game
from ...game_info import GameInfo

INFO: GameInfo

class Bidding3dTtt(Game): ...

GAME = Bidding3dTtt
