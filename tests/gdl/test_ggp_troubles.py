"""A player of general game playing whose bot is late, and whose host sends rules that take long."""

import os
import random
import re
import threading
from contextlib import ExitStack, contextmanager

import ggp_network
import pytest
from ggp_network import exchange, request, say, serving
from rulesheets import FOLDER
from waiting import HANG_SECONDS, wait_until

import mcts
from bots.ggp.errors import MessageError
from bots.ggp.messages import Preview, Start, read_message
from bots.system.process_tree import descendants
from mcts.gdl.parser import parse
from mcts.gdl.texts import kif_of_text, kif_text

TIC_TAC_TOE = " ".join(kif_text(each.expression) for each in parse((FOLDER / "tic_tac_toe.kif").read_text()))


def walk(length):
    """Rules whose compilation takes a time that grows with the third power of the length, and little memory."""
    return (
        "(role x) (legal x go) (init (at 0)) (<= terminal (true (at 200))) (goal x 100)"
        "(<= (next (at ?b)) (does x go) (true (at ?a)) (edge ?a ?b) (path ?a ?b)) (<= (path ?a ?b) (edge ?a ?b))"
        "(<= (path ?a ?c) (path ?a ?b) (path ?b ?c))" + "".join(f"(edge {i} {i + 1})" for i in range(length))
    )


ENDLESS = walk(3000)
"""They take a minute."""


@contextmanager
def heard(port, body):
    """Send a message with rules in the background. Yield a list, to which its answer is added, once it is waiting."""
    answers, rules = [], read_message(body).rules

    before = port.sheets.begun[rules]
    thread = threading.Thread(target=lambda: answers.append(exchange(port, request(body)).partition(b"\r\n\r\n")[2]))
    thread.start()
    wait_until(lambda: answers or port.sheets.begun[rules] > before)
    yield answers
    thread.join(HANG_SECONDS)
    assert answers


def start(port, rules, clock=HANG_SECONDS, play=HANG_SECONDS):
    """Start the match m1 as `x`, and return the answer."""
    status, answer = say(port, f"(START m1 x ({rules}) {clock} {play})")
    assert status == 200
    return answer


def start_known(port, play=HANG_SECONDS):
    """Start a match of rules that are compiled already, without waiting for the bot."""
    assert say(port, f"(PREVIEW ({TIC_TAC_TOE}) {HANG_SECONDS})") == (200, "ready")
    loaded = port.sheets.num_loaded
    assert start(port, TIC_TAC_TOE, 1, play) == "ready"
    wait_until(lambda: port.sheets.num_loaded > loaded)


def legal_answers(port, plies):
    """Play m1 as the host and as `o`; yield the moves of `x`, which must be legal."""
    state = mcts.load_game(str(FOLDER / "tic_tac_toe.kif")).new_initial_state()
    rng, last = random.Random(1), "NIL"
    for _ in range(plies):
        for player in (0, 1):
            status, answer = say(port, f"(PLAY m1 {last})")
            assert status == 200
            if player == 0:
                [action] = [
                    each for each in state.legal_actions(0) if kif_of_text(state.action_to_string(0, each)) == answer
                ]
                yield answer
                last = f"({answer} noop)"
            else:
                assert answer == "noop"
                action = rng.choice(state.legal_actions(1))
                last = f"(noop {kif_of_text(state.action_to_string(1, action))})"
            state.apply_action(action)


@pytest.mark.sample(2)
@pytest.mark.parametrize("bot", ["Sleeper", "Hanger", "Unmade", "Crasher", "Exiter", "Slow"])
def test_every_move_is_legal_though_the_bot_is_late_or_fails(bot):
    try:
        with serving(f"ggp_network.{bot}", margin=0.3) as port:
            start_known(port, play=1)
            assert len(list(legal_answers(port, 2))) == 2
            assert say(port, "(ABORT m1)") == (200, "aborted")
            ggp_network.RELEASED.set()
    finally:
        ggp_network.RELEASED.set()


def test_a_late_bot_joins_the_match():
    try:
        with serving("ggp_network.Sleeper") as port:
            start_known(port)
            ggp_network.RELEASED.set()
            assert next(legal_answers(port, 1)) == "(mark 3 3)"  # that of the bot
    finally:
        ggp_network.RELEASED.set()


def test_a_bot_that_hangs_does_not_keep_the_next_one_from_playing():
    try:
        with serving("ggp_network.Hanger") as port:
            start_known(port)
            assert say(port, "(ABORT m1)") == (200, "aborted")
            assert start(port, TIC_TAC_TOE) == "ready"
            assert next(legal_answers(port, 1)) == "(mark 3 3)"
            ggp_network.RELEASED.set()
    finally:
        ggp_network.RELEASED.set()


def test_rules_that_take_long_are_given_up_for_others():
    with serving() as port, ExitStack() as stack:
        answers = [
            stack.enter_context(heard(port, f"(PREVIEW ({ENDLESS} (edge {number} {number})) 600)"))
            for number in range(3)
        ]
        wait_until(lambda: answers[:2] == [[b"ready"]] * 2)  # nobody waits for these any more
        assert start(port, TIC_TAC_TOE) == "ready"
        assert next(legal_answers(port, 1)).startswith("(mark ")


def test_rules_that_take_long_end_with_their_match():
    before = set(descendants(os.getpid()))
    with serving() as port:
        with heard(port, f"(START m1 x ({ENDLESS}) 600 1)") as answers:
            assert say(port, "(PLAY m1 NIL)") == (200, "noop")
            assert say(port, "(ABORT m2)") == (200, "busy")
            assert not answers
            assert say(port, "(ABORT m1)") == (200, "aborted")
        assert answers == [b"busy"]
        assert start(port, TIC_TAC_TOE) == "ready"
        wait_until(lambda: len(set(descendants(os.getpid())) - before) == 1, "not only the process for the next rules")


@pytest.mark.long
def test_a_match_is_played_as_soon_as_its_rules_are_compiled():
    """Until then its steps are kept."""
    with serving() as port:
        assert start(port, walk(800), 1, 3) == "ready"
        answers = [say(port, "(PLAY m1 NIL)")]
        while answers[-1] == (200, "noop"):
            answers.append(say(port, "(PLAY m1 (go))"))
        assert answers[0] == (200, "noop")
        assert answers[-1] == (200, "go")


def test_rules_of_a_preview_are_compiled_once():
    """The match waits for the compilation that is under way."""
    with serving() as port, heard(port, f"(PREVIEW ({ENDLESS}) 600)") as first:
        before = set(descendants(os.getpid()))
        with heard(port, f"(START m1 x ({ENDLESS}) 600 1)") as second:
            assert set(descendants(os.getpid())) == before
            assert not first
            say(port, "(ABORT m1)")
        assert second == [b"busy"]
        assert not first  # the preview still waits
        with heard(port, "(PREVIEW ((role x)) 5)"):
            pass
        wait_until(lambda: first == [b"ready"])


def test_a_large_rulesheet_is_not_read_before_it_is_compiled():
    rules = "(role x)" + " (p (" * 700_000
    with serving() as port:
        assert start(port, TIC_TAC_TOE) == "ready"
        assert say(port, f"(START m2 x ({rules}) 1 1)") == (200, "busy")
        assert say(port, f"(PLAY m1 ({rules}))")[0] == 400
        assert next(legal_answers(port, 1)).startswith("(mark ")


def test_messages_are_read_without_their_rules():
    start = "\n( start m1 x;comment (\n((role x) ;)\n (((p) ; not read\n) 5\r\n6 ) ;) 7 8)"
    assert read_message(start) == Start("m1", "x", "(role x) \n (((p) \n", 5, 6)
    assert read_message("(PREVIEW() 5)") == Preview("", 5)
    for text, message in (
        ("(START m1 x rules 5 6)", "the rules are a word"),
        ("(START m1 x ((role x)) 5 6 7)", "START has 6 arguments"),
        ("(START m1 x ((role x)) 5 (6))", "the play clock is a list"),
        ("(PREVIEW ((role x)) 5 6)", "PREVIEW has 3 arguments"),
        ("(PREVIEW ((role x)) (5))", "the preview clock is a list"),
        ("(PREVIEW ((role x)))", "PREVIEW has 1 arguments"),
        ("(START m1 x ((role x)) 5 6", "expressions"),
        ("(START m1 " + "x" * 70_000 + " ((role x)) 5 6)", "70,0"),
        ("(PLAY m1 (" + "x " * 40_000 + "))", "valid: up to 65,536"),
    ):
        with pytest.raises(MessageError, match=re.escape(message)):
            read_message(text)
