"""Display names of bots: they are shown everywhere and change no game."""

import json

import numpy as np
import pytest

import bots
import mcts
from bots.arena.runner import run_tournament
from bots.arena.store.store import TEMPORARY, Store
from bots.arena.tournament.names import read_names, unique_labels
from bots.arena.tournament.schedule import Tournament
from mcts.seeds import seed_for

THREADS = ("--executor", "threads")
BOTS = ("greedy", "random", "random")


def test_a_name_stands_for_its_bot_and_the_others_keep_their_specs():
    of = Tournament("mnk", 2, BOTS, 1, names=("", "old", ""))
    assert of.labels == ("greedy", "old", "random")
    assert Tournament("mnk", 2, BOTS, 1).labels == tuple(unique_labels(BOTS)) == ("greedy", "random", "random#2")


def test_names_change_neither_digest_nor_results():
    plain = Tournament("mnk", 2, BOTS, 2, 5)
    named = Tournament("mnk", 2, BOTS, 2, 5, names=("a", "b", "c"))
    assert named.digest == plain.digest
    assert run_tournament(named, executor="threads").records == run_tournament(plain, executor="threads").records
    assert Tournament.from_dict(json.loads(json.dumps(named.to_dict()))) == named


def test_a_tournament_that_goes_on_shows_the_names_it_was_given_last():
    with Store(TEMPORARY) as store:
        keys = [store.open_tournament(Tournament("mnk", 2, BOTS, 2, names=n)) for n in ((), ("a", "b", "c"))]
        assert len(set(keys)) == 1
        assert [stored.tournament.labels for stored in store.tournaments()] == [("a", "b", "c")]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a", "a", ""), "two bots have the label 'a'"),
        (("random", "", ""), "two bots have the label 'random'"),
        (("a", "b"), "2 names for 3 bots"),
        (("a" * 61, "", ""), "1 to 60 printable characters"),
        ((" a", "", ""), "is not a name for a bot"),
        (("a\n", "", ""), "is not a name for a bot"),
        (("\x1b[31mred", "", ""), "is not a name for a bot"),
        (("\ud800", "", ""), "is not a name for a bot"),
        (("\u202eevil", "", ""), "is not a name for a bot"),
        ((7, "", ""), "7 is not a name for a bot"),
    ],
)
def test_invalid_names_are_refused(names, words):
    with pytest.raises(bots.TournamentError, match=words):
        Tournament("mnk", 2, BOTS, 1, names=names)


@pytest.mark.parametrize("text", ["new", "0=new", "3=new", "x=new", "=new", "-1=new", "9" * 5000 + "=new"])
def test_texts_that_name_no_bot_are_refused(text):
    with pytest.raises(bots.TournamentError, match="NUMBER=NAME as in 1=new, the number from 1 to 2"):
        read_names(2, [text])


def test_names_are_read():
    assert read_names(3, ["2=new", "3=a=b"]) == ("", "new", "a=b")
    assert read_names(3, []) == ()
    with pytest.raises(bots.TournamentError, match="two names, 'a' and 'b'"):
        read_names(3, ["1=a", "1=b"])


@pytest.mark.parametrize("seed", [5, 2**63 + 1, 2**64 - 1])
def test_seeds_of_bots_and_paths_are_taken_modulo_two_to_the_64(seed):
    view = mcts.load_game("mnk(m=8,n=8,k=5)").new_initial_state().view(0)

    def choices(given):
        bot = bots.load_bot("random")
        bot.new_game(view.game, 0, given)
        return [bot.choose(view) for _ in range(5)]

    for same in (np.uint64(seed), seed + 2**64, seed - 2**64):
        assert choices(same) == choices(seed)
        assert seed_for(same, np.int64(3)) == seed_for(seed, 3)
    assert choices(seed + 1) != choices(seed)
    for wrong in (1.5, "1", None):
        with pytest.raises(TypeError):
            seed_for(wrong)
        with pytest.raises(TypeError):
            choices(wrong)


def test_seeds_are_whole_numbers_of_any_size_and_type():
    def of(seed):
        return Tournament("mnk", 2, BOTS, 1, seed)

    assert of(np.uint64(7)).to_dict() == of(7).to_dict()
    assert of(2**64 + 7).digest == of(7).digest
    assert of(-1).seed == 2**64 - 1
    assert of(10**5000).seed == 10**5000 % 2**64
    for bad in (1.0, "1", None, True):
        with pytest.raises(bots.TournamentError, match="seed="):
            of(bad)
    with pytest.raises(bots.TournamentError, match="very large integer"):
        Tournament("mnk", 2, BOTS, 10**5000)
    assert type(Tournament("mnk", 2, BOTS, np.int64(3)).rounds) is int


def test_names_stand_in_tables_listings_replays_pages_and_data(playout, tmp_path):
    command = ["arena", "mnk", "random", "random", *THREADS, "--games", "2", "--name", "2=[new]"]
    result = playout(*command, "-o", "out.json")
    assert result.status == 0
    assert "[new]" in result.out
    assert "[new]: random" in result.out
    bots = {bot["bot"]: bot["spec"] for bot in json.loads((tmp_path / "out.json").read_text())["bots"]}
    assert bots == {"random": "random", "[new]": "random"}
    assert "[new]" in playout("records", "arena.db").out
    assert "o: [new]" in playout("replay", "arena.db", "1").out
    assert "[new]" in playout("ratings", "--anchor", "[new]=1000").out
    playout("report")
    assert "[new]" in (tmp_path / "report.html").read_text()
    assert "2 of them stored before" in playout(*command[:-1], "2=other").err
    assert "other" in playout("ratings").out
