"""docs/bots.md and the recipe of a bot: their tables name all bots, parameters and methods."""

import re

import pytest
from documents import DOCS

import bots
from bots.registry import find_bot

TEXT = (DOCS / "bots.md").read_text()
RECIPE = (DOCS / "extending" / "searches.md").read_text()


def names_in_table(heading, text=TEXT):
    """Return the names in the first column of the table below the heading, which may name several bots."""
    (section,) = re.findall(rf"^#+ [^\n]*{re.escape(heading)}[^\n]*\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return [name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]


def test_every_bot_is_in_the_table():
    assert sorted(names_in_table("Which bot to use")) == bots.registered_bots()


@pytest.mark.parametrize("name", bots.registered_bots())
def test_every_common_parameter_of_a_bot_is_in_its_table(name):
    kind = find_bot(name)
    assert names_in_table(f"`{name}`") == [key for key in kind.PARAMETERS if key not in kind.EXPERT]


def test_the_methods_in_the_table_are_those_that_a_bot_overrides():
    optional = {"set_limit", "new_game", "inform", "expected_return", "strategy", "why_unsupported", "stop", "close"}
    assert set(names_in_table("Methods", RECIPE)) == {"choose"} | optional
    assert all(callable(getattr(bots.Bot, name)) for name in names_in_table("Methods", RECIPE))
