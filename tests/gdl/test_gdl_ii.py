"""Rulesheets of GDL-II: chance, percepts, views, and where they are refused."""

import pickle
import random
from collections import Counter

import pytest
from rulesheets import FOLDER, written
from typer.testing import CliRunner

import mcts
from bots.commands.application import app
from mcts.errors import RulesheetError
from mcts.gdl.network import RANDOM
from mcts.gdl.secret_game import refuse_gdl_ii
from mcts.gdl.texts import term_text
from mcts.reference.rulesheet import Rulesheet

MONTY_HALL = """
(role candidate) (role random) (door 1) (door 2) (door 3) (init (step 1))
(<= (legal random (hide ?d)) (true (step 1)) (door ?d))
(<= (legal random (open ?d)) (true (step 2)) (door ?d) (not (true (car ?d))) (not (true (chosen ?d))))
(<= (legal random noop) (true (step 3)))
(<= (legal candidate (choose ?d)) (true (step 1)) (door ?d))
(<= (legal candidate noop) (not (true (step 1))))
(<= (legal candidate switch) (true (step 3)))
(<= (next (car ?d)) (does random (hide ?d)))
(<= (next (car ?d)) (true (car ?d)))
(<= (next (chosen ?d)) (does candidate (choose ?d)))
(<= (next (chosen ?d)) (true (chosen ?d)) (not (does candidate switch)))
(<= (next (chosen ?d)) (does candidate switch) (door ?d) (not (true (opened ?d))) (not (true (chosen ?d))))
(<= (next (opened ?d)) (does random (open ?d)))
(<= (next (opened ?d)) (true (opened ?d)))
(<= (next (step ?b)) (true (step ?a)) (after ?a ?b)) (after 1 2) (after 2 3) (after 3 4)
(<= (sees candidate (goat ?d)) (does random (open ?d)))
(<= terminal (true (step 4)))
(<= (goal candidate 100) (true (chosen ?d)) (true (car ?d)))
(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))))
"""
"""The candidate chooses a door, sees a goat behind another, and may switch."""

KUHN_POKER = """
(role random) (role first) (role second) (player first) (player second)
(card jack) (card queen) (card king) (beats king queen) (beats king jack) (beats queen jack)
(init (turn deal))
(<= (legal random (deal ?a ?b)) (true (turn deal)) (card ?a) (card ?b) (distinct ?a ?b))
(<= (legal random noop) (not (true (turn deal))))
(<= (decides first) (or (true (turn start)) (true (turn answer))))
(<= (decides second) (or (true (turn passed)) (true (turn bet))))
(<= (legal ?p pass) (decides ?p)) (<= (legal ?p bet) (decides ?p))
(<= (legal ?p noop) (player ?p) (not (decides ?p)))
(<= (next (hand first ?a)) (does random (deal ?a ?b))) (<= (next (hand second ?b)) (does random (deal ?a ?b)))
(<= (next (hand ?p ?a)) (true (hand ?p ?a)))
(<= (sees first ?a) (does random (deal ?a ?b))) (<= (sees second ?b) (does random (deal ?a ?b)))
(<= (sees ?q (did ?p ?m)) (player ?q) (decides ?p) (does ?p ?m))
(<= (next (turn start)) (true (turn deal)))
(<= (next (turn passed)) (true (turn start)) (does first pass))
(<= (next (turn bet)) (true (turn start)) (does first bet))
(<= (next (turn answer)) (true (turn passed)) (does second bet))
(<= (next (turn done)) (or (true (turn bet)) (true (turn answer))))
(<= (next (turn done)) (does second pass))
(<= (next (pot 1)) (true (turn passed)) (does second pass))
(<= (next (pot 2)) (true (turn bet)) (does second bet)) (<= (next (pot 2)) (true (turn answer)) (does first bet))
(<= (next (folded second)) (true (turn bet)) (does second pass))
(<= (next (folded first)) (true (turn answer)) (does first pass))
(<= terminal (true (turn done)))
(<= (wins ?p ?n) (true (pot ?n)) (true (hand ?p ?a)) (true (hand ?q ?b)) (beats ?a ?b))
(<= (wins ?p 1) (player ?p) (true (folded ?q)) (distinct ?p ?q))
(<= (goal ?p 100) (wins ?p 2)) (<= (goal ?p 75) (wins ?p 1))
(<= (goal ?q 0) (player ?q) (wins ?p 2) (distinct ?p ?q)) (<= (goal ?q 25) (player ?q) (wins ?p 1) (distinct ?p ?q))
"""
"""Kuhn poker; a chip is 25 points, and no chips are 50."""


@pytest.fixture(
    params=[MONTY_HALL, KUHN_POKER, "secret_goofspiel"], ids=["monty_hall", "kuhn_poker", "secret_goofspiel"]
)
def text(request):
    path = FOLDER / f"{request.param}.kif"
    return path.read_text() if "(" not in request.param else request.param


def test_the_state_and_the_percepts_are_those_of_the_reference(text, tmp_path):
    game, rules = mcts.load_game(written(tmp_path, text)), Rulesheet(text)
    assert game.has_hidden_information
    assert game.has_chance == (RANDOM in rules.roles)
    assert list(game.players) == [role for role in rules.roles if role != RANDOM]
    for seed in range(8):
        rng = random.Random(seed)
        state, facts, moves = game.new_initial_state(), rules.initial(), {}
        while not state.is_terminal():
            given = state.to_dict()
            if not given["waiting"]:
                assert set(given["facts"]) == {term_text(fact) for fact in facts}
                for player, role in enumerate(game.players):
                    percepts = {term_text(fact[2]) for fact in facts if fact[0] == "Sees" and fact[1] == role}
                    assert set(eval(given["seen"][player][-1][1])) == percepts
                moves = dict.fromkeys(rules.roles, "noop")
            legal = {role: {term_text(move): move for move in found} for role, found in rules.legal(facts).items()}
            joint = {}
            if state.is_chance():
                outcome = rng.choice([number for number, _ in state.chance_outcomes()])
                assert {state.action_to_string(mcts.CHANCE, each) for each, _ in state.chance_outcomes()} == {
                    *legal[RANDOM]
                }
                moves[RANDOM] = legal[RANDOM][state.action_to_string(mcts.CHANCE, outcome)]
                state.apply_action(outcome)
            else:
                for player in state.acting_players():
                    joint[player] = rng.choice(state.legal_actions(player))
                    role = game.players[player]
                    shown = {state.action_to_string(player, each): each for each in state.legal_actions(player)}
                    assert {name.removesuffix("()") for name in shown} == set(legal[role])
                    chosen = state.action_to_string(player, joint[player])
                    moves[role] = legal[role][chosen.removesuffix("()")]
                state.apply_actions(state.joint_action(joint))
            if not state.to_dict()["waiting"]:
                facts = rules.following(facts, moves)
        goals = rules.goals(facts)
        assert state.returns() == [sum(goals[role]) / len(goals[role]) for role in game.players]


@pytest.mark.parametrize("doors", [2, 3])
def test_the_random_role_draws_from_two_moves_as_from_three(tmp_path, doors):
    """It hides the car while the candidate chooses, and opens a door of two while nobody decides."""
    text = MONTY_HALL if doors == 3 else MONTY_HALL.replace(" (door 3)", "")
    state = mcts.load_game(written(tmp_path, text)).new_initial_state()
    state.apply_action(state.string_to_action(0, "choose(1)"))
    hidden = [f"hide({door})" for door in range(1, doors + 1)]
    assert chances(state) == dict.fromkeys(hidden, pytest.approx(1 / doors))
    state.apply_action(state.string_to_action(mcts.CHANCE, "hide(1)"))
    opened = [f"open({door})" for door in range(2, doors + 1)]
    assert chances(state) == dict.fromkeys(opened, 1 / len(opened))


def chances(state):
    """Text of each outcome of chance -> its probability; empty where chance does not decide."""
    outcomes = state.chance_outcomes() if state.is_chance() else []
    return {state.action_to_string(mcts.CHANCE, outcome): chance for outcome, chance in outcomes}


def test_states_and_games_are_kept(text, tmp_path):
    game = mcts.load_game(written(tmp_path, text))
    assert pickle.loads(pickle.dumps(game)) == game == mcts.load_game(game.spec)
    rng, state = random.Random(1), game.new_initial_state()
    while not state.is_terminal():
        assert game.state_from_text(state.to_text()) == state
        assert state.to_svg().startswith("<svg")
        assert state.view(0).to_svg().startswith("<svg")
        choices = {player: rng.choice(state.legal_actions(player)) for player in state.acting_players()}
        if state.is_chance():
            state.apply_action(state.sample_outcome(rng.getrandbits(30)))
        else:
            state.apply_actions(state.joint_action(choices))


def test_kuhn_poker_has_its_value(tmp_path):
    game = mcts.load_game(written(tmp_path, KUHN_POKER))
    solution = mcts.solve(game)
    assert game.is_zero_sum
    assert solution.value(game.new_initial_state())[0] == pytest.approx(50 - 25 / 18, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "old", "new", "more"),
    [
        (
            "goofspiel",
            "(role ?player) (card ?card))\n(<= (init (score ?player 0)) (role ?player))\n(init (prize 1))",
            "(deals ?player ?card))\n(<= (init (score ?player 0)) (role ?player))\n(init (prize 3))",
            "(deals first 1) (deals first 3) (deals first 5) (deals second 2) (deals second 3) (deals second 4)",
        ),
        ("colonel_blotto", "?right 10)", "?right ?all) (has ?player ?all)", "(has first 5) (has second 4)"),
    ],
)
def test_secrets_that_all_are_told_after_the_step_change_no_value(tmp_path, name, old, new, more):
    text = (FOLDER / f"{name}.kif").read_text()
    assert old in text
    text = text.replace(old, new) + more
    told = text + "(<= (sees ?viewer (did ?player ?move)) (role ?viewer) (does ?player ?move))\n"
    plain, secret = (mcts.load_game(written(tmp_path, each)) for each in (text, told))
    assert not plain.has_hidden_information
    assert secret.has_hidden_information
    values = [mcts.solve(game, cache=False).value(game.new_initial_state())[0] for game in (plain, secret)]
    assert values[0] == pytest.approx(values[1], abs=1e-6)


def test_a_view_has_the_chances_that_the_percepts_leave(tmp_path):
    game = mcts.load_game(written(tmp_path, MONTY_HALL))
    state = game.new_initial_state()
    state.apply_action(state.string_to_action(0, "choose(1)"))
    state.apply_action(state.string_to_action(mcts.CHANCE, "hide(3)"))
    state.apply_action(state.string_to_action(mcts.CHANCE, "open(2)"))
    view = state.view(0)
    assert str(view) == "('goat(2)',)"
    assert "goat(2)" in view.to_svg()
    assert "car(" not in view.to_svg()
    cars = Counter(fact for seed in range(900) for fact in view.resample(seed).to_dict()["facts"] if "car" in fact)
    assert set(cars) == {"car(1)", "car(3)"}
    assert abs(cars["car(3)"] - 600) < 60  # four standard deviations of 900 draws
    result = mcts.searcher_for(game, seed=1).run(view, simulations=2000)
    assert view.action_to_string(result.action) == "switch"


def test_chance_without_secrets_is_seen(tmp_path):
    text = "\n".join(line for line in MONTY_HALL.splitlines() if "(sees" not in line)
    game = mcts.load_game(written(tmp_path, text))
    assert game.has_chance
    assert not game.has_hidden_information
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance():
            state.apply_action(state.sample_outcome(1))
        else:
            state.apply_action(mcts.MCTS(game, seed=1).run(state, simulations=100).action)
    assert state.returns() == [100.0]


def test_other_states_and_roles_are_refused(tmp_path):
    game = mcts.load_game(written(tmp_path, MONTY_HALL))
    given = game.new_initial_state().to_dict()
    for waiting in (None, [9, -1], [0], [-1, -1], [True, -1]):
        with pytest.raises(mcts.StateError, match="'waiting' is"):
            game.state_from_dict({**given, "waiting": waiting})
    with pytest.raises(RulesheetError, match="`random` is the only role"):
        mcts.load_game(
            written(tmp_path, "(role random) (init a) (legal random go) (<= terminal (true a)) (goal random 1)")
        )


def test_the_network_protocol_and_servers_refuse_them(tmp_path):
    game = mcts.load_game(written(tmp_path, MONTY_HALL))
    with pytest.raises(RulesheetError, match="valid here: rules without chance and secrets"):
        refuse_gdl_ii(game.sheet.network)
    players = ["ggp(url=http://localhost:1)", "random"]
    result = CliRunner().invoke(app, ["arena", str(tmp_path / "sheet.kif"), *players, "--no-db"])
    assert "is not a rulesheet without chance" in str(result.exception)


def test_the_arena_and_its_records_play_them(tmp_path):
    sheet, record = written(tmp_path, KUHN_POKER), tmp_path / "games.jsonl"
    command = ["arena", sheet, "ismcts:simulations=50", "random", "--games", "4", "--db", str(tmp_path / "arena.db")]
    assert CliRunner().invoke(app, [*command, "--workers", "1"]).exit_code == 0
    out = CliRunner().invoke(app, ["records", str(tmp_path / "arena.db"), "--rules", "-o", str(record)])
    assert out.exit_code == 0, out.output
    record.write_text(record.read_text().splitlines()[0])
    shown = CliRunner().invoke(app, ["replay", str(record)])
    assert shown.exit_code == 0
    assert "deal(" in shown.output
