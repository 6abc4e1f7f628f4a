"""The page of a report: complete, self-contained, escaped, true to the games, and bounded in size."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tracemalloc
from dataclasses import replace

import pytest
from page_reader import Page
from waiting import HANG_SECONDS

import mcts
from bots.arena.ratings.sprt import Sprt
from bots.arena.records import NOBODY_LABEL, GameRecord
from bots.arena.report.page import collect, render
from bots.arena.report.page.page_data import headline
from bots.arena.report.page.sampling import GameSample
from bots.arena.results.report import assemble_report
from bots.arena.runner import run_tournament
from bots.arena.store.repeats import Repeats
from bots.arena.store.store import StoredGame
from bots.arena.tournament.openings import Openings
from bots.arena.tournament.plan import Plan
from bots.arena.tournament.schedule import Tournament
from bots.game.failures import NO_SEAT, Failure

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def survey_of(of, games, **options):
    """The report of games, and their survey."""
    survey = collect(of, games)
    tally = survey.tally
    interrupted = tally.stopped is None and tally.known < of.num_games
    return assemble_report(of, mcts.load_game(of.game), tally, (), of.labels, interrupted, **options), survey


def rendered(of, games, **options):
    return render(*survey_of(of, games, **options))


def page_of(of, games, **options):
    return Page(rendered(of, games, **options))


def play(of):
    """All games of a tournament, played."""
    outcome = run_tournament(of, 1, executor="threads")
    with outcome.store as store:
        return list(store.games(outcome.key))


def changed(stored, **what):
    """A stored game with another record."""
    return replace(stored, record=replace(stored.record, **what))


@pytest.fixture(scope="module")
def two():
    """Two bots that differ in their simulations alone, and a third, at a game for two."""
    of = Tournament("points_ttt", 2, ("mcts(simulations=4)", "mcts(simulations=40)", "random"), 3, 1)
    return of, play(of)


@pytest.fixture(scope="module")
def three():
    of = Tournament("three_player_ttt", 3, ("mcts(simulations=20)", "greedy", "random"), 2, 1)
    return of, play(of)


@pytest.fixture(scope="module")
def texts(two, three):
    """The pages of both tournaments."""
    return {"two": rendered(*two), "three": rendered(*three)}


@pytest.fixture(scope="module")
def failed_text(two):
    """The page of the games of two players, some of which failed."""
    of, records = two
    return rendered(of, with_failures(records))


def with_failures(games):
    """The same games, some of which failed: a step that is illegal, a crash in the middle, a death at the start."""
    steps = games[1].record.moves.split()
    half = steps[: len(steps) // 2]
    crash = Failure(1, "crash", f"ValueError: {NASTY}", len(half), f"Traceback\n{NASTY}")
    death = Failure(NO_SEAT, "death", "the process died twice", 0)
    return [
        changed(games[0], moves="mark(1,1) mark(1,1)", plies=2),
        changed(games[1], moves=" ".join(half), plies=len(half), failures=(crash,), returns=(100.0, 0.0)),
        changed(games[2], moves="", plies=0, failures=(death,), returns=None, seconds=()),
        *games[3:],
    ]


def invented(of):
    """Games of a whole tournament that nobody played."""
    won = ((100.0, 0.0), (0.0, 100.0), (50.0, 50.0))
    plan = Plan(of, mcts.load_game(of.game))
    for number in range(of.num_games):
        scheduled = plan.scheduled(number)
        moves = f"mark({1 + number % 3},1) mark({1 + number % 3},2) {number}"
        returns = won[number * 7 % 11 % 3]
        yield StoredGame(GameRecord.of(scheduled, returns=returns, plies=3 + number % 7, moves=moves))


def test_everything_is_on_the_page_of_two_players(two, texts):
    page = Page(texts["two"])
    for label in (*two[0].bots, "Bradley-Terry", "mark(", "18"):
        assert label in page.text
    results = page.data["results"]
    assert all(bot["elo"] is not None and bot["seconds_a_move"] > 0 for bot in results["bots"])
    assert [members for _, members in (family.values() for family in page.data["families"])] == [
        [[4, "mcts(simulations=4)"], [40, "mcts(simulations=40)"]]
    ]
    assert sum(count for _, count in results["lengths"]) == len(page.data["games"]) == len(two[1])


def test_everything_is_on_the_page_of_three_players(texts):
    page = Page(texts["three"])
    assert page.data["families"] == []  # nobody differs in simulations alone
    assert sum(bot["mean_rank"] for bot in page.data["results"]["bots"]) == pytest.approx(6)
    assert "Plackett-Luce" in page.text
    assert "zplayer" in page.data["results"]["players"]


@pytest.mark.parametrize("kind", ["two", "three"])
def test_the_page_needs_nothing_else(kind, texts):
    text = texts[kind]
    page = Page(text)
    for tag, attrs in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img")
        assert "src" not in attrs
        assert attrs.get("href", "#").startswith("#")
        assert not [name for name in attrs if name.startswith("on")]
    assert set(re.findall(r"https?://[^\s\"'<\\]+", text)) <= {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "url(" not in text
    assert "@import" not in text
    (policy,) = [attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy
    digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_texts_of_bots_are_escaped(two, failed_text):
    of, records = two
    named = replace(of, bots=(NASTY, "mcts(simulations=40)", "random"))
    plain = Page(failed_text)
    page = page_of(named, with_failures(records))
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in plain.tags}
    assert NASTY in page.data["labels"]


def test_failures_and_their_games_are_shown(two, failed_text):
    of, records = two
    report, survey = survey_of(of, with_failures(records))
    assert (survey.failed_games, report.games) == (2, len(records))
    page = Page(failed_text)
    for text in ("the process died twice", NOBODY_LABEL, "crash", "Traceback", "counts for nobody"):
        assert text in page.text
    games = {game["number"]: game for game in page.data["games"]}
    assert games[2]["failures"][0]["kind"] == "crash"
    assert games[3]["failures"][0]["player"] is None
    assert games[3]["returns"] is None
    assert "step 2 cannot be played" in games[1]["error"]
    assert len(games[1]["frames"]) == 2


def test_failed_games_come_before_others():
    of = Tournament("mnk", 2, ("random", "greedy"), 500)
    failed = (Failure(0, "crash", "boom", 1),)
    records = list(invented(of))
    for number in (3, 501, 999):
        records[number] = changed(records[number], failures=failed)
    games = page_of(of, records).data["games"]
    assert len(games) == 200
    assert {4, 502, 1000} <= {game["number"] for game in games}


@pytest.mark.parametrize("spec", ["points_ttt", "bidding_ttt", "tic_block", "three_player_ttt", "bidding_3d_ttt"])
def test_replays_are_the_games(spec):
    game = mcts.load_game(spec)
    of = Tournament(spec, game.num_players, ("random",), 1, 5)
    data = page_of(of, play(of)).data
    assert len(data["games"]) == game.num_players
    for played in data["games"]:
        state = game.new_initial_state()
        boards = ["\n".join(data["lines"][line] for line in frame) for frame in played["frames"]]
        assert boards[0] == state.to_svg(size=None)
        for step, deciders, board in zip(played["steps"], played["deciders"], boards[1:], strict=True):
            acting = state.acting_players()
            assert tuple(deciders) == tuple(acting)
            parts = [step] if len(acting) == 1 else [part for part in step.split("|") if part != "noop"]
            actions = {player: state.string_to_action(player, part) for player, part in zip(acting, parts, strict=True)}
            state.apply_actions([actions.get(player, mcts.NOOP) for player in range(game.num_players)])
            assert board == state.to_svg(size=None)
        assert state.is_terminal()
        assert played["returns"] == state.returns()


def test_bots_that_never_met_are_in_lists_of_their_own(two):
    of = Tournament("points_ttt", 2, ("greedy", "random", "greedy", "random"), 4)
    pairs = ({0, 1}, {2, 3})
    records = [stored for stored in invented(of) if set(stored.record.seats) in pairs]
    page = page_of(of, records)
    assert "{greedy, random} with {greedy#2, random#2}" in page.text
    assert [bot["list"] for bot in page.data["results"]["bots"]] == [0, 0, 1, 1]


def headline_of(returns, num_games=40):
    """The headline of a match of greedy against random, from the returns of greedy in games by turns."""
    of = Tournament("points_ttt", 2, ("greedy", "random"), num_games // 2)
    plan = Plan(of, mcts.load_game(of.game))
    games = []
    for number in range(num_games):
        scheduled = plan.scheduled(number)
        mine = returns[number % len(returns)]
        given = tuple(mine if bot == 0 else 100 - mine for bot in scheduled.seats)
        games.append(StoredGame(GameRecord.of(scheduled, returns=given, plies=5, moves="mark(1,1)")))
    return headline(survey_of(of, games)[0])


def test_the_headline_claims_nothing_where_the_interval_includes_0():
    text = headline_of([100.0, 0.0, 0.0, 50.0, 100.0, 50.0])
    assert re.fullmatch(r"The results show no difference between \w+ and \w+: \d+ ± \d+ Elo\.", text)
    assert "better" not in text


def test_the_headline_names_the_leader_where_the_interval_does_not_include_0():
    text = headline_of([100.0, 100.0, 100.0, 50.0, 100.0, 0.0])
    assert re.fullmatch(r"greedy leads random by \d+ ± \d+ Elo\. It is better with probability [\d.> ]+ %\.", text)
    all_won = headline_of([100.0], 12)
    assert all_won.startswith("greedy leads random by 559 (at least +75) Elo. ")


def test_a_tournament_without_games():
    page = page_of(Tournament("points_ttt", 2, ("greedy", "random"), 4), [])
    assert "No game has been played yet" in page.text
    assert page.data["games"] == []


def test_a_tournament_of_failures_alone():
    of = Tournament("points_ttt", 2, ("greedy", "random"), 2)
    gone = (Failure(NO_SEAT, "death", "gone", 0),)
    records = [changed(g, returns=None, moves="", plies=0, failures=gone) for g in invented(of)]
    page = page_of(of, records)
    assert "4 games count for nobody" in page.text
    assert page.data["results"]["lengths"] == []


def test_one_bot_alone():
    of = Tournament("points_ttt", 2, ("random",), 2)
    assert "A single bot has no rating" in page_of(of, play(of)).text


def test_a_bot_that_cannot_be_loaded_here_keeps_its_name():
    of = Tournament("points_ttt", 2, ("gone.module.Bot(depth=2)", "random"), 2)
    assert "gone.module.Bot(depth=2)" in page_of(of, invented(of)).text


def peak_of(games):
    of = Tournament("mnk", 2, ("random", "greedy", "mcts"), games // 6)
    tracemalloc.start()
    try:
        found = survey_of(of, invented(of))
        return tracemalloc.get_traced_memory()[1], *found
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_memory_does_not_grow_with_the_games():
    few, *_ = peak_of(3_000)
    many, report, survey = peak_of(12_000)
    assert report.games == 2 * report.blocks == 12_000
    assert len(survey.sample) == 1000
    assert many < 1.2 * few


@pytest.mark.long
def test_a_hundred_thousand_games_make_a_page():
    of = Tournament("mnk", 2, ("random", "greedy"), 50_000)
    report, survey = survey_of(of, invented(of))
    text = render(report, survey)
    assert report.games == 100_000
    assert "100,000" in Page(text).text
    assert len(text) < 1_000_000


def test_games_may_come_in_any_order(two, failed_text):
    of, records = two
    assert collect(of, records[::-1]).sample == collect(of, records).sample
    assert rendered(of, with_failures(records)[::-1]) == failed_text


def test_a_block_with_a_game_that_is_missing_is_not_rated(two):
    of, records = two
    report, _ = survey_of(of, records[1:])
    assert (report.games, report.blocks) == (len(records) - 1, len(records) // 2 - 1)
    text = page_of(of, records[1:]).text
    assert "1 game is not in the ratings: not in a whole block." in text
    assert f"Stopped after {len(records) - 1} of {len(records)} games" in text


def test_games_with_openings_begin_there():
    for openings in (Openings(plies=3), Openings(given=("mark(2,2) mark(1,1)",))):
        of = Tournament("mnk", 2, ("random", "greedy"), 2, openings=openings)
        game = mcts.load_game(of.game)
        games = play(of)
        shown = page_of(of, games).data
        for stored, found in zip(games, shown["games"], strict=True):
            assert found["opening"] == list(stored.record.opening)
            assert len(found["opening"]) == (openings.plies or 2)
            state = game.new_initial_state()
            for step in stored.record.opening:
                state.apply_action(state.string_to_action(state.current_player(), step))
            assert "\n".join(shown["lines"][line] for line in found["frames"][0]) == state.to_svg(size=None)


def test_openings_that_are_states_begin_there():
    state = mcts.load_game("mnk").new_initial_state()
    state.apply_action(4)
    of = Tournament("mnk", 2, ("random", "greedy"), 1, openings=Openings(given=(json.dumps(state.to_dict()),)))
    shown = page_of(of, play(of)).data
    without_history = state.game.state_from_dict(state.to_dict())
    assert "\n".join(shown["lines"][line] for line in shown["games"][0]["frames"][0]) == without_history.to_svg(
        size=None
    )


def test_a_decided_test_is_reported():
    of = Tournament("mnk", 2, ("greedy", "random"), 200, system="test", sprt=Sprt(0, 50))
    games = list(invented(of))
    won = [changed(g, returns=tuple(100.0 if bot == 0 else 0.0 for bot in g.record.seats)) for g in games]
    report, survey = survey_of(of, won)
    assert report.games < len(won)
    assert survey.tally.lengths.total() == report.games
    text = Page(render(report, survey)).text
    assert "H1 is accepted" in text
    assert "Sequential test greedy against random: H0 0, H1 50 normalized Elo" in text


def test_repeated_games_are_warned_of(two, texts):
    of, records = two
    page = page_of(of, records, repeats=Repeats(36, 30, 7), notes=["There are few openings."])
    assert "30 of 36 games repeat another one move for move" in page.text
    assert "There are few openings." in page.text
    assert "repeat another one" not in Page(texts["two"]).text


def test_a_sample_is_fair():
    sample = GameSample(1000)
    of = Tournament("mnk", 2, ("random", "greedy"), 10_000)
    for stored in invented(of):
        sample.add(stored)
    numbers = [stored.record.number for stored in sample.games()]
    assert len(set(numbers)) == 1000
    # standard error of the mean of 1000 numbers in [0, 20000): 183
    assert sum(numbers) / 1000 == pytest.approx(10_000, abs=4 * 183)
    assert sum(numbers[:200]) / 200 == pytest.approx(10_000, abs=4 * 408)


def test_meetings_have_two_sides(three):
    report, _ = survey_of(*three)
    found = report.head_to_head
    assert set(found) == {(i, j) for i in range(3) for j in range(3) if i != j}
    for (one, other), results in found.items():
        assert results == found[other, one][::-1]
        assert results.score == pytest.approx(1 - found[other, one].score)


def test_control_characters_of_names_and_messages_do_not_reach_the_page(two):
    of, records = two
    nasty = "\x1b[31mred\x00\u202egnp\x9b"
    named = replace(of, bots=(f"a.{nasty}", "mcts(simulations=40)", "random"))
    failed = (Failure(0, "crash", f"oops {nasty}", 1, f"Traceback\n{nasty}"),)
    records = [changed(records[0], failures=failed, moves=f"mark(1,1) {nasty}"), *records[1:]]
    text = rendered(named, records)
    data = Page(text).data
    for shown in (text, *data["labels"], data["games"][0]["failures"][0]["message"], data["games"][0]["error"]):
        assert not set(shown) & set("\x00\x1b\x9b\u202e")
        assert not re.search(r"&#(x1b|27|0|x202e);", shown)
    assert "\\x1b[31mred" in Page(text).text


def dumped(path, profile, address=""):
    """The page after its script has run in a browser."""
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom"]
    done = subprocess.run(
        [CHROMIUM, *options, "--virtual-time-budget=2000", f"{path.as_uri()}{address}"],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=True,
    )
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium to open the page with")
def test_nine_boards_are_drawn_as_boards_and_the_third_player_like_the_others(three, tmp_path):
    of = Tournament("bidding_3d_ttt", 2, ("random", "greedy"), 1, 5)
    records = play(of)
    path = tmp_path / "boards.html"
    path.write_text(rendered(of, records), encoding="utf-8")
    found = dumped(path, tmp_path / "profile", "#game-1-1")
    state = mcts.load_game(of.game).new_initial_state()
    first = records[0].record.moves.split()[0].split("|")
    state.apply_actions([state.string_to_action(player, part) for player, part in enumerate(first)])
    tiles = state.to_dict()["tiles"]
    cells = cells_of(found)
    assert list(cells) == [f"{board}{tile}" for board in "ABCDEFGHI" for tile in range(1, 10)]
    assert ["r" if "po-f-red" in cell else "b" if "po-f-blue" in cell else "." for cell in cells.values()] == list(
        tiles
    )
    of, records = three
    path.write_text(rendered(of, records), encoding="utf-8")
    drawn = cells_of(dumped(path, tmp_path / "profile", f"#game-1-{records[0].record.plies}"))
    state = mcts.load_game(of.game).new_initial_state()
    for step in records[0].record.moves.split():
        state.apply_action(state.string_to_action(state.current_player(), step))
    shown = [
        "".join(mark for mark, color in zip("xoz", ("blue", "orange", "green"), strict=True) if f"po-s-{color}" in cell)
        for cell in drawn.values()
    ]
    assert [mark or "." for mark in shown] == list(state.to_dict()["board"])


def cells_of(page):
    """The cells of the picture in a page: name -> markup."""
    return dict(re.findall(r'<g data-cell="([^"]+)"[^>]*>(.*?)</g>', page))


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium to open the page with")
def test_the_page_works_in_a_browser(two, tmp_path):
    of, records = two
    named = replace(of, bots=(NASTY, *of.bots[1:]))
    path = tmp_path / "report.html"
    path.write_text(rendered(named, with_failures(records)), encoding="utf-8")
    shown = dumped(path, tmp_path / "profile", "#game-6-4")
    page = Page(re.sub(r"<(circle|path|rect) ([^>]*)></[a-z]+>", "", shown))
    state = mcts.load_game(of.game).new_initial_state()
    for step in records[5].record.moves.split()[:4]:
        state.apply_action(state.string_to_action(state.current_player(), step))
    cells = ["x" if "po-s-blue" in cell else "o" if "po-s-orange" in cell else "." for cell in cells_of(shown).values()]
    assert cells == list(state.to_dict()["board"])
    assert "Game 6, after move 4" in shown
    assert "img" not in {tag for tag, _ in page.tags}
    assert {"ratings", "cross", "likelihood", "seats", "lengths", "time", "failures", "games"} <= page.ids
    links = {attrs["href"] for tag, attrs in page.tags if tag == "a"}
    assert links == {f"#game-{number}" for number in range(1, 19)}
    played = [stored.record.plies for stored in records[3:]]
    assert [attrs["title"] for _, attrs in page.tags if "steps: " in attrs.get("title", "")] == [
        f"{length} steps: {times} game{'s' if times != 1 else ''}"
        for length in range(2, max(played) + 1)
        for times in [played.count(length) + (length == 2)]
    ]
    apart = Tournament("points_ttt", 2, ("mcts(simulations=4)", "random", "mcts(simulations=8)", "random"), 4)
    path.write_text(rendered(apart, [one for one in invented(apart) if set(one.record.seats) in ({0, 1}, {2, 3})]))
    shown = dumped(path, tmp_path / "profile")
    for text in ("List 1 of 2", "List 2 of 2", 'id="simulations"', "8 simulations: "):
        assert text in shown
