"""Records of games: what a match, the arena and `playout play` write is read, replayed and continued."""

import json
import random
import sys
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest
from chance_games import Dice
from hypothesis import given, settings
from hypothesis import strategies as st
from playthrough import random_joint
from rulesheets import path_of
from sampling import sweep
from support import DATA, JSON, random_path

import bots
import mcts
from bots import arena
from bots.game import game_of, read_records, replayed
from mcts.parameters import Integer
from mcts.registry import native_games

THREADS = ("--executor", "threads")
HIDDEN = "bidding_3d_ttt(chips=12)"
SCHEMA = json.loads(resources.files("bots.game").joinpath("record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
DICE = "dice_ttt"


def play(match, plies=400):
    """Let the persons of a match play sampled actions, for a number of plies or to the end."""
    while not match.is_over and len(match.history(0)) < plies:
        for name in match.waits_for:
            match.play(match.view(name).sample_action(len(match.history(name))), name, plies=1)
        if not match.is_over and not match.waits_for:
            match.go_on(1)


def finished(spec="mnk", seed=3, **keywords):
    """Return the record of a game between persons who play sampled actions."""
    with bots.Match(spec, seed=seed, **keywords) as match:
        play(match)
        return match.record()


def check_round_trip(record, game):
    """Check that a record is valid, and is read as it was written, in both layouts."""
    for text in (record.to_json(), record.to_line()):
        VALIDATOR.validate(json.loads(text))
        assert bots.Record.from_json(text) == record
        assert bots.Record.from_json(text.encode()) == record
    *_, last = replayed(record, game)
    return last.state


def views(match):
    return [match.view(player) for player in range(match.game.num_players)]


@sweep("spec", [*native_games(), "tic_block(block_phase=simultaneous)"], 4)
@settings(max_examples=12)
@given(seed=st.integers(0, 2**64 - 1), plies=st.integers(0, 12), resigns=st.booleans())
def test_every_game_is_recorded_and_continued(spec, seed, plies, resigns):
    game = mcts.load_game(spec)
    start = random_path(game, seed % 1000, 2)[-1] if seed % 3 == 0 else None
    if start is not None and start.is_terminal():
        start = None
    with bots.Match(game, seed=seed, start=start) as match:
        play(match, plies)
        if resigns and not match.is_over:
            match.resign(seed % game.num_players)
        record, seen = match.record(), views(match)
    state = check_round_trip(record, game)
    assert [state.view(player) for player in range(game.num_players)] == seen
    with bots.Match.load(record, trusted=True) as again:
        assert again.record() == replace(record, restarts=record.restarts + bool(record.plies))
        assert (views(again), again.returns, again.seed) == (seen, match.returns, match.seed)
        assert again.history(0) == match.history(0)


def test_bots_times_values_and_results_are_recorded(tmp_path):
    with bots.Match("mnk", {"o": "mcts(simulations=50)", "x": "random"}, seed=5) as match:
        match.go_on()
        match.save(tmp_path / "game.json")
    record = bots.Record.read(tmp_path / "game.json")
    assert record == match.record()
    assert [seat.bot for seat in record.seats] == ["random", "mcts(simulations=50)"]
    assert (record.ending, record.returns, record.seed) == ("finished", match.returns, 5)
    assert all(0 <= ply.values["o"] <= 100 for ply in record.plies[1:3:2])
    assert not any("x" in ply.values for ply in record.plies)
    for ply in record.plies:
        assert ply.seconds.keys() == ply.actions.keys()
    for seat in record.seats:
        assert seat.seconds == pytest.approx(sum(ply.seconds.get(seat.player, 0) for ply in record.plies), abs=1e-5)


def test_bots_of_a_record_need_trust_and_others_do_not(tmp_path):
    path = tmp_path / "game.json"
    with bots.Match("bidding_ttt(coins=20)", {"o": "random"}, seed=1) as match:
        match.play("bid(3)", plies=1)
        match.save(path)
    with pytest.raises(bots.RecordError, match=r"names bots, which could run any program: random; valid: trusted=True"):
        bots.Match.load(path)
    for given_bots, trusted in ((None, True), ({"o": "random"}, False), ({}, False)):
        with bots.Match.load(path, given_bots, trusted=trusted) as again:
            assert again.history() if given_bots is None else True
            assert again.seats["o"] == (None if given_bots == {} else "random")
    with bots.Match.load(path, {"o": "random"}) as again:
        again.undo()
        assert again.history() == []
        again.redo()
        assert again.record().plies[:1] == match.record().plies


def test_a_bot_is_told_the_plies_of_a_record():
    class Listener(bots.Bot):
        heard = ()

        def new_game(self, game, player, seed):
            self.heard = []

        def inform(self, step):
            self.heard.append(step)

        def choose(self, view, limit=None):
            return view.legal_actions()[0]

    with bots.Match("mnk", seed=1) as match:
        match.play("mark(2,2)")
    listener = Listener()
    with bots.Match.load(match.record(), {"o": listener}) as again:
        assert listener.heard == ["mark(2,2)", "mark(1,1)"]
        assert again.history() == [{"x": "mark(2,2)"}, {"o": "mark(1,1)"}]


def test_chance_brings_the_same_outcomes_after_a_load():
    with bots.Match(Dice(), seed=4) as match:
        match.play(0, 0)
        record = match.record()
        match.play(1, 1)
    with pytest.raises(mcts.errors.UnknownGameError):
        bots.Match.load(record)
    with bots.Match.load(record, game=Dice()) as again:
        again.play(1, 1)
        assert again.history() == match.history()
        assert [ply.actions for ply in again.record().plies] == match.history()


@pytest.mark.parametrize("spec", [HIDDEN, "bidding_ttt", "mnk"])
def test_a_player_gets_no_more_than_its_view(spec):
    game = mcts.load_game(spec)
    with bots.Match(game, {1: "random"}, seed=2) as match:
        play(match, 2)
        whole, known = match.record(), match.view_record()
        VALIDATOR.validate(json.loads(known.to_json()))
        assert bots.Record.from_json(known.to_json()) == known
        assert known.seed is None
        assert not any(ply.values for ply in known.plies)
        own, other = game.players
        if not game.has_hidden_information:
            assert [ply.actions for ply in known.plies] == [ply.actions for ply in whole.plies]
            with bots.Match.load(known, {}) as again:
                assert again.history(0) == match.history(0)
        else:
            for ply, hidden in zip(whole.plies, known.plies, strict=True):
                assert hidden.actions == {own: ply.actions[own], other: None}
                assert other not in hidden.seconds
                assert ply.actions[other] not in known.to_json()
            assert known.view.text == match.view().to_text()
            with pytest.raises(bots.RecordError, match="only what red knows, and cannot be replayed"):
                bots.Match.load(known, {})
        with pytest.raises(mcts.StateError) if game.has_hidden_information else pytest.raises(mcts.ParameterError):
            match.view_record(other if game.has_hidden_information else "nobody")
        play(match)
        assert match.view_record(own) == match.record()


def test_failed_games_keep_the_failure():
    match = bots.Match("mnk", {"o": "troublesome_bots.Crasher"}, seed=1)
    with pytest.raises(bots.BotFailureError):
        match.play("mark(2,2)")
    record = match.record()
    check_round_trip(record, match.game)
    assert (record.ending, record.returns) == ("failed", None)
    (failure,) = record.failures
    assert (failure.player, failure.kind, failure.ply) == ("o", "crash", 1)
    assert "no idea what to do" in failure.message
    with bots.Match.load(record, {"o": "random"}) as again:
        play(again)
        assert again.record().ending == "finished"


def test_a_value_that_cannot_be_had_is_left_out(caplog):
    class Silent(bots.Bot):
        def choose(self, view, limit=None):
            return view.legal_actions()[0]

        def expected_return(self, player):
            raise RuntimeError("no value")

    with bots.Match("mnk", {"x": Silent()}) as match:
        assert match.record().plies[0].values == {}
    assert "no value" in caplog.text


def test_the_arena_writes_the_same_format(tmp_path):
    games = {
        "points_ttt": ["random", "greedy"], HIDDEN: ["random", "web"], DICE: ["random", "random"],
        "three_player_ttt": ["random", "greedy", "random"],
        "bidding_ttt": ["random", "troublesome_bots.Crasher:after=1"],
    }  # fmt: skip
    for number, (spec, names) in enumerate(games.items()):
        path = tmp_path / f"{number}.db"
        rules = {"opening_plies": 1} if number == 0 else {"max_plies": 2} if number == 3 else {}
        with arena.run(
            arena.describe(spec, names, games=len(names), **rules), workers=1, db=path, executor="threads"
        ) as result:
            for stored in result.records():
                record = arena.record_of(result.tournament, stored)
                check_round_trip(record, mcts.load_game(spec))
                assert record.returns == stored.record.returns
                wanted = {3: "max plies", 4: "failed"}.get(number, "finished")
                assert record.ending == wanted
                with bots.Match.load(record, {}, trusted=True) as match:
                    assert len(match.history(0)) == stored.record.plies
                    assert match.is_over == (wanted == "finished")


def test_a_position_as_opening_is_the_start(tmp_path, playout):
    (tmp_path / "openings.txt").write_text("x../.o./..._x\n")
    assert (
        playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "2", "--openings", "openings.txt").status == 0
    )
    for line in playout("records", "-o", "-").out.splitlines():
        record = bots.Record.from_json(line)
        assert (record.start, record.opening) == ("x../.o./..._x", 0)
        check_round_trip(record, mcts.load_game("mnk"))
    (tmp_path / "one.json").write_text(line)
    assert "opening: x../.o./..._x\n" in playout("replay", "one.json").out


def test_a_game_at_the_terminal_is_recorded_and_shown(playout, tmp_path):
    cells = "\n".join(f"mark({row},{column})" for row in (1, 2, 3) for column in (1, 2, 3))
    played = playout("play", "mnk", "--bot", "random", "--seed", "4", "-o", "game.json", stdin=f"{cells}\n{cells}")
    assert played.status == 0
    record = bots.Record.read(tmp_path / "game.json")
    assert (record.ending, record.seed, record.seats[1].bot) == ("finished", 4, "random")
    shown = playout("replay", "game.json")
    assert (shown.status, shown.err) == (0, "")
    assert "x: person\no: random\n" in shown.out
    for course in replayed(record, mcts.load_game("mnk")):
        assert str(course.state) in shown.out
    assert f"result: x {record.returns[0]:g}, o {record.returns[1]:g}\n" in shown.out
    playout("play", "mnk", "--bot", "random", "-o", "left.json", stdin="mark(2,2)\nquit\n")
    assert "The game is not finished." in playout("replay", "left.json").out
    assert "--output - is not possible" in playout("play", "mnk", "--bot", "random", "-o", "-").err


def test_files_that_are_no_records_are_refused_in_a_line(playout, tmp_path):
    record = finished()
    (tmp_path / "two.jsonl").write_text(record.to_line() * 2)
    (tmp_path / "none.json").write_text("{}")
    (tmp_path / "bad.jsonl").write_text(record.to_line() + "{}\n")
    for arguments, words in (
        (["two.jsonl"], "has several games"),
        (["two.jsonl", "7"], "has no such game"),
        (["none.json"], "format is None; valid: playout-game"),
        (["bad.jsonl"], "line 2: format is None"),
        (["absent.json"], "cannot read 'absent.json'"),
        (["absent.db"], "the id of a game is missing"),
    ):
        result = playout("replay", *arguments)
        assert (result.status, result.out) == (2, "")
        assert words in " ".join(result.err.split())
    with pytest.raises(bots.RecordError, match="cannot write"):
        record.save(tmp_path / "no" / "game.json")
    assert len(list(read_records(tmp_path / "two.jsonl"))) == 2


def test_a_stranger_s_record_imports_nothing(tmp_path, playout, monkeypatch):
    (tmp_path / "stranger_module.py").write_text("raise SystemExit('it ran')\n")
    monkeypatch.syspath_prepend(tmp_path)
    given = {**finished().to_dict(), "game": "stranger_module.Game"}
    (tmp_path / "game.json").write_text(json.dumps(given))
    record = bots.Record.from_dict(given)
    for load in (lambda: game_of(record), lambda: bots.Match.load(record, {}), lambda: game_of(record, "mnk"),
                 lambda: bots.Match.load(record, {}, game="mnk")):  # fmt: skip
        with pytest.raises(bots.RecordError):
            load()
    assert "would be imported and run, or read as a file; valid: trusted=True (--trust)" in " ".join(
        playout("replay", "game.json").err.split()
    )
    assert "stranger_module" not in sys.modules
    (tmp_path / "stranger.kif").write_text("secret")
    for game in (f"{tmp_path}/stranger.kif", "stranger.kif(max_steps=5)", "mnk:m=3/../stranger.kif"):
        record = bots.Record.from_dict({**given, "game": game})
        with pytest.raises(bots.RecordError, match="read as a file"):
            bots.Match.load(record, {})
    with pytest.raises(mcts.errors.GameLoadError, match="it ran"):
        bots.Match.load(bots.Record.from_dict(given), {}, trusted=True)


def test_old_versions_are_read_and_later_ones_named():
    for record in read_records(DATA / "records.jsonl"):
        check_round_trip(record, game_of(record))
    given = finished().to_dict()
    for version, words in ((2, "a later version of Playout wrote it"), (10**400, "later"), (0, "valid: 1 to 1"),
                           (True, "valid: 1 to 1"), ("1", "valid"), (1.0, "valid"), (None, "valid")):  # fmt: skip
        with pytest.raises(bots.RecordError, match=words):
            bots.Record.from_dict({**given, "version": version})


SEAT = {"bot": None, "name": "a", "seconds": None}
CHANGES = [
    ({"seed": 7}, "seed is 7; valid: a whole number from 0 to 2\\*\\*64 - 1 as a text"),
    ({"seed": str(2**64)}, "seed is"),
    ({"returns": [100.0, float("inf")]}, "returns are .*inf.*; valid: 2 numbers"),
    ({"returns": [True, 0]}, "returns are .*True.*; valid: 2 numbers"),
    ({"returns": [100.0]}, "2 numbers"),
    ({"returns": None}, "returns are null"),
    ({"ending": "won"}, "ending is 'won'; valid: finished, resigned"),
    ({"ending": "unfinished"}, "returns are given in an unfinished game"),
    ({"ending": "resigned"}, "resigned is"),
    ({"resigned": ["x"]}, "resigned is"),
    ({"ending": "failed"}, "0 failures"),
    ({"date": "yesterday"}, "date is 'yesterday'"),
    ({"date": "2026-02-30T14:50:00Z"}, "date is '2026-02-30"),
    ({"opening": 99}, "opening is 99; valid: 0 to"),
    ({"restarts": -1}, "restarts of the record is -1"),
    ({"seats": []}, "seats are"),
    ({"seats": [{**SEAT, "player": "x\n"}, {**SEAT, "player": "o"}]}, "player of seat 1 is 'x"),
    ({"seats": [{**SEAT, "player": "x"}, {**SEAT, "player": "o" * 2000}]}, "player of seat 2 is"),
    ({"game": "mnk\n"}, "game of the record"),
    ({"game": "m" * 2000}, "game of the record"),
    ({"more": 1}, "unknown key 'more'"),
    ({"plies": [{"actions": {}}]}, "ply 1 has actions"),
    ({"plies": [{"actions": {"z": "mark(1,1)"}}]}, "ply 1 has actions of"),
    ({"plies": [{"actions": {"x": None}}]}, "is null"),
    ({"plies": [{"actions": {"x": 3}}]}, "the action of x in ply 1 is 3; valid: one line"),
    ({"plies": [{"actions": {"x": "mark(1,1)"}, "seconds": {"o": 1}}]}, "seconds of"),
    ({"plies": [{"actions": {"x": "mark(1,1)"}, "seconds": {"x": -1}}]}, "0 and up"),
    ({"plies": [{"actions": {"x": "mark(1,1)"}, "values": {"x": float("nan")}}]}, "a number"),
    ({"plies": "mark(1,1)"}, "a list"),
    ({"view": {"player": "z", "text": ""}}, "view has 'z'"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_wrong_parts_are_named(change, words):
    given = {**finished().to_dict(), **change}
    with pytest.raises(bots.RecordError, match=words) as raised:
        bots.Record.from_dict(given)
    assert "\n" not in str(raised.value)


def test_texts_that_are_not_json_are_refused():
    text = finished().to_json()
    for wrong in ("", "[]", "[" * 100_000, text[:-5], text.replace("100.0", "NaN"), text.replace("100.0", "1e999"),
                  text.replace('"version": 1', '"version": 1, "version": 1'), "\ud800", "1" * 5000):  # fmt: skip
        with pytest.raises(bots.RecordError):
            bots.Record.from_json(wrong)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda plies: [*plies, plies[-1]], "those who decide: nobody: the game is over"),
        (lambda plies: plies[:-1], "the ending is finished, but the game continues"),
        (lambda plies: [plies[0], *plies], "ply 2 cannot be played: it has actions of x; those who decide: o"),
        (lambda plies: [{"actions": {"x": "mark(9,9)"}}, *plies[1:]], r"ply 1 cannot be played: .*mark\(9,9\)"),
        (lambda plies: [{"actions": {"chance": "1"}}, *plies[1:]], "it has actions of chance; those who decide: x"),
    ],
)
def test_plies_are_checked_by_the_rules(change, words):
    given = finished().to_dict()
    given["plies"] = change(given["plies"])
    with pytest.raises(bots.RecordError, match=words):
        bots.Match.load(bots.Record.from_dict(given), {})


def test_the_result_and_the_game_are_checked_by_the_rules():
    record = finished()
    for wrong, words in (
        (replace(record, returns=(0.0, 100.0)), "by the rules they are"),
        (replace(record, game="points_ttt"), "by the rules|cannot be played|continues"),
        (replace(record, game="three_player_ttt"), "the seats are x, o; valid in three_player_ttt"),
        (replace(record, start="nonsense"), "the start cannot be read"),
    ):
        with pytest.raises(bots.RecordError, match=words):
            bots.Match.load(wrong, {})
    with pytest.raises(bots.RecordError, match=r"the record is of mnk\(m=3,n=3,k=3\); valid: a record of points_ttt"):
        bots.Match.load(record, {}, game="points_ttt")
    with pytest.raises(mcts.ParameterError, match="start and record are both given"):
        bots.Match("mnk", start=mcts.load_game("mnk").new_initial_state(), record=record)


def test_texts_of_a_game_that_are_not_plain_cannot_be_recorded():
    class Odd(mcts.PythonGame):
        name, num_actions, players = "odd", 1, ("a", "b")
        PARAMETERS = {"turns": Integer(1, 1, 9)}  # noqa: RUF012

        def initial_state(self):
            return 0

        def acting_players(self, state):
            return () if state == 2 else state

        def legal_actions(self, state, player):
            return [0]

        def next_state(self, state, joint):
            return state + 1

        def returns(self, state):
            return [0.0, 0.0]

        def action_to_string(self, state, player, action):
            return "a\x1b[31m\nb"

    match = bots.Match(Odd())
    match.play(0)
    with pytest.raises(bots.RecordError, match=r"the action of a in ply 1 is .*; valid: one line of plain text"):
        match.record()


RECORDS = [finished("mnk"), finished("bidding_ttt"), finished(HIDDEN)]


@given(st.sampled_from(RECORDS), st.data())
def test_changed_records_are_refused_or_valid(record, data):
    given_ = record.to_dict()
    for _ in range(data.draw(st.integers(1, 2))):
        at = given_
        while True:
            key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
            if isinstance(at[key], dict | list) and at[key] and data.draw(st.booleans()):
                at = at[key]
                continue
            at[key] = data.draw(JSON)
            break
    refusal = ""
    try:
        found = bots.Record.from_dict(given_)
    except bots.RecordError as error:
        refusal = str(error)
    assert refusal.isprintable()
    if refusal:
        return
    VALIDATOR.validate(found.to_dict())
    assert bots.Record.from_json(found.to_json()) == found


def test_the_last_state_is_that_of_the_joint_actions():
    game, rng = mcts.load_game("tic_block(block_phase=simultaneous)"), random.Random(1)
    match, state = bots.Match(game, seed=1), game.new_initial_state()
    while not state.is_terminal():
        joint = random_joint(state, rng)
        for player in state.acting_players():
            match.play(joint[player], player)
        state.apply_actions(joint)
    assert check_round_trip(match.record(), game) == state


def test_a_key_that_cannot_be_shown_is_refused_in_words_that_can():
    with bots.Match("mnk", {"o": "random"}, seed=1) as match:
        match.play("mark(2,2)", "x")
        record = json.loads(match.record().to_line())
    for key, text in (("x\udcd9", "mark(1,1)"), ("\x1b[31m", "bi\udc93"), ("x\n", None)):
        changed = {**record, "plies": [{**record["plies"][0], "actions": {key: text}}]}
        with pytest.raises(bots.RecordError) as caught:
            bots.Record.from_json(json.dumps(changed))
        assert str(caught.value).isprintable()


def sheet_record(tmp_path, more=""):
    """Return the record of a game of a rulesheet in a file; it carries the text."""
    path = tmp_path / "mine.kif"
    path.write_text(path_of("goofspiel").read_text() + more)
    with bots.Match(str(path), seed=4) as match:
        play(match)
        return match.record(rules=True)


def test_a_record_has_its_rulesheet_and_is_replayed_by_it(tmp_path):
    record = sheet_record(tmp_path)
    name = f"mine.kif(sha256={record.rules.sha256[:16]})"
    assert (record.game, str(tmp_path) in record.to_json()) == (name, False)
    assert game_of(record).spec == name
    assert check_round_trip(record, game_of(record)).is_terminal()
    bare = replace(record, rules=replace(record.rules, text=None))
    VALIDATOR.validate(bare.to_dict())
    with bots.Match.load(record) as match:
        assert match.view_record("first").rules == match.record().rules == bare.rules
    for game in (str(tmp_path / "mine.kif"), "goofspiel"):
        assert game_of(bare, game).digest == record.rules.sha256
    with pytest.raises(bots.RecordError, match=r"has the SHA-256 \w{64}; that of tron has the SHA-256 \w{64}"):
        game_of(record, "tron")
    with pytest.raises(bots.RecordError, match=r"that of mnk.* has no rulesheet"):
        game_of(record, "mnk")
    with pytest.raises(bots.RecordError, match=r"the record is of .*; valid: a record of goofspiel\(max_steps=3\)"):
        game_of(record, "goofspiel(max_steps=3)")


def test_a_record_of_the_library_fits_no_other_text(tmp_path):
    record = replace(sheet_record(tmp_path, "; changed"), game="goofspiel")
    assert game_of(record).digest == record.rules.sha256
    with pytest.raises(bots.RecordError, match="that of goofspiel has the SHA-256"):
        game_of(replace(record, rules=replace(record.rules, text=None)))
    assert game_of(replace(record, game="goofspiel(seconds=3600,max_steps=99)")).spec == "goofspiel(max_steps=99)"
    for game in ("mnk", "os.path", "bidding_ttt"):
        with pytest.raises(bots.RecordError, match="is not a rulesheet"):
            game_of(replace(record, game=game))


@pytest.mark.parametrize(
    "rules", [{}, [], "x", {"sha256": "0" * 63}, {"sha256": 5}, {"text": "x"}, {"sha256": "0" * 64, "text": "(role a)"},
              {"sha256": "0" * 64, "text": 5}, {"sha256": "0" * 64, "more": 1}],
)  # fmt: skip
def test_rules_that_do_not_fit_are_refused(tmp_path, rules):
    with pytest.raises(bots.RecordError):
        bots.Record.from_dict({**finished().to_dict(), "rules": rules})


def test_records_of_the_arena_carry_rulesheets_on_request(tmp_path, playout):
    database = str(tmp_path / "arena.db")
    arena.run(arena.describe("goofspiel", ["random", "greedy"], games=2, seed=1), db=database, workers=1)
    for options, carried in (((), False), (("--rules",), True)):
        out = playout("records", database, "-o", "-", *options).out
        found = [bots.Record.from_json(line) for line in out.splitlines()]
        assert [(one.game, one.rules.text is not None) for one in found] == [("goofspiel", carried)] * 2
        assert check_round_trip(found[0], game_of(found[0])).is_terminal()
