"""Tables, plots and figures of the documentation show the stored results."""

import re

import pytest
from support import ROOT

pytest.importorskip("matplotlib")

from bench.page.format import case_of, paired_ratio, rate, significant, table, time_of
from bench.page.pages import PageError, Pages
from bench.page.registry import Section, all_sections
from bench.page.svg import svg_of
from bots.benchmark.result_file import Result, ResultFile, ResultFileError, read_results, write_results
from bots.benchmark.workloads import all_workloads
from bots.benchmark.workloads.search import sizes

SECTIONS = all_sections()
BEGIN, END = "<!-- results: playouts -->\n", "<!-- end: playouts -->\n"


def results_of(count, **changed):
    """Results of all workloads, as if each had run in two passes; times differ from workload to workload."""
    found = []
    for number, workload in enumerate(all_workloads(), count):
        values = {"tree_bytes_per_simulation": 57.25} if workload.values is sizes else {}
        if workload.group == "memory":
            values = {"nodes": 5.0, "tree_bytes_per_simulation": 60.5, "resident_bytes_per_simulation": 61.5}
        if workload.group == "exact":
            values = {"states": 100.0, "canonical_states": 50.0, "peak_mb": 40.0}
        if "long" in workload.name:
            values = {"last_tenth_rate_over_second": 0.99, "peak_mb": 80.0}
        found.append(Result(workload.name, workload.unit, workload.units, ((0.01 * number,), (0.02 * number,)), values))
    for name, seconds in (("playout", 0.1), ("C", 0.08)):
        found.append(
            Result(f"plain_c/three_player_ttt(torus=false), {name}", "playouts", 1e6, ((seconds,), (seconds,)))
        )
    return ResultFile("make bench", {"processor": "some processor", "cores": 2, **changed}, tuple(found), "2026-01-02")


@pytest.fixture
def repository(tmp_path):
    """A repository with one page, which has one section, and its results."""
    (tmp_path / "docs" / "images").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Project\n")
    (tmp_path / "docs" / "page.md").write_text(f"# Page\n\n{BEGIN}{END}\nText.\n")
    write_results(tmp_path / "bench" / "results" / "suite.json", results_of(1))
    return tmp_path


def pages_of(repository):
    return Pages(repository, {"playouts": SECTIONS["playouts"]})


def test_the_pages_of_this_repository_show_the_stored_results():
    assert Pages(ROOT).differences() == []


@pytest.mark.parametrize("name", [name for name in SECTIONS if SECTIONS[name].files == ("suite",)])
def test_a_section_shows_results_of_the_suite(name):
    results = [results_of(1)]
    text = SECTIONS[name].markdown(results)
    assert text
    assert text != SECTIONS[name].markdown([results_of(2, processor="another", cores=3)]) or name in (
        "memory",
        "plain_c",
    )
    if SECTIONS[name].has_plot:
        assert SECTIONS[name].alt
        assert svg_of(SECTIONS[name].plot(results), name, results).startswith(b"<?xml")


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_whose_results_are_stored_can_be_written(name):
    pages = Pages(ROOT)
    results = pages.results_of(SECTIONS[name])
    if results is not None:
        assert SECTIONS[name].markdown(results)


def test_writing_makes_a_page_true_and_repeats_nothing(repository):
    pages = pages_of(repository)
    assert pages.differences() == ["docs/page.md", "docs/images/benchmarks_playouts.svg"]
    assert pages.write() == ["docs/page.md", "docs/images/benchmarks_playouts.svg"]
    assert pages.differences() == []
    assert pages.write() == []
    text = (repository / "docs" / "page.md").read_text()
    assert text.startswith(f"# Page\n\n{BEGIN}![Bars: ")
    assert "](images/benchmarks_playouts.svg)" in text
    assert "Command: `make bench RESULTS=bench/results/suite.json`. Raw results: `bench/results/suite.json`, " in text
    assert "suite.json`, 2026-01-02, some processor.\n" in text
    assert text.endswith(f"{END}\nText.\n")


def test_a_figure_that_differs_from_its_result_is_found(repository):
    pages_of(repository).write()
    page = repository / "docs" / "page.md"
    page.write_text(
        re.sub(r"(\d) million", lambda found: f"{(int(found[1]) + 1) % 10} million", page.read_text(), count=1)
    )
    assert pages_of(repository).differences() == ["docs/page.md"]


def test_other_results_make_pages_and_plots_differ(repository):
    pages_of(repository).write()
    write_results(repository / "bench" / "results" / "suite.json", results_of(2))
    assert pages_of(repository).differences() == ["docs/page.md", "docs/images/benchmarks_playouts.svg"]


def test_a_plot_drawn_twice_has_the_same_bytes():
    results = [results_of(1)]
    drawn = {svg_of(SECTIONS["tree_size"].plot(results), "tree_size", results) for _ in range(2)}
    assert len(drawn) == 1
    assert b"<dc:date>" not in drawn.pop()


def test_a_section_without_results_names_its_command(repository):
    (repository / "bench" / "results" / "suite.json").unlink()
    assert pages_of(repository).write() == ["docs/page.md"]
    assert (
        "`make bench RESULTS=bench/results/suite.json` measures this" in (repository / "docs" / "page.md").read_text()
    )


def test_a_missing_result_is_named(repository):
    path = repository / "bench" / "results" / "suite.json"
    whole = read_results(path)
    write_results(path, ResultFile("x", whole.machine, (Result("search/x", "y", 1.0, ((1.0,),)),)))
    with pytest.raises(ResultFileError, match=r"no result 'playouts/mnk"):
        Pages(repository, {"readme_speed": SECTIONS["readme_speed"]}).text_of(
            SECTIONS["readme_speed"], repository / "README.md"
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BEGIN, "do not pair"),
        (BEGIN + BEGIN + END, "do not pair"),
        (END, "do not pair"),
        ("", "not exactly once in the pages: playouts"),
        (2 * (BEGIN + END), "not exactly once in the pages: playouts"),
        ("<!-- results: other -->\n<!-- end: other -->\n", "no section 'other'; valid: playouts"),
    ],
)
def test_wrong_comments_are_refused(repository, text, message):
    (repository / "docs" / "page.md").write_text(text)
    with pytest.raises(PageError, match=message):
        pages_of(repository).differences()


def test_the_readme_tells_how_many_times_as_many(tmp_path):
    labels = {"package": "open_spiel 2.0", "same": "Rules.", "work": "Work."}
    found = []
    for kind, factor in (("rollouts", 20), ("search", 3.2)):
        case = f"open_spiel: C++ {kind}, tic_tac_toe"
        found.append(Result(f"peers/{case}", "games", 10.0, ((1.0,), (2.0,), (3.0,)), {}, labels))
        found.append(Result(f"beside/{case}", "games", 10.0 * factor, ((1.0,), (2.0,), (3.0,)), {}, labels))
    text = SECTIONS["readme_peers"].markdown([ResultFile("x", {}, tuple(found))])
    assert "20 times as many playouts and 3.2 times as many simulations as the C++ of open_spiel 2.0" in text


def test_every_file_of_results_is_read_by_a_section():
    stored = {path.stem for path in (ROOT / "bench" / "results").glob("*.json")}
    assert stored <= {name for section in SECTIONS.values() for name in section.files}
    for path in (ROOT / "bench" / "results").glob("*.json"):
        assert read_results(path).results


def test_a_section_has_a_name_and_a_command():
    assert "playouts" in SECTIONS
    assert all(section.command and section.raw for section in SECTIONS.values())
    with pytest.raises(ModuleNotFoundError):
        Section("no_such_section")


def test_numbers_are_written_with_three_digits():
    assert [significant(number) for number in (0.01234, 0.999, 1, 57.25, 123.4, 99.96, 1234567, 0)] == [
        "0.012", "0.999", "1.00", "57.2", "123", "100", "1,230,000", "0.000",
    ]  # fmt: skip
    assert [rate(number) for number in (24_812_000, 999_900, 31_250, 87)] == [
        "24.8 million",
        "1,000,000",
        "31,200",
        "87.0",
    ]
    assert [time_of(seconds) for seconds in (120.4, 0.0123, 4.5e-5, 8.8e-8)] == [
        "120 s",
        "12.3 ms",
        "45.0 µs",
        "88.0 ns",
    ]
    assert table(["a", "b"], [["c", "d"]]) == "| a | b |\n| --- | ---: |\n| c | d |"
    assert case_of(Result("states/view, mnk(m=5,n=5,k=4)")) == "view, mnk(m=5,n=5,k=4)"


def test_a_ratio_compares_passes_not_whole_runs():
    one = Result("a/one", "calls", 10.0, ((1.0, 1.0), (2.0,), (40.0,)))
    other = Result("a/other", "calls", 20.0, ((4.0,), (8.0, 8.0), (160.0,)))
    assert paired_ratio(one, other) == 2.0
