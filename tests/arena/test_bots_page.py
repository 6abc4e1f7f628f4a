"""docs/bots.md: its tables name all bots, parameters and methods, and its Python runs."""

import re
import sys

import pytest
from documents import DOCS, code_blocks
from support import run_python

import bots

PAGE = DOCS / "bots.md"
TEXT = PAGE.read_text()


def names_in_table(heading):
    """Return the names in the first column of the table below a heading."""
    (section,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return [name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]


def test_every_bot_is_in_the_table():
    assert sorted(names_in_table("Which bot to use")) == list(bots.registered_bots())


@pytest.mark.parametrize("name", bots.registered_bots())
def test_every_parameter_of_a_bot_is_in_its_table(name):
    assert names_in_table(f"`{name}`") == list(bots.registered_bots()[name].PARAMETERS)


def test_the_methods_in_the_table_are_those_that_a_bot_overrides():
    optional = {"set_limit", "new_game", "inform", "expected_return", "strategy", "why_unsupported", "stop", "close"}
    assert set(names_in_table("Methods")) == {"choose"} | optional
    assert all(callable(getattr(bots.Bot, name)) for name in names_in_table("Methods"))


def test_the_python_of_the_page_runs(tmp_path):
    definition, registration = (code for _, code in code_blocks(PAGE, "python"))
    (tmp_path / "my_bots.py").write_text(definition)
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom my_bots import Lazy\n{registration}\nprint(bot)"
    assert run_python(program).strip() == "load_bot('lazier(surprise=0)')"


def test_a_bot_in_a_file_of_its_own_is_loaded_by_the_path_of_its_class(tmp_path, monkeypatch, playout):
    definition, _ = (code for _, code in code_blocks(PAGE, "python"))
    (tmp_path / "my_bots.py").write_text(definition)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    (command,) = [line for _, code in code_blocks(PAGE, "sh") for line in code.splitlines() if "my_bots" in line]
    words = command.split()
    result = playout(*words[1:], "--executor", "threads")
    assert (words[0], result.status) == ("playout", 0), result.err
    assert "my_bots.Lazy(surprise=0.5)" in result.out
