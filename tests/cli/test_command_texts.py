"""What commands print for people: equal to what is recorded, word for word."""

import pytest
from recorded_texts import COLUMNS, cases, plain, words_of

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case[0][0] for case in CASES])
def test_commands_print_what_is_recorded(playout, case):
    for command, recorded in case:
        words, stdin = words_of(command)
        done = playout(*words, stdin=stdin, columns=COLUMNS)
        assert plain(done.out, done.err, done.status) == recorded, command
