"""Files of results: they are read as they were written, and everything else is refused with a reason."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import JSON

from bots.benchmark.result_file import (
    MOST_BYTES,
    Result,
    ResultFile,
    ResultFileError,
    parse_results,
    read_results,
    write_results,
)
from mcts import PlayoutError

TIMED = Result("search/mnk", "simulations", 1000.0, ((0.1, 0.3), (0.2,)), {"bytes": 57.25}, {"compiler": "GCC 12"})
COUNTED = Result("instructions/mnk", values={"instructions": 123456789.0})
FILE = ResultFile("make bench", {"processor": "some processor", "cores": 2}, (TIMED, COUNTED), "2026-01-02T03:04:05Z")
PLAIN = json.loads(FILE.to_json())


def changed(path, value):
    """The text of a file in which one place has another value; the path has keys and indices."""
    copy = json.loads(FILE.to_json())
    *way, last = path
    inner = copy
    for key in way:
        inner = inner[key]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(copy)


def test_a_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "folder" / "results.json"
    write_results(path, FILE)
    assert read_results(path) == FILE


def test_what_cannot_be_read_is_not_written(tmp_path):
    path = tmp_path / "results.json"
    for command in ("python -m bench.bot_options" + " --bot mcts" * 300, FILE.command):
        write_results(path, replace(FILE, command=command))
        assert read_results(path).command == command
    for command in (FILE.command + " --bot mcts" * 400, "two\nlines"):
        with pytest.raises(ResultFileError, match="command"):
            write_results(path, replace(FILE, command=command))
    assert read_results(path) == FILE


def test_a_rate_is_that_of_the_median_round():
    assert TIMED.rate == 1000 / 0.2
    with pytest.raises(ResultFileError, match="'instructions/mnk' has no times"):
        _ = COUNTED.rate


def test_results_are_found_by_name_and_group():
    assert FILE.find("instructions/mnk") == COUNTED
    assert FILE.group("search") == (TIMED,)
    with pytest.raises(ResultFileError, match=r"no result 'x'; valid: search/mnk, instructions/mnk"):
        FILE.find("x")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["schema"], 2, r"schema is 2; valid: 1"),
        (["schema"], None, r"the file has no 'schema'"),
        (["machine"], [], r"machine is \[\]; valid: an object"),
        (["machine", "cores"], [2], r"cores of machine is \[2\]; valid: one line"),
        (["machine", "processor"], "\x1b[31m", r"processor of machine is .*; valid: one line of plain text"),
        (["command"], 3, r"command of the file is 3"),
        (["results"], [], r"results is \[\]; valid: a list of 1 to"),
        (["results", 0], 7, r"result 1 is 7; valid: an object"),
        (["results", 0, "name"], "a\nb", r"name of result 1 is 'a\\nb'"),
        (["results", 1, "name"], "search/mnk", r"two results are called 'search/mnk'"),
        (["results", 0, "unit"], None, r"result 'search/mnk' has no 'unit'"),
        (["results", 0, "units"], 0, r"units of 'search/mnk' is 0; valid: a number above 0"),
        (["results", 0, "units"], True, r"units of 'search/mnk' is True"),
        (["results", 0, "seconds"], [], r"seconds of 'search/mnk' is \[\]; valid: a list of lists"),
        (["results", 0, "seconds"], [[0.1], []], r"none empty"),
        (["results", 0, "seconds"], [[0.1, -1]], r"a time of 'search/mnk' is -1; valid: a number above 0"),
        (["results", 0, "seconds"], [["1"]], r"a time of 'search/mnk' is '1'"),
        (["results", 0, "values"], {"bytes": "57"}, r"bytes of values of 'search/mnk' is '57'; valid: a number"),
        (["results", 0, "values"], {"bytes": 10**400}, r"valid: a number"),
        (["results", 0, "values"], {"\n": 1}, r"key '\\n' in values"),
        (["results", 0, "labels"], {"compiler": 12}, r"compiler of labels of 'search/mnk' is 12"),
    ],
)
def test_a_wrong_part_is_named(path, value, message):
    with pytest.raises(ResultFileError, match=message):
        parse_results(changed(path, value))


@pytest.mark.parametrize("text", ["", "[", "nul", "[" * 100_000, '{"schema": NaN}', b"\xff\xfe\x00", "[1]", "1"])
def test_what_is_no_file_of_results_is_refused(text):
    with pytest.raises(ResultFileError):
        parse_results(text)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_are_finite(constant):
    with pytest.raises(ResultFileError, match=f"number {constant}; valid: finite numbers"):
        parse_results(FILE.to_json().replace("57.25", constant))


@given(
    JSON, st.sampled_from([["schema"], ["machine"], ["results"], ["results", 0], ["results", 0, "seconds"], ["date"]])
)
def test_any_json_in_any_place_is_read_or_refused(value, path):
    try:
        found = parse_results(changed(path, value))
    except ResultFileError:
        return
    assert parse_results(found.to_json()) == found


def test_files_that_cannot_be_read_are_named(tmp_path):
    for path in (tmp_path / "missing.json", tmp_path, "null\0character"):
        with pytest.raises(PlayoutError, match="cannot read"):
            read_results(path)
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(ResultFileError, match=r"large.json' has more than 16 MB"):
        read_results(large)
