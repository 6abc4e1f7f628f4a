"""Recorded random games: what is drawn, written, legal and seen at every ply is the same to the byte.

`python tests/helpers/playthrough.py --write` records them anew; the difference shows in `git diff`.
"""

import playthrough
import pytest

RECORDED = playthrough.recorded()


@pytest.mark.parametrize("spec", playthrough.specs())
def test_playthroughs_equal_the_recorded_ones(spec):
    assert playthrough.recording(spec) == RECORDED[spec]


def test_every_recording_belongs_to_a_variant():
    assert sorted(RECORDED) == sorted(playthrough.specs())
