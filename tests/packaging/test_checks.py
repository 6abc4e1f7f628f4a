"""The programs in .ci: what they run, what they choose, and what they say of a machine that lacks something."""

import re
import signal
import subprocess
import sys

import psutil
import pytest
from ci_programs import CI, ci_program
from documents import DOCS, README
from support import ROOT
from waiting import HANG_SECONDS, wait_until

checks, first_pages = ci_program("checks"), ci_program("first_pages")
long_tests, check_machine = ci_program("long_tests"), ci_program("check_machine")

pytestmark = pytest.mark.skipif(not CI.exists(), reason="a source distribution without these files")


def shell_lines(text):
    """Return the lines of all blocks of a shell in a text, without comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [re.sub(r"\s+", " ", line) for line in lines if line]


def test_the_check_of_a_change_begins_as_a_newcomer_does():
    assert checks.RUN[:2] == (("make", "arena"), ("make", "test"))
    assert (CI / "run").read_text().rstrip().endswith("exec python3 .ci/checks.py run")
    assert (".venv/bin/python", ".ci/first_pages.py") in checks.RUN


def test_the_check_of_a_change_runs_every_command_of_the_first_pages():
    pages = {page: page.read_text() for page in (README, *sorted(DOCS.glob("start*.md")))}
    assert list(pages) == first_pages.PAGES
    for page, text in pages.items():
        found = [command for _, command in first_pages.commands_of(page)]
        assert set(shell_lines(text)) <= set(found), page
        for command in re.findall(r"`((?:make|source|pip install|playout serve) [^`]*)`", text):
            assert command in [*found, *first_pages.ALTERNATIVES, *first_pages.PARTS], (page, command)
    assert set(first_pages.PARTS) <= {" ".join(words) for words in checks.RUN}


def test_parts_exist():
    targets = set(re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split())
    for words in {*checks.RUN, *checks.RELEASE_CHECK}:
        if words[0] == "make":
            assert words[1] in targets
        elif words[:2] != checks.SHELL:
            assert (ROOT / next(word for word in words if word.startswith(".ci/"))).exists()
    assert set(checks.TESTS) <= {*checks.RUN, *checks.RELEASE_CHECK}


@pytest.fixture
def outcome(tmp_path, monkeypatch, capfd):
    """Return a function that runs the check with parts of its own, whose tests fail as told.

    Its arguments are the failed tests of each part, and the tests that pass alone. It returns the exit status and the
    lines of output.
    """

    def check(parts, passing_alone):
        monkeypatch.setattr(checks, "LAST_FAILED", tmp_path / "lastfailed")
        commands = {}
        for number, failed in enumerate(parts):
            text = "{" + ", ".join(f'"{test}": true' for test in failed) + "}"
            print_them = f"import sys; open({str(tmp_path / 'lastfailed')!r}, 'w').write({text!r}); "
            print_them += f"print('{len(failed)} failed, 5 passed in 1.00s'); sys.exit({int(bool(failed))})"
            commands[(sys.executable, "-c", print_them, str(number))] = "not long"
        monkeypatch.setattr(checks, "TESTS", commands)
        monkeypatch.setattr(checks, "CHECKS", {"run": tuple(commands)})
        monkeypatch.setattr(checks, "passes_alone", lambda test, marks, minutes: test in passing_alone)
        status = checks.main("run")
        return status, capfd.readouterr().out.splitlines()

    return check


def test_a_check_ends_with_the_summary_of_its_tests(outcome):
    status, lines = outcome([[], []], [])
    assert (status, lines[-3:]) == (0, ["--- summary of pytest:", *["0 failed, 5 passed in 1.00s"] * 2])


def test_a_test_that_passes_when_run_again_is_named_as_unreliable(outcome):
    status, lines = outcome(
        [["tests/a.py::test_a[x - y]"], ["tests/b.py::test_b"]], ["tests/a.py::test_a[x - y]", "tests/b.py::test_b"]
    )
    assert status == 0
    assert [line for line in lines if line.startswith("unreliable")] == [
        "unreliable, passed when it was run again alone: tests/a.py::test_a[x - y]",
        "unreliable, passed when it was run again alone: tests/b.py::test_b",
    ]


def test_a_test_that_fails_again_fails_the_check_at_once(outcome):
    status, lines = outcome([["a", "b"], []], ["a"])
    assert status == 1
    assert sum(line.startswith("FAILED") for line in lines) == 1
    assert lines[-1] == "2 failed, 5 passed in 1.00s"


def test_more_than_two_unreliable_tests_fail_the_check(outcome):
    assert outcome([["a", "b", "c"]], ["a", "b", "c"])[0] == 1
    assert outcome([["a", "b"], ["c"]], ["a", "b", "c"])[0] == 1
    assert outcome([["a", "b"], []], ["a", "b"])[0] == 0


def test_a_failure_without_a_failed_test_fails_the_check(outcome, monkeypatch):
    monkeypatch.setattr(checks, "failed_tests", list)
    assert outcome([["a"]], ["a"])[0] == 1


def test_nothing_that_a_part_starts_survives_it(capfd):
    stay = "import subprocess, sys; print('1 passed in 1.00s'); "
    stay += "print(subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()']).pid, flush=True)"
    status, closing = checks.run((sys.executable, "-c", stay))
    assert (status, closing) == (0, ["1 passed in 1.00s"])
    child = int(capfd.readouterr().out.splitlines()[1])
    wait_until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)


def test_a_part_that_hangs_is_ended(capfd):
    status, _ = checks.run((sys.executable, "-c", "import signal; signal.pause()"), 0.001)
    assert status == -signal.SIGKILL
    assert "--- ended after 0.001 minutes: " in capfd.readouterr().out


def test_long_tests_of_changed_files_come_first_then_those_that_the_change_can_touch():
    times = {"tests/web/test_a.py::test_1": 3.0, "tests/web/test_b.py::test_2": 3.0, "tests/gdl/test_c.py::test_3": 3.0}
    changed = ["bots/web/service.py", "tests/web/test_b.py"]
    assert [long_tests.rank(each, changed) for each in times] == [1, 0, 2]
    for number in range(5):
        assert long_tests.choose(times, times, changed, number, 3.0) == ["tests/web/test_b.py::test_2"]
        assert len(long_tests.choose(times, times, changed, number, 6.0)) == 2
        assert "tests/gdl/test_c.py::test_3" not in long_tests.choose(times, times, changed, number, 6.0)
    assert set(long_tests.choose(times, times, changed, 0, 9.0)) == set(times)


def test_other_long_tests_are_drawn_by_the_number_of_the_commit_within_their_time():
    times = {f"tests/gdl/test_c.py::test_{number}": 1.0 + number % 3 for number in range(40)}
    draws = [long_tests.choose(times, times, [], number, 20.0) for number in range(20)]
    assert len({tuple(draw) for draw in draws}) > 10
    assert draws[3] == long_tests.choose(dict(reversed(times.items())), times, [], 3, 20.0)
    assert all(18.0 <= sum(times[each] for each in draw) <= 20.0 for draw in draws)
    assert set().union(*draws) == set(times)


def test_a_long_test_without_a_stored_time_has_a_guess():
    assert long_tests.choose(["tests/gdl/test_c.py::test_new"], {}, [], 0, long_tests.NEW_SECONDS - 1) == []
    assert long_tests.choose(["tests/gdl/test_c.py::test_new"], {}, [], 0, long_tests.NEW_SECONDS) != []


def test_the_table_of_long_tests_names_folders_and_files_that_exist():
    assert {path.name for path in (ROOT / "tests").iterdir() if list(path.glob("test_*.py"))} == {
        folder.split("/")[1] for folder in long_tests.TOUCHES
    }
    for begins in long_tests.TOUCHES.values():
        assert all((ROOT / begin).exists() or (ROOT / f"{begin}.py").exists() for begin in begins), begins


def test_stored_times_are_of_tests_that_exist():
    times = long_tests.json.loads(long_tests.TIMES.read_text())
    files = {function.partition("::")[0] for function in times}
    texts = {name: (ROOT / name).read_text() for name in files if (ROOT / name).exists()}
    gone = [each for each in times if f"def {each.split('::')[-1]}(" not in texts.get(each.partition("::")[0], "")]
    assert gone == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("sys.version_info = (3, 10)", ["Python 3.11 or newer is needed", "make PYTHON="]),
        ("sys.modules['ensurepip'] = None", ["has no module ensurepip", "apt install python3-venv"]),
        ("os.environ['CC'] = 'nosuchcc -m64'", ["no C compiler: 'nosuchcc' is not found", "apt install gcc"]),
        ("import sysconfig; sysconfig.get_path = lambda kind: '/nowhere'", ["no Python.h", "apt install python3-dev"]),
    ],
)
def test_a_machine_that_lacks_something_is_told_what_to_install(settings, words):
    code = f"import os, sys; sys.path.insert(0, {str(CI)!r}); import check_machine; {settings}; check_machine.main()"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("playout cannot be built here: ")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_this_machine_can_build():
    assert check_machine.missing() is None
