"""The names of `import playout` and `import mcts`: the documented ones, no others, and one tree of errors."""

import ast
import inspect
import pickle
import re
from types import ModuleType

import pytest
from documents import DOCS, README
from support import ROOT

import bots
import bots.errors
import mcts
import mcts.errors
import playout
from mcts.exact.solve import check_solvable


def reading_order(name):
    """Constants, then classes, then functions, each sorted: the order ruff keeps."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


@pytest.mark.parametrize("module", [mcts, mcts.errors], ids=lambda module: module.__name__)
def test_public_names_are_sorted_and_complete(module):
    assert module.__all__ == sorted(set(module.__all__), key=reading_order)
    for name in module.__all__:
        getattr(module, name)  # some are imported when they are first used
    public = {
        name for name, value in vars(module).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(module.__all__)


def test_playout_gives_every_name_and_imports_it_at_first_use():
    assert len(playout.__all__) <= 60
    assert playout.__all__ == sorted(set(playout.__all__), key=reading_order)
    for name in playout.__all__:
        owners = [package for package in (mcts, bots) if name in package.__all__]
        assert [getattr(package, name) for package in owners] == [getattr(playout, name)] * len(owners), name
    with pytest.raises(AttributeError, match="no_such_name"):
        playout.no_such_name  # noqa: B018


def test_type_checkers_see_the_names_of_playout():
    body = ast.parse(inspect.getsource(playout)).body
    (block,) = (node.body for node in body if isinstance(node, ast.If) and isinstance(node.test, ast.Name))
    seen = {alias.name for node in block if isinstance(node, ast.ImportFrom) for alias in node.names}
    seen |= {node.target.id for node in block if isinstance(node, ast.AnnAssign)}
    assert seen == set(playout.__all__)


def test_the_errors_of_playout_are_all_errors():
    found = {name: error for name, error in vars(playout.errors).items() if inspect.isclass(error)}
    assert set(mcts.errors.__all__) < set(found)
    assert {name for name in bots.__all__ if name.endswith("Error")} < set(found)


def test_classes_keep_their_modules():
    """Pickles name a class by its module, so those of earlier versions load."""
    assert (playout.MCTS.__module__, playout.Limit.__module__) == ("mcts.searchers.mcts", "mcts.limits")
    assert (playout.Bot.__module__, playout.Match.__module__) == ("bots.base", "bots.match.match")
    state = playout.load_game("mnk").new_initial_state()
    assert b"playout" not in pickle.dumps(state)
    assert pickle.loads(pickle.dumps(state)) == state


def test_errors_are_one_tree():
    errors = {name: getattr(mcts.errors, name) for name in mcts.errors.__all__}
    for name, error in errors.items():
        assert issubclass(error, mcts.PlayoutError), name
        assert inspect.getdoc(error), name
        assert getattr(mcts, name, error) is error
    for name, also in {
        "IllegalActionError": ValueError,
        "StateError": ValueError,
        "ParameterError": ValueError,
        "SpecError": ValueError,
        "LimitError": ValueError,
        "UnknownGameError": LookupError,
        "UnknownSearcherError": LookupError,
        "UnsupportedGameError": TypeError,
        "NotEnumerableError": TypeError,
    }.items():
        assert issubclass(errors[name], also)


def test_errors_of_bots_belong_to_the_tree():
    errors = {name: error for name, error in vars(bots.errors).items() if inspect.isclass(error)}
    errors = {name: error for name, error in errors.items() if name not in mcts.errors.__all__}
    assert set(errors) == {name for name in bots.__all__ if name.endswith("Error")}
    assert not set(errors) & set(mcts.__all__)
    for name, error in errors.items():
        assert issubclass(error, mcts.PlayoutError), name
        assert inspect.getdoc(error), name
        assert getattr(bots, name) is error
    assert issubclass(bots.UnknownBotError, LookupError)
    assert issubclass(bots.TournamentError, ValueError)


def searchers():
    """Return a class for each registered searcher."""
    for name in mcts.registered_searchers():
        for spec in ("mnk", "bidding_3d_ttt", "kuhn_poker"):
            try:
                yield type(mcts.load_searcher(name, mcts.load_game(spec)))
            except mcts.UnsupportedGameError:
                continue
            break


def test_parameters_after_the_game_are_keywords():
    kinds = list(searchers())
    assert len(kinds) == len(mcts.registered_searchers()) >= 2
    for function in (*kinds, mcts.solve, check_solvable):
        game, *others = inspect.signature(function).parameters.values()
        assert game.name == "game"
        assert game.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert {parameter.kind for parameter in others} == {inspect.Parameter.KEYWORD_ONLY}, function


def test_seeds_and_threads_are_keywords():
    methods = [method for name, method in vars(mcts.Solution).items() if callable(method) and name[0] != "_"]
    functions = (mcts.playouts, mcts.load_searcher, *methods)
    kinds = {(one.name, one.kind) for function in functions for one in inspect.signature(function).parameters.values()}
    names = {"seed", "threads", "samples", "limit"}
    keyword = {(name, inspect.Parameter.KEYWORD_ONLY) for name in names}
    assert {(name, kind) for name, kind in kinds if name in names} == keyword


DEEPER = ("examples/recipes/", "examples/selection_policies/", "examples/playout_policies/", ".pyx", ".pyx.tmpl")
"""Beginnings and endings of the paths of examples that add a part to the packages, and import its neighbours."""
IMPORT = re.compile(r"^ *(?:import|from) (?:cext|mcts|bots)\b", re.MULTILINE)


def first_places():
    """Return the pages, examples and templates that use `import playout` alone."""
    pages = [README, DOCS / "index.md", DOCS / "python.md", *DOCS.glob("start*.md"), *(DOCS / "tutorials").glob("*.md")]
    others = [*(ROOT / "examples").rglob("*"), *(ROOT / "bots" / "new_package" / "templates").rglob("*.tmpl")]
    names = [path.relative_to(ROOT).as_posix() for path in (*pages, *others) if path.is_file()]
    return [name for name in names if not (name.startswith(DEEPER) or name.endswith((*DEEPER, ".pyc")))]


@pytest.mark.parametrize("name", first_places())
def test_first_pages_examples_and_templates_import_playout_alone(name):
    assert IMPORT.findall((ROOT / name).read_text(encoding="utf-8")) == []


def test_the_recipes_of_whole_programs_import_playout_alone():
    for folder in ("bot", "game_in_python", "game_with_chance", "game_with_secrets", "picture"):
        for path in (ROOT / "examples" / "recipes" / folder).rglob("*.py"):
            assert IMPORT.findall(path.read_text()) == [], path
