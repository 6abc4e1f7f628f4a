"""Rulesheets that a server offers: each has a key of its own, and no answer tells where its file is."""

from dataclasses import replace

import pytest
from rulesheets import path_of
from web_client import API, Played, Process, server

import bots
import mcts
from bots import arena
from mcts.gdl.rulesheets import digest_of

NAMES = ("tic_tac_toe", "connect_four", "bidding_ttt")
KEYS = [f"{name}.kif(sha256={digest_of(path_of(name).read_text())[:16]})" for name in NAMES]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Rulesheets in a folder."""
    place = tmp_path_factory.mktemp("sheets")
    for name in NAMES:
        (place / f"{name}.kif").write_text(path_of(name).read_text())
    return [str(place / f"{name}.kif") for name in NAMES]


@pytest.fixture
def answers():
    """Texts that the server has sent."""
    return []


@pytest.fixture
def client(files, answers):
    with server(games=files) as client:
        client.event_hooks["response"] = [lambda answer: answers.append(answer.read().decode())]
        yield client


def check_no_path(answers, files):
    assert answers
    for text in answers:
        assert not any(file in text or file.rpartition("/")[0] in text for file in files), text


def played(match, player):
    """The match at its end, after a person has played it."""
    while not (seen := match.settled())["is_over"]:
        match.act(player, match.any_action(player), version=seen["version"])
    return seen


def test_every_rulesheet_has_a_key_of_its_own(client, files, answers, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("mcts.gdl.game.load_network", None)  # those of the library are not compiled for the list
        listed = {game["key"]: game for game in client.get(f"{API}/games").json()}
    assert sorted(listed) == sorted([*mcts.registered_games(), *KEYS])
    for name in mcts.registry.native_games():
        assert listed[name] == client.get(f"{API}/games/{name}").json() | {"spec": listed[name]["spec"]}
    assert list(listed)[:3] == ["chess", "go", "connect_four"]
    groups = {key: game["group"] for key, game in listed.items()}
    some = (KEYS[0], "othello", "liars_dice", "tron", "goofspiel", "mnk")
    assert [groups[key] for key in some] == ["further", "classics", "chance", "more", "at_once", "classics"]
    assert {listed[key]["title"] for key in ("connect_four", KEYS[1])} == {"Connect four"}
    assert (listed["tron"]["kind"], listed["othello"]["kind"]) == ("simultaneous", "turns")
    secret, dice, plain = (listed[name] for name in ("secret_goofspiel", "dice_race", "goofspiel"))
    assert [(game["is_hidden"], game["has_chance"]) for game in (secret, dice, plain)] == [
        (True, False), (False, True), (False, False)
    ]  # fmt: skip
    assert all(game["has_levels"] for game in listed.values())
    assert all(listed[key]["spec"] == key for key in KEYS)
    for key in (*KEYS[:2], "tron"):
        title, loaded = listed[key]["title"], mcts.load_game(key)
        assert client.get(f"{API}/games/{key}/rules").json()["markdown"].startswith(f"# {title}")
        assert client.post(f"{API}/positions", json={"game": key}).json()["spec"] == key
        assert client.post(f"{API}/bots/check", json={"game": key, "bot": "level:4"}).json() == {"spec": "level(4)"}
        assert listed[key]["players"] == list(loaded.players)
        assert (listed[key]["min_utility"], listed[key]["max_utility"]) == (loaded.min_utility, loaded.max_utility)
    refused = client.post(f"{API}/matches", json={"game": "conect_four"}).json()["error"]["message"]
    assert "valid: connect_four" in refused
    check_no_path(answers, files)


@pytest.mark.sample(1)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("bot", ["random", "level(2)"])
def test_a_rulesheet_is_played_to_its_end(client, files, answers, monkeypatch, key, bot):
    monkeypatch.setattr("bots.web.matches.evaluation.SIMULATIONS", 50)
    monkeypatch.setattr("bots.web.analysis.exact_values.solution_or_none", lambda game: None)
    first, second = mcts.load_game(files[KEYS.index(key)]).players
    match = Played.begin(client, key, {second: bot}, seconds=0.05)
    match.act(first, "nonsense", 422)
    seen = played(match, first)
    assert (seen["game"], seen["ending"], seen["error"]) == (key, "finished", None)
    match.get("/evaluation")
    record = match.get("/record")
    assert record["game"] == key
    assert Played.begin(client, key, record=record).match()["returns"] == seen["returns"]
    branched = match.post("/branch", 201, ply=1)
    assert branched["match"]["game"] == key
    check_no_path(answers, files)


def test_a_record_carries_its_rulesheet_and_fits_no_other(client, files, tmp_path, playout):
    match = Played.begin(client, KEYS[1], {"yellow": "random"}, seed="3")
    seen = played(match, "red")
    given = bots.Record.from_dict(match.get("/record"))
    assert given.rules.text == path_of("connect_four").read_text()
    with pytest.raises(bots.RecordError, match=r"the rulesheet of the record has the SHA-256 .*; that of tic_tac_toe"):
        bots.Match.load(given, {}, game=files[0])
    bare = replace(given, rules=replace(given.rules, text=None))
    for record, game in ((given, None), (bare, files[1]), (bare, None), (bare, "connect_four")):
        assert bots.Match.load(record, {}, game=game).returns == tuple(seen["returns"])
    for name, record in (("given.json", given), ("bare.json", bare)):
        record.save(tmp_path / name)
        assert playout("replay", str(tmp_path / name)).out.rstrip().splitlines()[-1].startswith("result: ")
    other = tmp_path / "connect_four.kif"
    other.write_text(given.rules.text + "\n; changed")
    assert playout("replay", str(tmp_path / "bare.json"), "--game", str(other)).status == 2


@pytest.mark.long
def test_matches_of_rulesheets_go_on_after_a_restart(files, tmp_path):
    options = [word for file in files for word in ("--game", file)]
    with Process(tmp_path / "matches.db", *options) as process:
        matches = [Played.begin(process.client, key) for key in (*KEYS, "tron")]
        for match in matches:
            match.act(match.match()["waits_for"][0], match.any_action(match.match()["waits_for"][0]))
        before = [match.match() for match in matches]
    with Process(tmp_path / "matches.db", *options) as process:
        for match, seen in zip(matches, before, strict=True):
            match.client = process.client
            assert match.match() == seen
    assert not any(file.encode() in (tmp_path / "matches.db").read_bytes() for file in files)


def test_tournaments_of_a_rulesheet_have_its_key(files, tmp_path):
    database = str(tmp_path / "arena.db")
    arena.run(
        arena.describe(files[1], ["random", "greedy"], games=2, seed=1), db=database, workers=1, executor="threads"
    )
    for offered in (files, ()):
        with server(games=offered, database=database) as client:
            answers = [client.get(f"{API}/arena/tournaments")]
            stored = answers[0].json()["tournaments"][0]
            assert (stored["game"], stored["refused"] is None) == (KEYS[1], bool(offered))
            if offered:
                path = f"{API}/arena/tournaments/{stored['id']}"
                answers += [client.get(path), client.get(f"{path}/games/0"), client.get(f"{path}/games/0/plies/2")]
                answers += [client.get(f"{API}/arena/leaderboard", params=query) for query in ({}, {"game": KEYS[1]})]
                assert all(answer.status_code == 200 for answer in answers)
                assert answers[-1].json()["game"] == answers[-1].json()["report"]["game"] == KEYS[1]
                record = answers[2].json()["record"]
                assert Played.begin(client, record["game"], record=record).match()["is_over"]
            check_no_path([answer.text for answer in answers], files)


def test_examples_and_variants_of_games_are_positions_and_specs(client):
    for game in client.get(f"{API}/games").json():
        if game["example"] is not None:
            position = client.post(f"{API}/positions", json={"game": game["key"], "state": game["example"]})
            assert position.status_code == 200, game["key"]
        for variant in game["variants"]:
            parameters = ",".join(f"{name}={value}" for name, value in variant["parameters"].items())
            spec = f"{game['key']}({parameters})".replace("True", "true").replace("False", "false")
            assert client.post(f"{API}/positions", json={"game": spec}).status_code == 200, spec


def test_every_game_of_the_list_has_a_picture_of_its_example(client):
    games = client.get(f"{API}/games").json()
    for game in games:
        picture = client.get(f"{API}/games/{game['key']}/picture").json()["svg"]
        assert picture.startswith("<svg")
    example = {game["key"]: game["example"] for game in games}["mnk"]
    shown = client.post(f"{API}/positions", json={"game": "mnk", "state": example, "size": 200}).json()["svg"]
    assert client.get(f"{API}/games/mnk/picture").json()["svg"] == shown
    assert len(games) >= 50
    unknown = [client.get(f"{API}/games/nothing{part}").status_code for part in ("", "/rules", "/picture")]
    assert unknown == [422] * 3
