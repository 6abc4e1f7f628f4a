"""The tables of policies: name -> policy, for those of this package and of others.

The policies of this package are the files of one folder for each table. Policies of other packages are compiled against
the pxd of the table, and are registered with `register_policy` or named by the path of their module.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from .joint_selection_table import JointSelection
from .playout_table import PlayoutPolicy
from .policy import Policy
from .selection_table import Selection

P = TypeVar("P", bound=Selection | JointSelection | PlayoutPolicy)


class Policies(Mapping[str, P], Generic[P]):
    """Name -> policy, by ascending name: the policies of a folder, and those that were registered.

    The path of a module that defines a policy, `package.module`, is a name too; the module is imported.

    Args:
        kind: class of the policies.
        folder: folder of this package. In upper case, it is the name that a module gives its policy.
        name: name of the table in this module.
    """

    def __init__(self, kind: type[P], folder: str, name: str) -> None:
        self.kind = kind
        self._folder = folder
        self._name = name
        self._registered: dict[str, P] = {}

    @cached_property
    def _own(self) -> dict[str, P]:
        package = importlib.import_module(f"cext.search.{self._folder}")
        found = (self._policy_of(f"{package.__name__}.{file.name}") for file in pkgutil.iter_modules(package.__path__))
        return {policy.name: policy for policy in found}

    def __getitem__(self, name: str) -> P:
        """Return a policy.

        Raises:
            KeyError: there is none.
            ImportError: its module cannot be imported, or was compiled against another table.
        """
        if isinstance(name, str) and "." in name:
            policy = self._policy_at(name)
        else:
            policy = self._own.get(name) or self._registered[name]
        policy.check()
        return policy

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({**self._own, **self._registered}))

    def __len__(self) -> int:
        return len(self._own) + len(self._registered)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<policies {', '.join(self)}>"

    def __reduce__(self) -> str:
        return self._name

    def add(self, policy: P) -> None:
        """Register a policy under its name; see `register_policy`."""
        policy.check()
        if not policy.name.isidentifier():
            raise ValueError(f"a policy cannot be registered as {policy.name!r}; valid: letters, digits and _")
        if policy.name in list(self):
            raise ValueError(f"a policy {policy.name!r} is already registered")
        self._registered[policy.name] = policy

    def _policy_of(self, path: str) -> Any:
        return getattr(importlib.import_module(path), self._folder.upper())

    def _policy_at(self, path: str) -> P:
        """Return the policy of a module by its path, which may be any text."""
        if not all(part.isidentifier() for part in path.split(".")):
            raise KeyError(path)
        try:
            policy = self._policy_of(path)
        except (ModuleNotFoundError, AttributeError):
            raise KeyError(path) from None
        except (Exception, SystemExit) as error:
            raise ImportError(f"cannot import {path!r} ({type(error).__name__}: {error})") from error
        if not isinstance(policy, self.kind):
            raise KeyError(path)
        return policy


SELECTIONS = Policies(Selection, "selection", "SELECTIONS")
JOINT_SELECTIONS = Policies(JointSelection, "joint_selection", "JOINT_SELECTIONS")
PLAYOUTS = Policies(PlayoutPolicy, "playout_policy", "PLAYOUTS")
TABLES: tuple[Policies[Any], ...] = (SELECTIONS, JOINT_SELECTIONS, PLAYOUTS)


def register_policy(policy: Policy) -> None:
    """Make a policy of another package known under its name, in this process.

    Args:
        policy: of a compiled module: a `Selection`, a `JointSelection` or a `PlayoutPolicy`.

    Raises:
        ImportError: the module was compiled against another version of the table; compile it again.
        TypeError: it is not a policy.
        ValueError: the name is taken, or is not letters, digits and underscores.
    """
    for table in TABLES:
        if isinstance(policy, table.kind):
            table.add(policy)
            return
    kinds = " or ".join(table.kind.__name__ for table in TABLES)
    raise TypeError(f"{policy!r} is not a policy; valid: a {kinds}")
