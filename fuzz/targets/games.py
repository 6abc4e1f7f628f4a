"""Games against the plain rules: positions, legal actions, texts and returns, at every ply of a play."""

from __future__ import annotations

from fuzz.games import SPECS, chosen_game
from fuzz.reader import Reader
from fuzz.rules import KINDS, ChanceRules, Position, rules_of
from fuzz.rules.bids import Bidding3d
from mcts import CHANCE, State

SEEDS = tuple(bytes([place, *range(1, 160)]) for place in range(len(SPECS)))


def target(data: bytes) -> None:
    """Play one game by both rules. Chess and Go have no plain rules here; the tests compare them with other rules."""
    reader = Reader(data)
    game = chosen_game(reader)
    if game.name not in KINDS:
        return
    rules = rules_of(game)
    state, at = game.new_initial_state(), rules.start()
    while True:
        assert state.to_dict() == at, (state.to_dict(), at)
        acting = rules.acting(at)
        assert list(state.acting_players()) == acting
        outcomes = rules.outcomes(at) if isinstance(rules, ChanceRules) else {}
        weights = state.chance_weights() if state.is_chance() else []
        assert {state.action_to_string(CHANCE, outcome): weight for outcome, weight in weights} == outcomes, at
        if isinstance(rules, ChanceRules) and outcomes and reader:
            text = reader.choice(sorted(outcomes))
            state.apply_action(state.string_to_action(CHANCE, text))
            at = rules.after_outcome(at, text)
            continue
        if not acting and not outcomes:
            assert state.returns() == rules.returns(at), at
            return
        if not reader:
            return
        at = bid(reader, state, rules, at) if isinstance(rules, Bidding3d) else step(reader, state, rules, at)


def step(reader: Reader, state: State, rules: object, at: Position) -> Position:
    """Play a joint action of listed actions."""
    texts = {}
    for player in state.acting_players():
        legal = sorted(state.action_to_string(player, action) for action in state.legal_actions(player))
        assert legal == sorted(rules.legal(at, player)), (legal, at)
        texts[player] = reader.choice(legal)
    state.apply_actions(state.joint_action(texts))
    return rules.after(at, texts)


def bid(reader: Reader, state: State, rules: Bidding3d, at: Position) -> Position:
    """Play bids, drawn by the game and changed by the input; each is legal by both rules or by none."""
    bids = []
    for player in state.acting_players():
        drawn = state.sample_action(player, reader.byte())
        changed = list(drawn)
        for _ in range(reader.byte() % 4):
            changed[reader.below(81)] = reader.byte() % 8 if reader.flag() else reader.byte()
        is_legal = rules.is_legal(at, player, tuple(changed))
        assert state.is_legal(player, tuple(changed)) == is_legal, (at, player, changed)
        assert rules.is_legal(at, player, drawn), (at, player, drawn)
        bids.append(tuple(changed) if is_legal else drawn)
    state.apply_actions(bids)
    return rules.after_bids(at, bids)
