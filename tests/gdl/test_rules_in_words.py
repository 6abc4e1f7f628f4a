"""Rules in words of the rulesheets of the library."""

import random
import re

import pytest
from rulesheets import FOLDER

import mcts
from bots.web.api.rule_html import rules_html
from mcts.gdl.rulesheets import library_games
from mcts.gdl.secret_game import rulesheet_game

MOST_WORDS = 150
GAMES = 20
"""Random games in which each quoted action must be legal once."""


def words_of(name):
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def legal_texts(game):
    """Return the texts of all actions that are legal in random games."""
    rng, found = random.Random(7), set()
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance():
                state.apply_action(state.sample_outcome(rng.getrandbits(30)))
                continue
            actions = {player: state.legal_actions(player) for player in state.acting_players()}
            for player, legal in actions.items():
                found |= {state.action_to_string(player, action) for action in legal}
            state.apply_actions(state.joint_action({player: rng.choice(legal) for player, legal in actions.items()}))
    return found


def test_every_rulesheet_has_rules_in_words():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(library_games())


@pytest.mark.parametrize("name", library_games())
def test_the_words_are_few_and_about_this_game(name):
    text = words_of(name)
    assert len(text.split()) <= MOST_WORDS
    assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Goal", "Turns", "End", "Actions"]
    others = set(mcts.registered_games()) - {name, "chess", "go"}
    assert not others & set(re.findall(r"\w+", text.lower()))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", library_games())
def test_quoted_actions_are_legal_in_random_games(name):
    quoted = set(re.findall(r"`([^`]+)`", words_of(name)))
    assert quoted
    assert quoted <= legal_texts(mcts.load_game(name))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", library_games())
def test_the_words_come_before_the_source(name, playout):
    game = mcts.load_game(name)
    source = f"\n## Source\n\n```lisp\n{game.text.strip()}\n```\n"
    assert mcts.rules(game) == f"# {game.info.title}\n\n{words_of(name)}{source}"
    assert playout("rules", name).out == mcts.rules(game)


@pytest.mark.parametrize("name", [name for name in library_games() if "row 1 is at the" in words_of(name).lower()])
def test_the_first_row_is_drawn_where_the_words_say(name):
    _, *lines = str(mcts.load_game(name).new_initial_state()).splitlines()
    rows = [int(line.split()[0]) for line in lines if re.match(r" *\d+ ", line)]
    assert len(rows) > 2
    assert rows == sorted(rows, reverse="row 1 is at the bottom" in words_of(name).lower())


def test_the_page_folds_the_source():
    title, html = rules_html(mcts.rules("hexapawn"))
    words, fold, source = html.partition("<details><summary>Source</summary>")
    assert (title, bool(fold)) == ("Hexapawn", True)
    assert "last row" in words
    assert "(role white)" not in words
    assert "(role white)" in source
    assert source.endswith("</details>")


def test_another_text_keeps_its_summary_and_its_source_in_sight(tmp_path):
    text = mcts.load_game("hexapawn").text + "; changed"
    (tmp_path / "hexapawn.kif").write_text(text)
    for game in (mcts.load_game(str(tmp_path / "hexapawn.kif")), rulesheet_game(text, "hexapawn")):
        assert mcts.rules(game).startswith(f"# Hexapawn\n\n{game.info.summary}\n\n```lisp\n; title")
        assert "<details>" not in rules_html(mcts.rules(game))[1]
