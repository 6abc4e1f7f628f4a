"""Grounding: all instances of the rules over the fluents and moves that may be reached.

Relations that do not depend on the state are computed first, stratum by stratum. Those that do are computed together by
semi-naive evaluation (Bancilhon 1986): each new atom is joined with those that were used before it. Moves are taken for
playable if they are legal in some state, and negative literals that depend on the state for true, so the result holds
every reachable atom, and maybe more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from cext.gdl.joins import Joins

from ..errors import RulesheetError
from ..primitives.failures import failures_named
from .demand import ask
from .graphs import components, reachable
from .joins import KINDS, Chain, Database
from .parser import Expression
from .rules import Rule, name_of
from .splitting import split
from .terms import MAX_DEPTH, MAX_TERMS, Terms

ALWAYS_DYNAMIC = {"true", "does", "next", "legal", "goal", "terminal"}
WANTED = {"role", "init", "legal", "next", "goal", "terminal"}
MAX_BYTES = 1_000_000_000
FIRST_INSTANCES = 2_000_000
"""Instances after which rules are grounded for what others ask for."""
GROWING_ROWS = 100.0
"""Rows that a relation is taken to have at least while it grows."""


@dataclass
class Grounding:
    """The ground rules of a game. Atoms that depend on the state are numbers."""

    terms: Terms
    deadline: float
    """Value of `time.monotonic` at which the time of the whole compilation ends."""
    joins: Joins
    instances: bytes = b""
    """32-bit numbers of each instance: head, number of positive atoms, these, number of negative atoms, these."""
    roles: list[int] = field(default_factory=list)
    initial: set[int] = field(default_factory=set)
    """The `true` atoms of the initial state."""
    keys: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    """Number of a relation -> name, functor of its terms or an empty text, and arity of the functor or the relation."""

    def check_time(self) -> None:
        """Raise TimeoutError if the time of the whole compilation has ended."""
        if time.monotonic() > self.deadline:
            raise TimeoutError

    def atom(self, number: int) -> tuple[str, str, tuple[int, ...]]:
        """Return the relation, the functor, and the row of an atom. A loop over many atoms ends by `check_time`."""
        self.check_time()
        relation, row = self.joins.atom(number)
        return (*self.keys[relation][:2], row)


class _TooLargeError(RulesheetError):
    """The rules have too many instances."""


class _Grounder:
    """One way to ground rules.

    Args:
        rules: the rules.
        end: value of `time.monotonic` at which the time ends.
        seconds: the time that was allowed, for messages.
        max_instances: limit of their number.
        asks: True to derive only what other rules ask for.
    """

    def __init__(self, rules: Iterable[Rule], end: float, seconds: float, max_instances: int, asks: bool) -> None:
        self.rules = _wanted(list(rules))
        if asks:
            self.rules = ask(self.rules, self._dynamic_names(), ALWAYS_DYNAMIC)
        self.rules = split(self.rules)
        self.dynamic = self._dynamic_names()
        self.seconds, self.max_instances = seconds, max_instances
        self.joins = Joins(MAX_DEPTH, MAX_TERMS, max_instances, MAX_BYTES, end - time.monotonic())
        self.database = Database(self.joins, self.dynamic)
        self.result = Grounding(self.database.terms, end, self.joins)
        for rule in self.rules:
            for atom in (rule.head, *(literal.atom for literal in rule.body)):
                if name_of(atom) != "distinct":
                    self.database.locate(atom)  # so that the relations of all functors exist from the start
        self.chains: list[tuple[Rule, int | None]] = []
        self.growing: set[str] = set()

    def run(self) -> Grounding:
        joins, result = self.joins, self.result
        for names in self._strata():
            self._evaluate([rule for rule in self.rules if name_of(rule.head) in names], names)
        result.roles = [row[0] for _, row in joins.atoms_of(self.database.locate(("role", "?"))[0])]
        if not result.roles:
            raise RulesheetError("the game has no roles")
        result.initial = set(joins.start_recording())
        self._evaluate([rule for rule in self.rules if name_of(rule.head) in self.dynamic], self.dynamic)
        result.instances = joins.take_instances()
        result.keys = self.database.keys()
        return result

    def _dynamic_names(self) -> set[str]:
        """Return the relations that depend on the state, or that negation makes depend on themselves."""
        users: dict[str, set[str]] = {}
        for rule in self.rules:
            for literal in rule.body:
                users.setdefault(name_of(literal.atom), set()).add(name_of(rule.head))
        dynamic = set(ALWAYS_DYNAMIC)
        number = {name: i for i, component in enumerate(components(users)) for name in component}
        for rule in self.rules:
            own = number.get(name_of(rule.head))
            if own is not None and any(
                not literal.positive and number.get(name_of(literal.atom)) == own for literal in rule.body
            ):
                dynamic |= {name for name, component in number.items() if component == own}
        dynamic = reachable(dynamic, users)
        for name in ("role", "init"):
            if name in dynamic:
                rule = next(rule for rule in self.rules if name_of(rule.head) == name)
                raise rule.place.refuse(f"`{name}` depends on the state")
        return dynamic

    def _strata(self) -> list[set[str]]:
        needs: dict[str, set[str]] = {}
        for rule in self.rules:
            if name_of(rule.head) not in self.dynamic:
                needs.setdefault(name_of(rule.head), set()).update(name_of(literal.atom) for literal in rule.body)
        return [set(component) for component in components(needs)]

    def _evaluate(self, rules: list[Rule], growing: set[str]) -> None:
        """Compute the relations that these rules define; the others that they use are complete."""
        self.growing = growing
        self.chains = []
        self.joins.forget_chains()
        starting = []
        for rule in rules:
            triggers = [
                number
                for number, literal in enumerate(rule.body)
                if literal.positive and name_of(literal.atom) in growing
            ]
            for number in triggers:
                self.joins.chain(self.database.locate(rule.body[number].atom)[0])
                self.chains.append((rule, number))
            if not triggers:
                starting.append(self.joins.chain(-1))
                self.chains.append((rule, None))
        for chain in starting:
            self._compile(chain)
            self._refuse(self.joins.start(chain))
        reason, chain = self.joins.run()
        while reason == "chain":
            self._compile(chain)
            reason, chain = self.joins.run()
        self._refuse(reason)

    def _refuse(self, reason: str) -> None:
        """Raise RulesheetError unless the joins are done."""
        if reason in ("instances", "memory"):
            raise _TooLargeError(
                f"the rules have more than {self.max_instances:,} ground instances, "
                f"or terms and atoms need more than {MAX_BYTES:,} bytes"
            )
        if reason != "done":
            raise RulesheetError(
                {
                    "time": f"the rules are not grounded after {self.seconds:g} seconds",
                    "depth": f"terms grow without end: one is nested more than {MAX_DEPTH} levels deep",
                    "terms": f"more than {MAX_TERMS:,} different terms",
                }[reason]
            )

    def _compile(self, number: int) -> None:
        """Compile a chain of a rule; the most selective literals come first."""
        rule, trigger = self.chains[number]
        chain = Chain(self.database, rule, trigger)
        left = [each for each in range(len(rule.body)) if each != trigger]
        negative: list[Expression] = []
        while left:
            ready = [each for each in left if self._is_filter(rule, each) and chain.is_bound(rule.body[each].atom)]
            for each in ready:
                literal = rule.body[each]
                left.remove(each)
                if name_of(literal.atom) == "distinct":
                    chain.filter_distinct(literal)
                elif name_of(literal.atom) in self.dynamic:
                    negative.append(literal.atom)
                else:
                    chain.refuse_matches(literal)
            matches = [each for each in left if not self._is_filter(rule, each)]
            if matches:
                best = min(matches, key=lambda each: self._cost(chain, rule, each))
                left.remove(best)
                chain.match(best)
        chain.finish(negative)
        self.joins.compile(number, chain.code, chain.registers, chain.binds, chain.row)

    @staticmethod
    def _is_filter(rule: Rule, number: int) -> bool:
        literal = rule.body[number]
        return not literal.positive or name_of(literal.atom) == "distinct"

    def _cost(self, chain: Chain, rule: Rule, number: int) -> float:
        """Estimate the number of rows that match a literal, given the variables that are bound."""
        atom = rule.body[number].atom
        relation, arguments = self.database.locate(atom)
        size = float(self.joins.num_rows(relation))
        if name_of(atom) in self.growing or name_of(atom) in KINDS:
            size = max(size, GROWING_ROWS)
        free = sum(not chain.is_bound(argument) for argument in arguments)
        return size ** (free / len(arguments)) if arguments else 0.0


def _wanted(rules: list[Rule]) -> list[Rule]:
    """Return the rules that what makes a game depends on."""
    needs: dict[str, set[str]] = {}
    for rule in rules:
        needs.setdefault(name_of(rule.head), set()).update(name_of(literal.atom) for literal in rule.body)
    wanted = reachable(WANTED, needs)
    return [rule for rule in rules if name_of(rule.head) in wanted]


def ground(rules: list[Rule], seconds: float, max_instances: int, begin: float | None = None) -> Grounding:
    """Return the ground rules.

    If the rules have too many instances, the same rules are grounded for the atoms alone that others ask for.

    Args:
        rules: the rules of a rulesheet.
        seconds: limit of the time.
        max_instances: limit of the number of ground instances.
        begin: value of `time.monotonic` at which the time began; None: now.

    Raises:
        RulesheetError: a limit is exceeded, or relations depend on the state that must not.
    """
    end = (time.monotonic() if begin is None else begin) + seconds
    with failures_named("the ground rules exceed a limit", RulesheetError, OverflowError):
        try:
            return _Grounder(rules, end, seconds, min(FIRST_INSTANCES, max_instances), False).run()
        except _TooLargeError:
            return _Grounder(rules, end, seconds, max_instances, True).run()
