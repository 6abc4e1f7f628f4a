"""Games of other packages: found by entry point, imported at first use, refused with a reason."""

import dataclasses
import os

import pytest
from registries import forget_registered
from support import run_python

import mcts

MODULE = """
print("imported")
import mcts
class Coin(mcts.PythonGame):
    "One player calls a side."
    name = {name!r}
    players = ("caller",)
    num_actions = 2
    def initial_state(self): return None
    def acting_players(self, state): return 0 if state is None else ()
    def legal_actions(self, state, player): return [0, 1]
    def next_state(self, state, joint): return joint[0]
    def returns(self, state): return [float(state)]
INFO, GAME = Coin().info, Coin
"""


def install(folder, package, module, code, game="coin"):
    """Put a package into a folder as an installer would: a module, and metadata with an entry point."""
    (folder / f"{module}.py").write_text(code)
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[playout.games]\n{game} = {module}\n")


def run_beside(folder, code):
    """Run a program that finds what is installed in a folder."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return run_python(code, PYTHONPATH=path).splitlines()


def failure(folder, code="mcts.load_game('coin')"):
    """The message of the GameLoadError that a statement raises."""
    (line,) = run_beside(
        folder,
        f"import mcts\ntry:\n    {code}\nexcept mcts.PlayoutError as error:\n    print(error, type(error).__mro__)",
    )
    assert "GameLoadError" in line
    assert "PlayoutError" in line
    assert "ImportError" in line
    return line


def test_a_game_of_another_package_is_imported_when_it_is_first_used(tmp_path):
    install(tmp_path, "coins", "coin_rules", MODULE.format(name="coin"))
    told = run_beside(
        tmp_path,
        """
import mcts
from mcts import registry
print("coin" in mcts.registered_games())
print("now")
print(mcts.game_info("coin").summary)
game = mcts.load_game("coin")
print(mcts.MCTS.plain(game).run(game.new_initial_state(), simulations=100).action)
""",
    )
    assert told == ["True", "now", "imported", "One player calls a side.", "1"]


def test_other_games_load_when_a_package_cannot_be_imported(tmp_path):
    install(tmp_path, "coins", "coin_rules", "import nothing_of_this_name")
    (told,) = run_beside(tmp_path, "import mcts; print(mcts.load_game('mnk'), 'coin' in mcts.registered_games())")
    assert told == "mnk(m=3,n=3,k=3) True"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import nothing_of_this_name",
            "cannot be loaded: ModuleNotFoundError: No module named 'nothing_of_this_name'",
        ),
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("INFO = 1", "cannot be loaded: AttributeError: module 'coin_rules' has no attribute 'GAME'"),
        (MODULE.format(name="dice").replace('print("imported")', ""), "calls itself 'dice'; both must be the same"),
    ],
)
def test_errors_of_a_package_name_the_cause(tmp_path, code, reason):
    install(tmp_path, "coins", "coin_rules", code)
    told = failure(tmp_path)
    assert "the game 'coin', coin_rules of coins, " in told
    assert reason in told


def test_two_packages_cannot_offer_one_name(tmp_path):
    install(tmp_path, "coins", "coin_rules", MODULE.format(name="coin"))
    install(tmp_path, "more-coins", "other_rules", MODULE.format(name="coin"))
    told = failure(tmp_path)
    assert "several packages offer a game 'coin'" in told
    assert "coin_rules of coins" in told
    assert "other_rules of more-coins" in told


def test_a_package_cannot_take_the_name_of_a_built_in_game(tmp_path):
    install(tmp_path, "coins", "coin_rules", MODULE.format(name="mnk"), game="mnk")
    told = failure(tmp_path, "mcts.load_game('mnk')")
    assert "'mnk'" in told
    assert "coin_rules of coins" in told


def test_a_registered_game_cannot_take_a_name_that_is_taken():
    info = mcts.game_info("mnk")
    with pytest.raises(mcts.errors.SpecError, match="'mnk' is already registered"):
        mcts.register_game(info, mcts.load_game)


def test_games_of_packages_and_programs_come_before_those_of_the_library(tmp_path, monkeypatch):
    install(tmp_path, "sticks", "stick_rules", MODULE.format(name="nim"), game="nim")
    told = run_beside(tmp_path, "import mcts; print(mcts.load_game('nim').players, mcts.game_info('nim').players)")
    assert told == ["imported", "('caller',) ('caller',)"]
    forget_registered(monkeypatch, "games")
    library = mcts.load_game("nim")
    mcts.register_game(dataclasses.replace(library.info, players=("own",)), lambda: mcts.load_game("mnk"))
    assert (mcts.load_game("nim").name, mcts.game_info("nim").players) == ("mnk", ("own",))
    assert mcts.registered_games().count("nim") == 1
