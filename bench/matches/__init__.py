"""Play Playout's bot against OpenSpiel's MCTSBot in the arena, with equal time or equal simulations.

usage: python -m bench.matches [--games N] [--workers N] [--short] [--results FILE] [--environments FOLDER]

OpenSpiel is an engine of the Universal Game Interface in an environment of its own (`openspiel_engine.py`). Every
opening is played twice, with exchanged seats. Any failure of a bot ends the run. After the games, OpenSpiel replays all
of them, and the run fails if its rules give other returns.
"""
