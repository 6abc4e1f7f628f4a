"""Tables, plots and figures of the documentation show the stored results."""

import re

import pytest
from support import ROOT

pytest.importorskip("matplotlib")

from bench.workloads.search import sizes

from bench.instructions import figures
from bench.pages.places import PageError, Pages, svg_of
from bench.pages.sections import SECTIONS, case_of, paired_ratio, rate, significant, table, time_of, wrapped
from bench.stored import read_stored
from bench.workloads import all_workloads
from bots.benchmark.result_file import Result, ResultFile, ResultFileError, read_results, write_results

BEGIN, END = "<!-- results: tree_size -->\n", "<!-- end: tree_size -->\n"


def results_of(count, **changed):
    """Results of all workloads, as if each had run in two passes; times differ from workload to workload."""
    found = []
    for number, workload in enumerate(all_workloads(), count):
        values = {"tree_bytes_per_simulation": 57.25} if workload.values is sizes else {}
        if workload.group == "exact":
            values = {"states": 100.0, "canonical_states": 50.0, "peak_mb": 40.0}
        if "long" in workload.name:
            values = {"last_tenth_rate_over_second": 0.99, "peak_mb": 80.0}
        found.append(Result(workload.name, workload.unit, workload.units, ((0.01 * number,), (0.02 * number,)), values))
    return ResultFile("make bench", {"processor": "some processor", "cores": 2, **changed}, tuple(found), "2026-01-02")


@pytest.fixture
def repository(tmp_path):
    """A repository with one page, which has one section, and its results."""
    (tmp_path / "docs" / "images").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Project\n")
    (tmp_path / "docs" / "benchmarks.md").write_text(f"# Page\n\n{BEGIN}{END}\nText.\n")
    write_results(tmp_path / "bench" / "results" / "suite.json", results_of(1))
    return tmp_path


def pages_of(repository):
    return Pages(repository, {"tree_size": SECTIONS["tree_size"]})


def test_the_pages_of_this_repository_show_the_stored_results():
    assert Pages(ROOT).differences() == []


@pytest.mark.long
def test_all_plots_of_the_stored_results_can_be_drawn():
    files = Pages(ROOT).new_files()
    drawn = [content for path, content in files.items() if path.suffix == ".svg"]
    assert len(drawn) == sum(section.plot is not None for section in SECTIONS.values())
    assert all(content.startswith(b"<?xml") for content in drawn)


@pytest.mark.parametrize("name", [name for name in SECTIONS if SECTIONS[name].files == ("suite",)])
def test_a_section_shows_results_of_the_suite(name):
    section, results = SECTIONS[name], results_of(1)
    text = section.markdown(results)
    assert text
    assert text != section.markdown(results_of(2, processor="another", cores=3))
    assert (section.plot is None) == (not section.alt)
    assert section.plot is None or svg_of(section.plot(results), name, [results]).startswith(b"<?xml")


STORED = {name: results for name in SECTIONS if (results := Pages(ROOT).results_of(SECTIONS[name])) is not None}


@pytest.mark.parametrize("name", STORED)
def test_a_section_whose_results_are_stored_can_be_written(name):
    assert SECTIONS[name].markdown(*STORED[name])


def test_writing_makes_a_page_true_and_repeats_nothing(repository):
    pages = pages_of(repository)
    assert pages.differences() == ["docs/benchmarks.md", "docs/images/benchmarks_tree_size.svg"]
    assert pages.write() == ["docs/benchmarks.md", "docs/images/benchmarks_tree_size.svg"]
    assert pages.differences() == []
    assert pages.write() == []
    text = (repository / "docs" / "benchmarks.md").read_text()
    assert text.startswith(f"# Page\n\n{BEGIN}![Line: ")
    assert "](images/benchmarks_tree_size.svg)" in text
    told = (
        "Command: `make bench RESULTS=bench/results/suite.json`. Raw results: `bench/results/suite.json`, 2026-01-02,"
    )
    assert f"{told} some\nprocessor.\n" in text
    assert text.endswith(f"{END}\nText.\n")


def test_a_figure_that_differs_from_its_result_is_found(repository):
    pages_of(repository).write()
    page = repository / "docs" / "benchmarks.md"
    page.write_text(
        re.sub(r"(\d) million", lambda found: f"{(int(found[1]) + 1) % 10} million", page.read_text(), count=1)
    )
    assert pages_of(repository).differences() == ["docs/benchmarks.md"]


@pytest.mark.long
def test_other_results_make_pages_and_plots_differ(repository):
    pages_of(repository).write()
    write_results(repository / "bench" / "results" / "suite.json", results_of(2))
    assert pages_of(repository).differences() == ["docs/benchmarks.md", "docs/images/benchmarks_tree_size.svg"]


@pytest.mark.long
def test_a_plot_drawn_twice_has_the_same_bytes():
    results = results_of(1)
    drawn = {svg_of(SECTIONS["tree_size"].plot(results), "tree_size", [results]) for _ in range(2)}
    assert len(drawn) == 1
    assert b"<dc:date>" not in drawn.pop()


def test_a_section_without_results_names_its_command(repository):
    (repository / "bench" / "results" / "suite.json").unlink()
    assert pages_of(repository).write() == ["docs/benchmarks.md"]
    assert (
        "`make bench RESULTS=bench/results/suite.json` measures this"
        in (repository / "docs" / "benchmarks.md").read_text()
    )


def test_a_missing_result_is_named(repository):
    path = repository / "bench" / "results" / "suite.json"
    whole = read_results(path)
    write_results(path, ResultFile("x", whole.machine, (Result("threads/mnk, one thread", "y", 1.0, ((1.0,),)),)))
    with pytest.raises(ResultFileError, match=r"no result 'threads/mnk, two threads"):
        Pages(repository, {"threads": SECTIONS["threads"]}).text_of("threads")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BEGIN, "do not pair"),
        (BEGIN + BEGIN + END, "do not pair"),
        (END, "do not pair"),
        ("", "not exactly once in their pages: tree_size"),
        (2 * (BEGIN + END), "not exactly once in their pages: tree_size"),
        ("<!-- results: other -->\n<!-- end: other -->\n", "no section 'other'; valid: tree_size"),
    ],
)
def test_wrong_comments_are_refused(repository, text, message):
    (repository / "docs" / "benchmarks.md").write_text(text)
    with pytest.raises(PageError, match=message):
        pages_of(repository).differences()


def test_figures_of_the_readme_stand_on_the_page_of_benchmarks():
    lines = (ROOT / "README.md").read_text().splitlines()
    cells = [line.split("|", 2)[2] for line in lines if line.startswith(("| Random games", "| Elo in"))]
    figures = re.findall(r"[+]?\d[\d,]*\d(?: million)?", " ".join(cells))
    assert len(figures) == 4
    told = (ROOT / "docs" / "benchmarks.md").read_text()
    assert [figure for figure in figures if figure not in told] == []


def test_every_file_of_results_is_read_by_a_section():
    stored = {path.stem for path in (ROOT / "bench" / "results").glob("*.json")}
    read = {name for section in SECTIONS.values() for name in section.files}
    assert stored <= read | {figures.FILE.stem}  # with which bench.instructions compares
    for path in (ROOT / "bench" / "results").glob("*.json"):
        assert read_stored(path).results


def test_a_section_in_another_page_is_refused(repository):
    (repository / "docs" / "benchmarks.md").rename(repository / "docs" / "other.md")
    with pytest.raises(PageError, match="not exactly once in their pages: tree_size"):
        pages_of(repository).new_files()


def test_a_page_names_the_origin_of_its_results_once(repository):
    sections = {name: SECTIONS[name] for name in ("machine", "threads")}
    pages = Pages(repository, sections)
    assert "Command: `make bench" in pages.text_of("machine")
    assert "Command: " not in pages.text_of("threads")


def test_text_is_wrapped_without_breaking_words():
    text = wrapped("1. " + 30 * "word-word `some code` ", "   ")
    assert all(len(line) <= 120 and not line.endswith("-") for line in text.splitlines())
    assert text.splitlines()[1].startswith("   ")


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
