"""The page of a report: whole, self-contained, escaped, true to the games, and of bounded size."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tracemalloc
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import mcts
from bots.arena.match import NOBODY, Failure, Record
from bots.arena.page import collect, render
from bots.arena.page.charts import Measured, Scale, histogram, log_plot
from bots.arena.page.sampling import RecordSample, RepeatCounter
from bots.arena.page.tables import families, labels_of, meetings, standings
from bots.arena.page.words import duration, percent, signed
from bots.arena.ratings import rate
from bots.arena.runner import run_tournament
from bots.arena.schedule import Tournament

SECTIONS = ["ratings", "standings", "cross", "likelihood", "seats", "lengths", "time", "failures", "games"]
VOID = {"meta", "input", "wbr", "br", "img", "link", "hr"}
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Page(HTMLParser):
    """A page taken apart; an element that is not closed, or closed twice, is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.texts, self.scripts = [], [], set(), [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.note(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attrs):
        self.note(tag, attrs)

    def note(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if "id" in names:
            assert dict(attrs)["id"] not in self.ids
            self.ids.add(dict(attrs)["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts[-1] += data
        elif self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self):
        return json.loads(self.scripts[0])


def page_of(of, records):
    return Page(render(collect(of, records)))


@pytest.fixture(scope="module")
def two():
    """Two bots that differ in their simulations alone, and a third, at a game for two."""
    of = Tournament("points_ttt", 2, ("mcts(simulations=4)", "mcts(simulations=40)", "random"), 6, 1)
    return of, run_tournament(of).records


@pytest.fixture(scope="module")
def three():
    of = Tournament("three_player_ttt", 3, ("mcts(simulations=20)", "greedy", "random"), 4, 1)
    return of, run_tournament(of).records


def with_failures(of, records):
    """The same games, some of which failed: a crash in the middle, a death before the start, a step that is illegal."""
    half = records[1].moves.split()[: records[1].plies // 2]
    crash = Failure(1, "crash", f"ValueError: {NASTY}", len(half), f"Traceback\n{NASTY}")
    death = Failure(NOBODY, "death", "the process died twice", 0)
    return [
        replace(records[0], moves="mark(1,1) mark(1,1)", plies=2),
        replace(records[1], moves=" ".join(half), plies=len(half), failures=(crash,), returns=(100.0, 0.0)),
        replace(records[2], moves="", plies=0, failures=(death,), returns=None, seconds=()),
        *records[3:],
    ]


def test_everything_is_on_the_page_of_two_players(two):
    page = page_of(*two)
    assert {*SECTIONS, "simulations"} <= page.ids
    for label in (*two[0].bots, "Bradley-Terry", "mark(", "36"):
        assert label in page.text
    assert "not rated" not in page.text
    rows = [attrs for tag, attrs in page.tags if tag == "tr" and "data-places" in attrs]
    assert len(rows) == len(two[1])


def test_everything_is_on_the_page_of_three_players(three):
    page = page_of(*three)
    assert set(SECTIONS) <= page.ids
    assert "simulations" not in page.ids  # nobody differs in simulations alone
    for text in ("Plackett-Luce", "Mean rank", "Shared", "zplayer"):
        assert text in page.text


@pytest.mark.parametrize("kind", ["two", "three"])
def test_the_page_needs_nothing_else(kind, request):
    of, records = request.getfixturevalue(kind)
    text = render(collect(of, records))
    page = Page(text)
    for tag, attrs in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img")
        assert "src" not in attrs
        assert attrs.get("href", "#").startswith("#")
        assert not [name for name in attrs if name.startswith("on")]
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) <= {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "url(" not in text
    assert "@import" not in text
    (policy,) = [attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy
    digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_every_link_leads_somewhere(two):
    of, records = two
    page = page_of(of, with_failures(of, records))
    shown = {f"game-{game['number']}" for game in page.data["games"]}
    links = {attrs["href"][1:] for tag, attrs in page.tags if tag == "a"}
    assert links <= page.ids | shown
    assert {"game-1", "game-2"} <= links


def test_texts_of_bots_are_escaped(two):
    of, records = two
    named = replace(of, bots=(NASTY, "mcts(simulations=40)", "random"))
    plain = Page(render(collect(of, with_failures(of, records))))
    page = Page(render(collect(named, with_failures(named, records))))
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in plain.tags}
    assert NASTY in page.data["bots"]
    assert NASTY.replace(" ", "") in page.text.replace(" ", "")


def test_failures_are_told_and_their_games_shown(two):
    of, records = two
    data = collect(of, with_failures(of, records))
    assert (data.failed_games, data.void_games, data.games) == (2, 1, len(records))
    page = page_of(of, with_failures(of, records))
    for text in ("the process died twice", "nobody in particular", "crash", "Log of the first", "counts for nobody"):
        assert text in page.text
    games = {game["number"]: game for game in page.data["games"]}
    assert games[1]["failures"][0]["kind"] == "crash"
    assert games[2]["failures"][0]["player"] is None
    assert games[2]["returns"] is None
    assert "step 2 cannot be played" in games[0]["trouble"]
    assert len(games[0]["frames"]) == 2


def test_failed_games_come_before_others():
    of = Tournament("mnk", 2, ("random", "greedy"), 500)
    failed = (Failure(0, "crash", "boom", 1),)
    records = list(invented(of))
    for number in (3, 501, 999):
        records[number] = replace(records[number], failures=failed)
    games = page_of(of, records).data["games"]
    assert len(games) == 200
    assert {3, 501, 999} <= {game["number"] for game in games}


@pytest.mark.parametrize("spec", ["points_ttt", "bidding_ttt", "tic_block", "three_player_ttt", "bidding_3d_ttt"])
def test_replays_are_the_games(spec):
    game = mcts.load_game(spec)
    of = Tournament(spec, game.num_players, ("random",), 3, 5)
    data = page_of(of, run_tournament(of).records).data
    assert len(data["games"]) == 3 * game.num_players
    for played in data["games"]:
        state = game.new_initial_state()
        boards = ["\n".join(data["lines"][line] for line in frame) for frame in played["frames"]]
        assert boards[0] == str(state)
        for step, deciders, board in zip(played["steps"], played["deciders"], boards[1:], strict=True):
            acting = state.acting_players()
            assert tuple(deciders) == tuple(acting)
            parts = [step] if len(acting) == 1 else [part for part in step.split("|") if part != "noop"]
            actions = {player: state.string_to_action(player, part) for player, part in zip(acting, parts, strict=True)}
            state.apply_actions([actions.get(player, mcts.NOOP) for player in range(game.num_players)])
            assert board == str(state)
        assert state.is_terminal()
        assert played["returns"] == state.returns()


def test_bots_that_never_met_are_not_rated(two):
    of = Tournament("points_ttt", 2, ("greedy", "random", "greedy", "random"), 4)
    pairs = ({0, 1}, {2, 3})
    records = [record for record in invented(of) if set(record.seats) in pairs]
    page = page_of(of, records)
    assert "do not connect {greedy, random} with {greedy#2, random#2}" in page.text
    assert "There are no ratings" in page.text
    assert set(SECTIONS) <= page.ids
    assert "not met" in page.text


def test_a_tournament_without_games():
    page = page_of(Tournament("points_ttt", 2, ("greedy", "random"), 4), [])
    assert set(SECTIONS) <= page.ids
    assert "No game has been played yet" in page.text
    assert page.data["games"] == []


def test_a_tournament_of_failures_alone():
    of = Tournament("points_ttt", 2, ("greedy", "random"), 2)
    gone = (Failure(NOBODY, "death", "gone", 0),)
    records = [replace(r, returns=None, moves="", plies=0, failures=gone, seconds=()) for r in invented(of)]
    page = page_of(of, records)
    assert "4 games count for nobody" in page.text
    assert "No game was played to its end" in page.text


def test_one_bot_alone():
    of = Tournament("points_ttt", 2, ("random",), 2)
    assert "One bot alone has no Elo" in page_of(of, run_tournament(of).records).text


def test_a_bot_that_cannot_be_loaded_here_keeps_its_name():
    of = Tournament("points_ttt", 2, ("gone.module.Bot(depth=2)", "random"), 2)
    assert labels_of(of) == ["gone.module.Bot(depth=2)", "random"]
    assert "depth=2" in page_of(of, invented(of)).text


def invented(of, distinct=10**9):
    """Records of a whole tournament that nobody played; games repeat after so many."""
    won = ((100.0, 0.0), (0.0, 100.0), (50.0, 50.0))
    for number in range(of.num_games):
        scheduled = of.scheduled(number)
        kind = number % distinct
        moves = f"mark({1 + kind % 3},1) mark({1 + kind % 3},2) {kind}"
        yield Record(number, scheduled.block, scheduled.seats, won[number * 7 % 11 % 3], 3 + number % 7, moves)


def peak_of(games):
    of = Tournament("mnk", 2, ("random", "greedy", "mcts"), games // 6)
    tracemalloc.start()
    try:
        data = collect(of, invented(of))
        return tracemalloc.get_traced_memory()[1], data
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_games(monkeypatch):
    monkeypatch.setattr("bots.arena.page.collector.RepeatCounter", lambda: RepeatCounter(1000))
    few, _ = peak_of(6_000)
    many, data = peak_of(24_000)
    assert data.games == data.rated_games == 24_000
    assert len(data.sample) == 1000
    assert many < 1.2 * few


def test_a_hundred_thousand_games_make_a_page():
    of = Tournament("mnk", 2, ("random", "greedy"), 50_000)
    data = collect(of, invented(of))
    text = render(data)
    assert data.games == 100_000
    assert "100,000" in Page(text).text
    assert len(text) < 1_000_000


def test_blocks_come_together_in_any_order(two):
    of, records = two
    assert collect(of, records[::-1]).blocks == collect(of, records).blocks
    assert collect(of, records[::-1]).sample == collect(of, records).sample
    assert render(collect(of, records[::-1])) == render(collect(of, records))


def test_a_block_with_a_game_that_is_missing_or_void_is_not_rated(two):
    of, records = two
    data = collect(of, records[1:])
    assert (data.games, data.rated_games) == (len(records) - 1, len(records) - 2)
    void = collect(of, [replace(records[0], returns=None), *records[1:]])
    assert void.blocks == data.blocks
    assert "not in the ratings" in page_of(of, records[1:]).text


def test_repeated_games_are_counted_and_warned_of():
    counter = RepeatCounter()
    of = Tournament("mnk", 2, ("random", "greedy"), 20)
    for record in invented(of, distinct=8):
        counter.add(record)
    assert (counter.result().games, counter.result().repeated) == (40, 32)
    assert "repeat another one move for move" in page_of(of, invented(of, distinct=8)).text
    assert "repeat another one" not in page_of(of, invented(of)).text


def test_repeats_of_many_games_are_estimated():
    counter = RepeatCounter(most_keys=500)
    of = Tournament("mnk", 2, ("random", "greedy"), 10_000)
    for record in invented(of, distinct=5_000):
        counter.add(record)
    result = counter.result()
    assert result.games - result.repeated <= 500
    assert result.repeated / result.games == pytest.approx(0.75, abs=0.02)


def test_a_sample_is_fair():
    sample = RecordSample(1000)
    of = Tournament("mnk", 2, ("random", "greedy"), 10_000)
    for record in invented(of):
        sample.add(record)
    numbers = [record.number for record in sample.records()]
    assert len(set(numbers)) == 1000
    # standard error of the mean of 1000 numbers in [0, 20000): 183
    assert sum(numbers) / 1000 == pytest.approx(10_000, abs=4 * 183)
    assert sum(numbers[:200]) / 200 == pytest.approx(10_000, abs=4 * 408)


def test_meetings_have_two_sides(three):
    data = collect(*three)
    found = meetings(data)
    assert set(found) == {(i, j) for i in range(3) for j in range(3) if i != j}
    for (one, other), meeting in found.items():
        assert meeting.results == found[other, one].results[::-1]
        assert meeting.score == pytest.approx(1 - found[other, one].score)
    returns = [record.returns[record.seats.index(0)] for record in three[1]]
    assert found[0, 1].mean_return == pytest.approx(sum(returns) / len(returns))


def test_standings_put_the_best_first(three):
    data = collect(*three)
    lines = standings(data, rate(3, data.blocks))
    assert lines[-1].bot == 2
    assert sum(line.mean_rank for line in lines) == pytest.approx(6)
    assert [line.returns.results.games for line in lines] == [12, 12, 12]


def test_families_differ_in_simulations_alone():
    bots = (
        "mcts(simulations=10)",
        "mcts(simulations=100)",
        "mcts(simulations=10,selection=puct)",
        "random",
        "mcts(simulations=50,seconds=1)",
        "mcts",
    )
    (family,) = families(Tournament("points_ttt", 2, bots, 1), range(6))
    assert (family.name, family.members) == ("mcts", ((10, 0), (100, 1)))


def test_scales_and_ticks():
    scale = Scale([-100, 300], margin=0)
    assert [scale.percent(value) for value in (-100, 100, 300, 900)] == [0, 50, 100, 100]
    assert scale.ticks(5) == [-100, 0, 100, 200, 300]
    assert Scale([7.0]).low < 7 < Scale([7.0]).high
    logarithmic = Scale([1e-5, 1e-1], is_log=True, margin=0)
    assert logarithmic.percent(1e-3) == 50
    assert logarithmic.ticks() == pytest.approx([1e-5, 1e-4, 1e-3, 1e-2, 1e-1])


def test_histograms_gather_many_lengths():
    few = histogram({3: 1, 5: 4}, "steps")
    assert [bar.height for bar in few.bars] == [25, 0, 100]
    assert few.bars[2].label == "5 steps: 4 games"
    many = histogram(dict.fromkeys(range(1, 201), 2), "steps")
    assert len(many.bars) == 40
    assert many.bars[0].label == "1 to 5 steps: 10 games"
    assert sum(bar.width for bar in many.bars) == pytest.approx(100)


def test_plots_stand_right_side_up():
    plot = log_plot({"a": [Measured(100, 50, 10, ""), Measured(10, 0, None, "")]}, signed)
    left, right = plot.series[0].dots
    assert left.x < right.x
    assert left.y > right.y
    assert right.y_high < right.y < right.y_low
    assert left.y_low is None
    assert [tick.label for tick in plot.x_ticks] == ["10", "100"]


def test_numbers_in_words():
    assert [percent(share) for share in (0, 0.0001, 0.5, 0.99999, 1)] == [
        "0 %",
        "< 0.1 %",
        "50.0 %",
        "> 99.9 %",
        "100 %",
    ]
    assert [signed(value) for value in (-1234.5, 0.2, 12.6)] == ["\N{MINUS SIGN}1,234", "0", "+13"]
    assert [duration(seconds) for seconds in (12.345, 0.00123, 4.5e-6, 2e-8)] == [
        "12.3 s",
        "1.23 ms",
        "4.5 \N{MICRO SIGN}s",
        "20 ns",
    ]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium to open the page with")
def test_the_page_works_in_a_browser(two, tmp_path):
    of, records = two
    named = replace(of, bots=(NASTY, *of.bots[1:]))
    path = tmp_path / "report.html"
    path.write_text(render(collect(named, with_failures(named, records))), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile", "--dump-dom"]
    done = subprocess.run(
        [CHROMIUM, *options, "--virtual-time-budget=2000", f"{path.as_uri()}#game-5-4"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    page = Page(re.sub(r"<circle ([^>]*)></circle>|<path ([^>]*)></path>", "", done.stdout))
    state = mcts.load_game(of.game).new_initial_state()
    for step in records[5].moves.split()[:4]:
        state.apply_action(state.string_to_action(state.current_player(), step))
    (label,) = [attrs["aria-label"] for _, attrs in page.tags if attrs.get("class") == "grid-board"]
    board = state.to_dict()["board"]
    assert label == "; ".join(f"row {row + 1}: {' '.join(board[3 * row : 3 * row + 3])}" for row in range(3))
    assert "Game 5" in page.text
    assert f"Step 4 of {records[5].plies}" in page.text
    assert "img" not in {tag for tag, _ in page.tags}
