"""Records of played games: one format of JSON for matches, tournaments and `playout replay`."""

from .parts import ADJUDICATED as ADJUDICATED
from .parts import DRAW_AGREED as DRAW_AGREED
from .parts import FAILED as FAILED
from .parts import FINISHED as FINISHED
from .parts import MAX_PLIES as MAX_PLIES
from .parts import RESIGNED as RESIGNED
from .parts import UNFINISHED as UNFINISHED
from .parts import RecordedFailure as RecordedFailure
from .parts import RecordedPly as RecordedPly
from .parts import RecordedSeat as RecordedSeat
from .parts import RecordedView as RecordedView
from .record import Record as Record
from .record import read_records as read_records
from .replaying import Position as Position
from .replaying import game_of as game_of
from .replaying import replayed as replayed
