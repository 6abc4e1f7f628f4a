"""Strongly connected components of a directed graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reachable(starts: Iterable[T], successors: Mapping[T, Iterable[T]]) -> set[T]:
    """Return the nodes that paths lead to, those at which they begin included."""
    found = set(starts)
    todo = list(found)
    while todo:
        new = set(successors.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found


def components(successors: Mapping[T, Iterable[T]]) -> list[list[T]]:
    """Return the strongly connected components, each after those that its nodes lead to (Tarjan 1972).

    The function does not call itself, so the depth of the graph does not matter.
    """
    order: dict[T, int] = {}
    low: dict[T, int] = {}
    on_stack: set[T] = set()
    stack: list[T] = []
    found: list[list[T]] = []
    for root in successors:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        walk = [(root, iter(successors.get(root, ())))]
        while walk:
            node, rest = walk[-1]
            for after in rest:
                if after not in order:
                    order[after] = low[after] = len(order)
                    stack.append(after)
                    on_stack.add(after)
                    walk.append((after, iter(successors.get(after, ()))))
                    break
                if after in on_stack:
                    low[node] = min(low[node], order[after])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == order[node]:
                    component: list[T] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    found.append(component)
    return found
