"""A compiled game of another package: built against the installed files, found, searched, and held to the contract."""

import functools
import json
import operator
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT
from waiting import BUILD_SECONDS

import cext

EXAMPLE = ROOT / "examples" / "native_game"
CORE = Path(cext.get_include())
CONTRACT = sorted((ROOT / "tests" / "games").glob("test_contract*.py"))

pytestmark = pytest.mark.long


def run(*command, cwd, path=(), fails=False):
    """Run this interpreter with further folders to import from in front; all that it says."""
    folders = [*map(str, path), str(CORE.parent)]
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD_SECONDS,
    )
    assert (done.returncode != 0) == fails, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip has installed the example."""
    source, site = tmp_path_factory.mktemp("source") / "nim", tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "*.c", "*.so"))
    options = ["--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--target", site]
    run("-m", "pip", "install", *options, source, cwd=source)
    return site


def test_the_installed_game_is_found_by_name(installed):
    code = "import mcts, sys; print('nim' in mcts.registered_games(), 'playout_nim' in sys.modules); "
    code += "print(mcts.load_game('nim(heaps=1-2,misere=true)'), mcts.game_info('nim').players)"
    told = run("-c", code, cwd=installed, path=[installed])
    assert told.splitlines() == ["True False", "nim(heaps=1-2,misere=true) ('first', 'second')"]


def test_the_installed_game_keeps_the_contract_of_games(installed):
    tests = ("-m", "long or not long", "-p", "no:cacheprovider", "-k", "nim", *CONTRACT)
    told = run("-m", "pytest", *tests, cwd=ROOT, path=[installed])
    assert int(re.search(r"(\d+) passed", told)[1]) >= 10
    assert "failed" not in told


PLAY = """
import itertools, json, sys
import mcts

sizes, solver, simulations = json.loads(sys.argv[1])
for misere in (False, True):
    game = mcts.load_game("nim", heaps="-".join(map(str, sizes)), misere=misere)
    search = mcts.MCTS.plain(game, solver=solver, seed=1)
    for heaps in itertools.product(*(range(size + 1) for size in sizes)):
        try:
            state = game.state_from_dict({"heaps": heaps, "to_move": "first"})
        except mcts.StateError:
            continue
        if state.is_terminal():
            continue
        found = search.run(state, simulations=simulations)
        state.apply_action(found.action)
        print(json.dumps([misere, heaps, state.to_dict()["heaps"], found.values[0], found.proven]))
"""


def mover_wins(heaps, misere):
    """Bouton's rule: the exclusive or of all heaps; in misère the parity of the heaps once none has two sticks."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    return functools.reduce(operator.xor, heaps) != 0


@pytest.mark.parametrize(
    ("sizes", "solver", "simulations"),
    [([3, 4, 5], True, 2_000_000), ([1, 2, 3], False, 20_000)],
    ids=["proven", "estimated"],
)
def test_the_search_plays_as_bouton_proved(installed, sizes, solver, simulations):
    told = run("-c", PLAY, json.dumps([sizes, solver, simulations]), cwd=installed, path=[installed])
    lost = 0
    for misere, before, after, value, proven in map(json.loads, told.splitlines()):
        wins = mover_wins(before, misere)
        lost += not wins
        assert proven == solver
        assert not (wins and mover_wins(after, misere)), (misere, before, after)
        if solver:
            assert value == (100.0 if wins else 0.0)
    assert lost >= 3
    assert len(told.splitlines()) > 10 * lost / 3


# What a careless game may leave out or get wrong: a line of the example, and what stands there instead.
MISTAKES = {
    "empty": ("self.table.apply = apply", "pass", "ImportError: nim.* leaves functions of its table empty: apply$"),
    "two empty": (
        "self.table.hash = hash\n        self.table.playout = playout",
        "self.table.legal_actions = NULL",
        "ImportError: nim.* empty: hash, legal_actions or sample_action$",
    ),
    "no actions": (
        "self.table.max_legal = self.nim.sticks",
        "pass",
        "ImportError: nim.* at most 0 of them legal; valid",
    ),
    "no state": ("self.table.state_size = sizeof(state_t)", "pass", "ImportError: nim.* of an impossible size"),
    "half a symmetry": (
        "self.table.state_size = sizeof(state_t)",
        "self.table.num_symmetries = 2; self.table.state_size = sizeof(state_t)",
        "ImportError: nim.* empty: transform, transform_action, canonical$",
    ),
    "not sealed": ("self.seal()", "pass", "TypeError: nim.* has not called seal$"),
}
# Tables of other versions: a line of game_table.pxd, and what stood there.
LAYOUTS = {
    "version": (
        "ABI_VERSION = 12",
        "ABI_VERSION = 13",
        r"ImportError: nim.* for version 13 of the game table \(\d+ bytes\), not 12 ",
    ),
    "shorter": (
        "    uint64_t (*info_hash)(const game_t *game, const void *state, int32_t player) noexcept nogil\n",
        "",
        r"ImportError: nim.* for version 12 of the game table \((\d+) bytes\), not 12 \((?!\1)\d+ bytes\)",
    ),
    "longer": (
        "    bint (*failed)(const game_t *game) noexcept nogil\n",
        "    bint (*failed)(const game_t *game) noexcept nogil\n    void (*later)(const game_t *game) noexcept nogil\n",
        "ValueError: cext.game.game.Game size changed, may indicate binary incompatibility",
    ),
}
BUILD = """
import sys
import cext
from Cython.Build import cythonize
from setuptools import Extension, setup
names = sys.argv.pop().split(",")
extensions = [Extension(name, [name + ".pyx"], include_dirs=[cext.get_include()]) for name in names]
setup(ext_modules=cythonize(extensions, language_level=3, include_path=["."]))
"""
EXAMPLE_SOURCE = EXAMPLE / "src" / "playout_nim" / "nim.pyx"
LOAD = "import {0}; {0}.GAME().new_initial_state()"


SOLVE = """
import itertools, json, sys
import mcts

for module in map(__import__, sys.argv[1:]):
    game = module.GAME(heaps="3-4-2", misere=True)
    try:
        solution = mcts.solve(game, cache=False)
    except mcts.UnsupportedGameError as error:
        print(error)
        continue
    values = {}
    for heaps in itertools.product(range(4), range(5), range(3)):
        for mover in game.players:
            try:
                state = game.state_from_dict({"heaps": heaps, "to_move": mover})
                values["-".join(map(str, heaps)) + " " + mover] = solution.value(state)[0]
            except mcts.StateError:
                pass
    print(json.dumps([solution.num_states, solution.num_canonical_states, values]))
"""
# The example with more of the table filled: a line of it, and what stands there instead.
MORE = {
    "nim_plain": ("self.table.state_size = sizeof(state_t)", "self.table.state_size = sizeof(state_t)"),
    # Says of states with few sticks that nothing more is to be forgotten of them: there are several ways in.
    "nim_reduced": (
        "cdef class Nim(Game):",
        """cdef bint reduce(const game_t *game, void *data, double *offset) noexcept nogil:
    offset[0] = offset[1] = 0.0
    return sticks_left(<const state_t *> data) <= 4


cdef class Nim(Game):""",
    ),
    # Puts taken sticks back on an empty heap: play goes on for ever.
    "nim_endless": (
        "    state.mover = 1 - state.mover\n\n\ncdef void returns",
        "    state.heap[number // longest] += <uint8_t> (number % longest + 1)\n"
        "    state.mover = 1 - state.mover\n\n\ncdef void returns",
    ),
}


def replaced(text, old, new):
    """The text with one line of it replaced, which has to be there."""
    assert text.count(old) == 1
    return text.replace(old, new)


def test_mistakes_in_a_table_are_refused(tmp_path):
    names = [f"nim_{number}" for number in range(len(MISTAKES))]
    for name, (old, new, _) in zip(names, MISTAKES.values(), strict=True):
        (tmp_path / f"{name}.pyx").write_text(replaced(EXAMPLE_SOURCE.read_text(), old, new))
    run("-c", BUILD, "--quiet", "build_ext", "--inplace", "--parallel=2", ",".join(names), cwd=tmp_path)
    for name, (_, _, message) in zip(names, MISTAKES.values(), strict=True):
        told = run("-c", LOAD.format(name), cwd=tmp_path, path=[tmp_path], fails=True)
        assert re.search(message, told, re.MULTILINE), told


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_game_built_for_another_table_is_refused(tmp_path, layout):
    old, new, message = LAYOUTS[layout]
    headers = tmp_path / "cext"
    for path in [*CORE.rglob("*.pxd"), *CORE.rglob("__init__.py")]:
        (headers / path.relative_to(CORE)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, headers / path.relative_to(CORE))
    table = headers / "game" / "game_table.pxd"
    table.write_text(replaced(table.read_text(), old, new))
    shutil.copy(EXAMPLE_SOURCE, tmp_path)
    run("-P", "-c", BUILD, "--quiet", "build_ext", "--inplace", "nim", cwd=tmp_path)
    shutil.rmtree(headers)
    told = run("-W", "ignore", "-c", LOAD.format("nim"), cwd=tmp_path, path=[tmp_path], fails=True)
    assert re.search(message, told, re.MULTILINE), told


def test_the_example_is_solved_exactly(tmp_path):
    """As Bouton proved; also where states are reduced on several ways in; and not where play has no end."""
    for name, (old, new) in MORE.items():
        text = replaced(EXAMPLE_SOURCE.read_text(), old, new)
        if name == "nim_reduced":
            text = replaced(text, "self.table.hash = hash", "self.table.hash = hash; self.table.reduce = reduce")
        (tmp_path / f"{name}.pyx").write_text(text)
    run("-c", BUILD, "--quiet", "build_ext", "--inplace", "--parallel=2", ",".join(MORE), cwd=tmp_path)
    told = run("-c", SOLVE, *MORE, cwd=tmp_path, path=[tmp_path]).splitlines()
    plain, reduced = map(json.loads, told[:2])
    assert plain == reduced
    num_states, num_canonical, values = plain
    assert num_states == num_canonical == len(values)
    assert len(values) > 100
    for state, value in values.items():
        heaps, mover = state.split()
        wins = mover_wins([int(left) for left in heaps.split("-")], misere=True)
        assert value == (100 if wins == (mover == "first") else 0)
    assert re.search("nim.* cannot be solved: a state of .* can recur, so backward induction", told[2])
