"""The names of `import mcts`: the documented ones, no others, and one tree of errors."""

import inspect
from types import ModuleType

import pytest

import bots
import bots.errors
import mcts
import mcts.errors
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
    del errors["PlayoutError"]
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
    for function in (mcts.playouts, mcts.load_searcher, *methods):
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in ("seed", "threads", "samples", "limit"):
                assert parameter.kind is inspect.Parameter.KEYWORD_ONLY, function
