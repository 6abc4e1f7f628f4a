"""A game between players of any kind: its course, its loop, failures of bots, and its record as JSON."""

from .parts import ADJUDICATED as ADJUDICATED
from .parts import DRAW_AGREED as DRAW_AGREED
from .parts import FAILED as FAILED
from .parts import FINISHED as FINISHED
from .parts import MAX_PLIES as MAX_PLIES
from .parts import RESIGNED as RESIGNED
from .parts import UNFINISHED as UNFINISHED
from .parts import RecordedFailure as RecordedFailure
from .parts import RecordedPly as RecordedPly
from .parts import RecordedRules as RecordedRules
from .parts import RecordedSeat as RecordedSeat
from .parts import RecordedView as RecordedView
from .record import Record as Record
from .record import read_records as read_records
from .replay import game_of as game_of
from .replay import recorded_plies as recorded_plies
from .replay import recorded_rules as recorded_rules
from .replay import replayed as replayed
