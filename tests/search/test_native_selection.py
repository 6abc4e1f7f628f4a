"""Selection policies of another package: compiled against the installed table, found by path, registered, compared."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support import ROOT, environment

import cext
import mcts
from cext.search.search import Search
from cext.search.selection import SELECTIONS
from mcts.reference import ReferenceSearch, register_selection, select_single

SOURCE = '''
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t

from cext.rng cimport rng_below, rng_unit
from cext.search.selection_table cimport CHOOSES_UNTRIED, NEEDS_SQUARES, arms_t, new_selection


cdef int32_t ucb_v(const arms_t *arms) noexcept nogil:
    """UCB-V (Audibert, Munos and Szepesvari 2009)."""
    cdef double highest = -1.0, score, mean, variance, visits, log_total = log(<double> arms.visits)
    cdef int32_t arm, best = 0
    for arm in range(arms.num_tried):
        if arms.mean[arm] < 0.0:
            continue
        visits = max(arms.arm_visits[arm], 1)
        mean = arms.mean[arm]
        variance = max(0.0, arms.square[arm] / visits - mean * mean)
        score = mean + arms.exploration * (sqrt(2.0 * variance * log_total / visits) + 3.0 * log_total / visits)
        if score > highest:
            highest = score
            best = arm
    return best


cdef int32_t epsilon_greedy(const arms_t *arms) noexcept nogil:
    """The best mean, but any arm, untried ones among them, with probability `exploration`."""
    cdef int32_t arm, best = 0
    if rng_unit(arms.rng) < arms.exploration:
        return rng_below(arms.rng, arms.num_choices)
    for arm in range(arms.num_tried):
        if arms.mean[arm] > arms.mean[best]:
            best = arm
    return best


SELECTION = new_selection("ucb_v", NEEDS_SQUARES, ucb_v)
EPSILON_GREEDY = new_selection("epsilon_greedy", CHOOSES_UNTRIED, epsilon_greedy)
TAKEN = new_selection("puct", 0, ucb_v)
'''
BUILD = """
import sys
import cext
from Cython.Build import cythonize
from setuptools import Extension, setup
headers, name = sys.argv.pop(), sys.argv.pop()
flags = ["-O1", "-ffp-contract=off"]
path = name.replace(".", "/") + ".pyx"
extension = Extension(name, [path], include_dirs=[cext.get_include()], extra_compile_args=flags)
directives = {"language_level": 3, "cdivision": True}
setup(ext_modules=cythonize([extension], include_path=[headers, "."], compiler_directives=directives))
"""


def build(folder, package, headers):
    """Compile the policies as a package of a folder, against the declarations (pxd) in a folder `headers`."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").touch()
    (folder / package / "policies.pyx").write_text(SOURCE)
    command = [
        sys.executable,
        "-P",
        "-c",
        BUILD,
        "--quiet",
        "build_ext",
        "--inplace",
        f"{package}.policies",
        str(headers),
    ]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policies")
    build(folder, "my_package", Path(cext.get_include()).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setattr(SELECTIONS, "_known", dict(SELECTIONS))
        patch.setattr(select_single, "SELECTIONS", dict(select_single.SELECTIONS))
        patch.setattr("mcts.reference.search_state.SELECTIONS", select_single.SELECTIONS)
        found = importlib.import_module("my_package.policies")
        mcts.register_selection(found.SELECTION)
        mcts.register_selection(found.EPSILON_GREEDY)
        register_selection("ucb_v", ucb_v)
        register_selection("epsilon_greedy", epsilon_greedy, chooses_untried=True)
        yield found


def ucb_v(arms):
    """The first policy in plain Python."""
    log_total = np.log(arms.node.visits)
    scores = []
    for arm in arms.tried:
        visits, mean = max(arm.visits, 1), float(arm.mean)
        variance = max(0.0, arm.square / visits - mean * mean)
        bonus = np.sqrt(2.0 * variance * log_total / visits) + 3.0 * log_total / visits
        scores.append(mean + arms.exploration * bonus if arm.mean >= 0.0 else None)
    return select_single.best_arm(scores, -1.0)


def epsilon_greedy(arms):
    """The second policy in plain Python."""
    if arms.rng.unit() < arms.exploration:
        return arms.rng.below(arms.num_choices)
    return max(range(len(arms.tried)), key=lambda arm: (arms.tried[arm].mean, -arm))


@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize(("selection", "exploration"), [("ucb_v", 0.4), ("epsilon_greedy", 0.2)])
def test_it_searches_as_the_reference(module, selection, exploration, options):
    if selection == "epsilon_greedy" and "solver" in options:
        pytest.skip("it chooses arms that the solver has pruned")
    state = mcts.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
    options = {"solver": False, "transpositions": False, **options, "selection": selection, "exploration": exploration}
    options |= {"joint_selection": "regret_matching", "playout": "uniform"}
    kernel = Search(state.game, memory_bytes=1 << 24, **options)
    kernel.set_root(state, 7)
    done, _ = kernel.run(400, 1e9)
    plain = ReferenceSearch(state.game, **options)
    assert plain.run(state, 400, 7) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    assert kernel.selection.name == selection


def test_names_paths_and_messages_know_it(module):
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    by_name, by_path = (mcts.MCTS(game, selection=name, seed=2) for name in ("ucb_v", "my_package.policies"))
    assert by_name.run(state, simulations=300).visits == by_path.run(state, simulations=300).visits
    assert mcts.load_searcher("mcts(selection=ucb_v)", game).parameters["selection"] == "ucb_v"
    with pytest.raises(
        mcts.ParameterError, match="valid: epsilon_greedy, grave, puct, thompson, ucb1, ucb1_tuned, ucb_v"
    ):
        mcts.MCTS(game, selection="ucb_w")
    with pytest.raises(mcts.ParameterError, match=r"selection='no_such\.policy' is unknown"):
        mcts.MCTS(game, selection="no_such.policy")


def test_what_is_no_policy_or_has_a_taken_name_is_refused(module):
    with pytest.raises(ValueError, match="'puct' is already registered"):
        mcts.register_selection(module.TAKEN)
    with pytest.raises(TypeError, match="valid: a Selection, made by new_selection"):
        mcts.register_selection("ucb1")


@pytest.mark.long
def test_a_policy_compiled_against_another_table_is_refused(tmp_path, module):
    headers = tmp_path / "headers"
    shutil.copytree(
        ROOT / "cext", headers / "cext", ignore=shutil.ignore_patterns("*.so", "*.c", "x86_64_v3", "__pycache__")
    )
    table = headers / "cext" / "search" / "selection_table.pxd"
    text = table.read_text()
    assert text.count("SELECTION_VERSION = 3 ") == 1
    table.write_text(text.replace("SELECTION_VERSION = 3 ", "SELECTION_VERSION = 9 "))
    build(tmp_path, "other_package", headers)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        with pytest.raises(ImportError, match=r"ucb_v was compiled for version 9 of the table .*not 3"):
            mcts.MCTS(mcts.load_game("mnk"), selection="other_package.policies")


@pytest.mark.parametrize("text", ["SELECTION = 'ucb1'", "raise SystemExit(3)", "1 / 0"])
def test_a_module_that_is_not_a_policy_is_refused(tmp_path, monkeypatch, text):
    (tmp_path / "bad_policies").mkdir()
    (tmp_path / "bad_policies" / "policy.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises((mcts.ParameterError, ImportError), match=r"bad_policies\.policy"):
        mcts.MCTS(mcts.load_game("mnk"), selection="bad_policies.policy")
    monkeypatch.delitem(sys.modules, "bad_policies.policy", raising=False)
    monkeypatch.delitem(sys.modules, "bad_policies", raising=False)
