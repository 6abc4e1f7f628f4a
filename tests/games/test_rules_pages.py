"""Pages of rules: the same in docs, package and command, with positions and games that replay."""

import re

import pytest
from games_by_path import CountDown
from support import ROOT

import mcts
from bots.steps import apply_step
from cext.spec import format_value
from mcts.registry import native_games

PAGES = ROOT / "docs" / "games"
GAMES = sorted(mcts.game_info(name).name for name in native_games() if (PAGES / f"{name}.md").exists())
for_every_game = pytest.mark.parametrize("name", GAMES)


def section(name, title):
    """The text below a heading of a page."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", mcts.rules(name), re.MULTILINE | re.DOTALL)
    assert found, f"{name} has no section {title!r}"
    return found[1]


def code_blocks(text):
    return re.findall(r"^```\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)


def test_every_built_in_game_has_a_page():
    assert set(GAMES) == {path.stem for path in PAGES.glob("*.md")} - {"README"}
    modules = {name: type(mcts.load_game(name)).__module__ for name in native_games()}
    assert {name for name, module in modules.items() if module.startswith("cext.games.")} == set(GAMES)


@for_every_game
def test_the_package_and_the_command_have_the_rules_of_docs(name, playout):
    page = (PAGES / f"{name}.md").read_text()
    rules, _, facts = page.partition("\n## Exact facts\n")
    before, figure, after = rules.partition("```{living} play\n")
    assert figure
    assert facts.strip()
    text = before + after.partition("```\n\n")[2]
    assert mcts.rules(name) == mcts.rules(mcts.load_game(name)) == text
    assert playout("rules", name).out == mcts.rules(name)


@for_every_game
def test_a_page_names_all_players_parameters_and_defaults(name):
    info = mcts.game_info(name)
    page = mcts.rules(name)
    assert section(name, "Rules").strip()
    assert section(name, "Actions and returns").strip()
    for word in [*info.players, *info.parameters]:
        assert f"`{word}`" in page or (word in ("red", "blue") and word in page.lower())
    for key, kind in info.parameters.items():
        row = re.search(rf"^\| `{key}` \| (.*?) \| (.*?) \|", page, re.MULTILINE)
        assert kind.default is None or row[1].strip("`") == format_value(kind.default)
        if hasattr(kind, "low"):
            assert row[2].startswith(f"{kind.low} to {kind.high}")


@for_every_game
def test_the_position_of_a_page_is_drawn_as_the_game_draws_it(name):
    shown = section(name, "A position")
    drawing, *more = code_blocks(shown)
    (text,) = more or re.findall(r"^is `(\S+)`\.$", shown, re.MULTILINE)
    assert str(mcts.load_game(name).state_from_text(text)) == drawing


@for_every_game
def test_the_example_game_of_a_page_replays(name):
    game = mcts.load_game(name)
    (block,) = code_blocks(section(name, "An example game"))
    lines = [line for line in block.splitlines() if not line.startswith("returns ")]
    found = [word for line in lines for word in line.split()]
    state = game.new_initial_state()
    assert found[0] == state.to_text()
    for step, text in zip(found[1::2], found[2::2], strict=True):
        apply_step(state, step)
        assert state.to_text() == text
    assert state.is_terminal()
    assert block.splitlines()[-1] == "returns " + " ".join(f"{value:g}" for value in state.returns())


class Told(CountDown):
    rules = "Take one or two."


def test_other_games_show_their_rules_or_their_docstring():
    assert mcts.rules(Told()) == "# count_down\n\nTake one or two.\n"
    assert mcts.rules("games_by_path.CountDown").startswith("# count_down\n\nTwo players take one or two from a heap")
    with pytest.raises(mcts.ParameterError, match=r"rules is 3; valid: a text"):
        type("Odd", (CountDown,), {"rules": 3})()


def test_rules_of_an_unknown_game_are_refused(playout):
    for odd in (None, 3, b"mnk"):
        with pytest.raises(mcts.errors.SpecError, match="a spec is a text"):
            mcts.rules(odd)
    done = playout("rules", "nosuch")
    assert done.status == 2
    assert "unknown game 'nosuch'; valid: " in done.err
