"""Recorded random games: what is drawn, written, legal and seen at every ply is the same to the byte.

`python tests/helpers/playthrough.py --write` records them anew; the difference shows in `git diff`.
"""

import playthrough
import pytest


@pytest.mark.parametrize("spec", playthrough.specs())
def test_playthroughs_equal_the_recorded_ones(spec):
    assert playthrough.recording(spec) == playthrough.path_of(spec).read_text()


def test_every_recording_belongs_to_a_variant():
    assert sorted(playthrough.FOLDER.iterdir()) == sorted(map(playthrough.path_of, playthrough.specs()))
