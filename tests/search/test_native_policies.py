"""Policies of other packages: compiled against the installed tables, found by path, registered, compared."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nets import random_net
from python_games import matrix_game, zero_sum
from registries import forget_registered
from search_cases import STATES
from support import ROOT, environment, kernel_search, reference_search
from waiting import BUILD_SECONDS

import cext
import mcts
from mcts.reference import register_joint_selection, register_playout, register_selection, select_single

RECIPE = ROOT / "examples" / "recipes" / "selection_policy" / "my_policies" / "ucb_v.pyx"
SOURCE = (
    RECIPE.read_text()
    + '''
from cext.primitives.rng cimport rng_below, rng_unit
from cext.search.policies.selection_table cimport CHOOSES_UNTRIED, NEEDS_AMAF, amaf_sum, amaf_visits


cdef int32_t epsilon_greedy(const arms_t *arms) noexcept nogil:
    """The best mean, but any arm, untried ones among them, with probability `exploration`."""
    cdef int32_t arm, best = 0
    if rng_unit(arms.rng) < arms.exploration:
        return rng_below(arms.rng, arms.num_choices)
    for arm in range(arms.num_tried):
        if arms.mean[arm] > arms.mean[best]:
            best = arm
    return best


cdef int32_t best_anywhere(const arms_t *arms) noexcept nogil:
    """The action with the best mean of all places where it was played."""
    cdef int32_t arm, best = 0
    cdef float mean, highest = -1.0
    for arm in range(arms.num_tried):
        mean = amaf_sum(arms.amaf, arms.action[arm]) / max(amaf_visits(arms.amaf, arms.action[arm]), <float> 1.0)
        if mean > highest:
            best, highest = arm, mean
    return best


BEST_ANYWHERE = new_selection("best_anywhere", NEEDS_AMAF, best_anywhere)
EPSILON_GREEDY = new_selection("epsilon_greedy", CHOOSES_UNTRIED, epsilon_greedy)
TAKEN = new_selection("puct", 0, select)
'''
)
BUILD = """
import sys
import cext
from Cython.Build import cythonize
from setuptools import Extension, setup
headers, name = sys.argv.pop(), sys.argv.pop()
flags = ["-O0", "-ffp-contract=off"]
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
    arguments = ["--quiet", "build_ext", "--inplace", f"{package}.policies", str(headers)]
    command = [sys.executable, "-P", "-c", BUILD, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=BUILD_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policies")
    build(folder, "my_package", Path(cext.get_include()).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        forget_registered(patch, "selections")
        patch.setattr(select_single, "SELECTIONS", dict(select_single.SELECTIONS))
        patch.setattr("mcts.reference.search_state.SELECTIONS", select_single.SELECTIONS)
        found = importlib.import_module("my_package.policies")
        mcts.register_policy(found.SELECTION)
        mcts.register_policy(found.EPSILON_GREEDY)
        mcts.register_policy(found.BEST_ANYWHERE)
        register_selection("ucb_v", ucb_v)
        register_selection("epsilon_greedy", epsilon_greedy, chooses_untried=True)
        register_selection("best_anywhere", best_anywhere, needs_amaf=True)
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


def best_anywhere(arms):
    """The third policy in plain Python."""
    known = [arms.amaf.of(arms.node.mover, action) for action in arms.node.actions[: len(arms.tried)]]
    means = [each.value / max(each.visits, np.float32(1.0)) for each in known]
    return means.index(max(means))


@pytest.fixture(scope="module")
def example(tmp_path_factory, module):
    """The packages of examples/selection_policies and playout_policies, compiled, with their twins registered."""
    with pytest.MonkeyPatch.context() as patch:
        for package in ("selection_policies", "playout_policies"):
            folder = tmp_path_factory.mktemp("example") / package
            shutil.copytree(ROOT / "examples" / package, folder)
            command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
            limits = {"env": environment(), "capture_output": True, "text": True, "timeout": BUILD_SECONDS}
            done = subprocess.run(command, cwd=folder, **limits)
            assert done.returncode == 0, done.stdout + done.stderr
            patch.syspath_prepend(folder)
        twins = importlib.import_module("selection_policies.in_python")
        for name in ("ucb1_tuned", "thompson"):
            register_selection(f"selection_policies.{name}", getattr(twins, name))
        register_joint_selection("selection_policies.ducb1", twins.Ducb1())
        twins = importlib.import_module("playout_policies.in_python")
        register_playout("playout_policies.mast", twins.Mast)
        register_playout("playout_policies.decisive", twins.Decisive)
        yield


@pytest.mark.long  # the example takes seconds to compile
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize("name", ["ucb1_tuned", "thompson"])
def test_the_example_searches_as_its_twin(example, name, options):
    assert_same_search(f"selection_policies.{name}", 0.7, options, name)


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize("name", ["bidding", "tic_block"])
def test_decoupled_ucb_searches_as_its_twin(example, name, options):
    assert_same(STATES[name], joint_selection="selection_policies.ducb1", exploration=1.0, **options)


@pytest.mark.long
def test_decoupled_ucb_finds_a_saddle_point(example):
    game = matrix_game(zero_sum([[3, 1, 4], [1, 0, -2], [-3, -1, 2]]))  # row 0, column 1
    searcher = mcts.MCTS.plain(game, joint_selection="selection_policies.ducb1", exploration=0.4)
    found = searcher.run(game.new_initial_state(), simulations=20_000)
    assert found.policy[0] > 0.8
    assert found.for_player(1).policy[1] > 0.8


@pytest.mark.long
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("playout", ["playout_policies.mast", "playout_policies.decisive"])
@pytest.mark.parametrize("name", STATES)
def test_playout_policies_search_as_their_twins(example, name, playout, solver):
    assert_same(STATES[name], playout=playout, solver=solver, selection="grave" if solver else "ucb1")


@pytest.mark.long
def test_options_that_do_not_go_with_a_policy_are_refused(example):
    game, playout = mcts.load_game("mnk(m=5,n=5,k=4)"), "playout_policies.mast"
    with pytest.raises(mcts.ParameterError, match=f"leaves=4 does not go with playout={playout}; valid: playout=un"):
        mcts.MCTS.plain(game, playout=playout, leaves=4)
    with pytest.raises(TypeError, match="leaves need"):
        kernel_search(game, playout=playout, leaves=4)
    with pytest.raises(mcts.ParameterError, match=f"playout={playout} does not go with a net; .*or playout=uniform"):
        mcts.MCTS.plain(game, playout=playout, net=random_net(game))
    with pytest.raises(TypeError, match="a net needs"):
        kernel_search(game, playout=playout, net=random_net(game).core)
    with pytest.raises(mcts.ParameterError, match="exploration=1 does not go with selection=grave"):
        mcts.MCTS(game, joint_selection="selection_policies.ducb1", selection="grave", exploration=1.0)
    at_once = mcts.load_game("bidding_ttt(coins=3)")
    mcts.MCTS(at_once, joint_selection="selection_policies.ducb1", selection="grave", exploration=1.0)
    with pytest.raises(mcts.ParameterError, match=r"joint_selection='playout_policies\.mast' is unknown"):
        mcts.MCTS.plain(game, joint_selection=playout)


@pytest.mark.sample(2)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize(("selection", "exploration"), [("ucb_v", 0.4), ("epsilon_greedy", 0.2)])
def test_it_searches_as_the_reference(module, selection, exploration, options):
    if selection == "epsilon_greedy" and "solver" in options:
        pytest.skip("it chooses arms that the solver has pruned")
    assert_same_search(selection, exploration, options, selection)


def test_a_policy_reads_statistics_of_all_moves_as_the_reference(module):
    assert_same_search("best_anywhere", 0.4, {}, "best_anywhere")


def assert_same_search(selection, exploration, options, name):
    state = mcts.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
    kernel = assert_same(state, **{**options, "selection": selection, "exploration": exploration})
    assert kernel.selection.name == name


def assert_same(state, **options):
    """Compare a search by the kernel with one in plain Python. Return the first."""
    kernel = kernel_search(state.game, **options)
    kernel.set_root(state, 7)
    done, _ = kernel.run(400, 1e9)
    plain = reference_search(state.game, **options)
    assert plain.run(state, 400, 7) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    return kernel


def test_names_paths_and_messages_know_it(module):
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    by_name, by_path = (mcts.MCTS.plain(game, selection=name, seed=2) for name in ("ucb_v", "my_package.policies"))
    assert by_name.run(state, simulations=300).visits == by_path.run(state, simulations=300).visits
    assert mcts.load_searcher("mcts(selection=ucb_v)", game).parameters["selection"] == "ucb_v"
    with pytest.raises(mcts.ParameterError, match="valid: best_anywhere, epsilon_greedy, grave, puct, ucb1, ucb_v"):
        mcts.MCTS.plain(game, selection="ucb_w")
    with pytest.raises(mcts.ParameterError, match=r"selection='no_such\.policy' is unknown"):
        mcts.MCTS.plain(game, selection="no_such.policy")


def test_what_is_no_policy_or_has_a_taken_name_is_refused(module):
    with pytest.raises(ValueError, match="'puct' is already registered"):
        mcts.register_policy(module.TAKEN)
    with pytest.raises(TypeError, match="valid: a Selection or JointSelection or PlayoutPolicy"):
        mcts.register_policy("ucb1")


@pytest.mark.long
def test_a_policy_compiled_against_another_table_is_refused(tmp_path, module):
    headers = tmp_path / "headers"
    shutil.copytree(
        ROOT / "cext", headers / "cext", ignore=shutil.ignore_patterns("*.so", "*.c", "x86_64_v3", "__pycache__")
    )
    table = headers / "cext" / "search" / "policies" / "selection_table.pxd"
    text = table.read_text()
    assert text.count("SELECTION_VERSION = 4 ") == 1
    table.write_text(text.replace("SELECTION_VERSION = 4 ", "SELECTION_VERSION = 9 "))
    build(tmp_path, "other_package", headers)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        with pytest.raises(ImportError, match=r"ucb_v was compiled for version 9 of the table .*not 4"):
            mcts.MCTS.plain(mcts.load_game("mnk"), selection="other_package.policies")


@pytest.mark.parametrize("text", ["SELECTION = 'ucb1'", "raise SystemExit(3)", "1 / 0"])
def test_a_module_that_is_not_a_policy_is_refused(tmp_path, monkeypatch, text):
    (tmp_path / "bad_policies").mkdir()
    (tmp_path / "bad_policies" / "policy.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises((mcts.ParameterError, ImportError), match=r"bad_policies\.policy"):
        mcts.MCTS.plain(mcts.load_game("mnk"), selection="bad_policies.policy")
    monkeypatch.delitem(sys.modules, "bad_policies.policy", raising=False)
    monkeypatch.delitem(sys.modules, "bad_policies", raising=False)
