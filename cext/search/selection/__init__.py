"""Selection policies where one player decides, one in each file.

A module here that defines SELECTION is a policy; no list has to be changed. `cext/search/selection_table.pxd` says what
a policy reads and returns. Policies of other packages are compiled against the same file, and are registered with
`register_selection` or named by the path of their module.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from ... import _variant
from ..selection_table import Selection

__path__ = _variant.search_path(__path__, "search", "selection")


class Selections(Mapping[str, Selection]):
    """Name -> policy, by ascending name: the policies of this folder, and those that were registered.

    The path of a module that defines SELECTION, `package.module`, is a name too; the module is imported.
    """

    def __init__(self) -> None:
        self._known: dict[str, Selection] = {}

    def _all(self) -> dict[str, Selection]:
        if "ucb1" not in self._known:
            for found in pkgutil.iter_modules(__path__):
                policy = importlib.import_module(f"{__name__}.{found.name}").SELECTION
                self._known[policy.name] = policy
        return self._known

    def __getitem__(self, name: str) -> Selection:
        """Return a policy.

        Raises:
            KeyError: there is none.
            ImportError: its module cannot be imported, or was compiled against another table.
        """
        policy = _policy_in(name) if isinstance(name, str) and "." in name else self._all()[name]
        policy.check()
        return policy

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._all()))

    def __len__(self) -> int:
        return len(self._all())

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<selection policies {', '.join(self)}>"

    def __reduce__(self) -> str:
        return "SELECTIONS"

    def add(self, policy: Selection) -> None:
        """Register a policy under its name; see `register_selection`."""
        policy.check()
        if not policy.name.isidentifier():
            raise ValueError(
                f"a selection policy cannot be registered as {policy.name!r}; valid: letters, digits and _"
            )
        if policy.name in self._all():
            raise ValueError(f"a selection policy {policy.name!r} is already registered")
        self._known[policy.name] = policy


def _policy_in(path: str) -> Selection:
    """Return the policy of a module by its path, which may be any text."""
    if not all(part.isidentifier() for part in path.split(".")):
        raise KeyError(path)
    try:
        policy = importlib.import_module(path).SELECTION
    except (ModuleNotFoundError, AttributeError):
        raise KeyError(path) from None
    except (Exception, SystemExit) as error:
        raise ImportError(f"cannot import {path!r} ({type(error).__name__}: {error})") from error
    if not isinstance(policy, Selection):
        raise KeyError(path)
    return policy


SELECTIONS = Selections()


def register_selection(policy: Selection) -> None:
    """Make a selection policy of another package known under its name, in this process.

    Args:
        policy: made by `new_selection` of `cext/search/selection_table.pxd` in a compiled module.

    Raises:
        ImportError: the module was compiled against another version of the table; compile it again.
        TypeError: it is not a Selection.
        ValueError: the name is taken, or is not letters, digits and underscores.
    """
    if not isinstance(policy, Selection):
        raise TypeError(f"{policy!r} is not a selection policy; valid: a Selection, made by new_selection")
    SELECTIONS.add(policy)
