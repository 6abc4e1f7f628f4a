import playout

state = playout.load_game("my_dice.ThreeThrows").new_initial_state()
search = playout.MCTS(state.game, seed=1)
while not state.is_terminal():
    if state.is_chance():
        state.apply_action(state.sample_outcome(seed=len(state.history())))
    else:
        state.apply_action(search.run(state, simulations=500).action)
print(state.history(), state.returns())  # an outcome is the last entry of its joint action
