"""Grounding: all instances of the rules over the fluents and moves that may be reached.

Relations that do not depend on the state are computed first, stratum by stratum. Those that do are computed together by
semi-naive evaluation (Bancilhon 1986): each new atom is joined with those that were used before it. Moves are taken for
playable if they are legal in some state, and negative literals that depend on the state for true, so the result holds
every reachable atom, and maybe more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from .errors import RulesheetError
from .graphs import components
from .joins import WRAPPERS, Budget, Chain, Database, Step
from .parser import Expression
from .relations import Relation, Row
from .rules import Rule, name_of
from .terms import Terms

ALWAYS_DYNAMIC = {"true", "does", "next", "legal", "goal", "terminal"}
UNUSED = {"base", "input"}
FEEDS = {"next": "true", "init": "true", "legal": "does"}
NEVER = -1

Instance = tuple[int, tuple[int, ...], tuple[tuple[Relation, Row], ...]]
"""Number of the head, of the positive literals, and the negative literals of a ground rule."""


@dataclass
class Grounding:
    """The ground rules of a game. Atoms that depend on the state are numbers."""

    terms: Terms
    deadline: float
    """Value of `time.monotonic` at which the time of the whole compilation ends."""
    atoms: list[tuple[Relation, Row]] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    roles: list[int] = field(default_factory=list)
    initial: set[int] = field(default_factory=set)
    """The `true` atoms of the initial state."""
    relations: dict[tuple[object, ...], Relation] = field(default_factory=dict)


class _Grounder:
    def __init__(self, rules: Iterable[Rule], budget: Budget) -> None:
        self.rules = [rule for rule in rules if name_of(rule.head) not in UNUSED]
        self.budget = budget
        self.result = Grounding(Terms(), budget.deadline)
        self.database = Database(self.result.terms)
        self.queue: deque[tuple[Relation, Row]] = deque()
        self.dynamic = self._dynamic_names()
        self.users: dict[Relation, list[tuple[Rule, int]]] = {}
        self.chains: dict[tuple[int, int], tuple[list[tuple[int, int]], Step, list[int]]] = {}
        self.recording = False

    def run(self) -> Grounding:
        database, result = self.database, self.result
        for names in self._strata():
            self._evaluate([rule for rule in self.rules if name_of(rule.head) in names])
        result.roles = [row[0] for row in database.relation("role", 1).rows]
        self.recording = True
        for relation in list(database.relations.values()):
            if relation.key[0] == "init":
                for row in relation.rows:
                    result.initial.add(self._reach("true", relation, row))
        self._evaluate([rule for rule in self.rules if name_of(rule.head) in self.dynamic])
        result.relations = dict(database.relations)
        return result

    def _dynamic_names(self) -> set[str]:
        """Return the relations that depend on the state, or that negation makes depend on themselves."""
        users: dict[str, set[str]] = {}
        for rule in self.rules:
            for literal in rule.body:
                users.setdefault(name_of(literal.atom), set()).add(name_of(rule.head))
        dynamic = set(ALWAYS_DYNAMIC)
        for component in components(users):
            inside = set(component)
            for rule in self.rules:
                if name_of(rule.head) in inside and any(
                    not literal.positive and name_of(literal.atom) in inside for literal in rule.body
                ):
                    dynamic |= inside
        todo = list(dynamic)
        while todo:
            for name in users.get(todo.pop(), ()):
                if name not in dynamic:
                    dynamic.add(name)
                    todo.append(name)
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

    def _evaluate(self, rules: list[Rule]) -> None:
        """Compute the relations that these rules define; the others that they use are complete."""
        growing = {name_of(rule.head) for rule in rules} | ({"true", "does"} if self.recording else set())
        self.users, self.chains = {}, {}
        starting = []
        for rule in rules:
            triggers = [
                number
                for number, literal in enumerate(rule.body)
                if literal.positive and name_of(literal.atom) in growing
            ]
            for number in triggers:
                relation, _ = self.database.locate(rule.body[number].atom)
                self.users.setdefault(relation, []).append((rule, number))
            if not triggers:
                starting.append(rule)
        for rule in starting:
            _, step, binding = self._compile(rule, None, growing)
            step(binding)
        while self.queue:
            self.budget.check()
            relation, row = self.queue.popleft()
            relation.use(row)
            for rule, number in self.users.get(relation, ()):
                key = (id(rule), number)
                chain = self.chains.get(key)
                if chain is None:
                    chain = self.chains[key] = self._compile(rule, number, growing)
                binds, step, binding = chain
                for column, slot in binds:
                    binding[slot] = row[column]
                step(binding)

    def _compile(
        self, rule: Rule, trigger: int | None, growing: set[str]
    ) -> tuple[list[tuple[int, int]], Step, list[int]]:
        """Return the binds, the first step and the binding of a rule; the most selective literals come first."""
        dynamic = [name_of(literal.atom) in self.dynamic for literal in rule.body]
        chain = Chain(self.database, self.budget, rule, dynamic, trigger)
        binds = chain.start()
        left = [number for number in range(len(rule.body)) if number != trigger]
        negative: list[Expression] = []
        while left:
            ready = [
                number for number in left if self._is_filter(rule, number) and chain.is_bound(rule.body[number].atom)
            ]
            for number in ready:
                literal = rule.body[number]
                left.remove(number)
                if name_of(literal.atom) == "distinct":
                    chain.filter_distinct(literal)
                elif dynamic[number]:
                    negative.append(literal.atom)
                else:
                    chain.refuse_matches(literal)
            matches = [number for number in left if not self._is_filter(rule, number)]
            if matches:
                best = min(matches, key=lambda number: self._cost(chain, rule, number, growing))
                left.remove(best)
                chain.match(best)
        return binds, self._ending(chain, rule, negative), chain.binding

    @staticmethod
    def _is_filter(rule: Rule, number: int) -> bool:
        literal = rule.body[number]
        return not literal.positive or name_of(literal.atom) == "distinct"

    def _cost(self, chain: Chain, rule: Rule, number: int, growing: set[str]) -> float:
        """Estimate the number of rows that match a literal, given the variables that are bound."""
        atom = rule.body[number].atom
        relation, arguments = self.database.locate(atom)
        size = float(len(relation.rows))
        if name_of(atom) in growing:
            size = max(size, 100.0)
        free = sum(not chain.is_bound(argument) for argument in arguments)
        return size ** (free / len(arguments)) if arguments else 0.0

    def _ending(self, chain: Chain, rule: Rule, negative: list[Expression]) -> Step:
        """Return the first step of a chain that ends by adding the head, and the instance if it is recorded."""
        budget, recording, instances = self.budget, self.recording, self.result.instances
        absent = [chain.row_slots(atom) for atom in negative]
        name = name_of(rule.head)
        whole = None
        if name in WRAPPERS and not isinstance(rule.head, str) and str(rule.head[-1])[:1] == "?":
            before = [chain.value(part) for part in rule.head[1:-1]]
            whole = chain.value(rule.head[-1])
        else:
            relation, slots = chain.row_slots(rule.head)
        positive = chain.atom_slots
        terms, database = self.result.terms, self.database

        def end(binding: list[int]) -> None:
            if whole is None:
                target, row = relation, tuple([binding[slot] for slot in slots])
            else:
                functor, arguments = terms.parts[binding[whole]]
                target = database.relation(name, functor, len(arguments))
                row = (*[binding[slot] for slot in before], *arguments)
            number = target.rows.get(row)
            if number is None:
                number = self._add(target, row)
            if recording:
                budget.instances += 1
                if not budget.instances & 0xFFF:
                    budget.check()
                instances.append(
                    (
                        number,
                        tuple([binding[slot] for slot in positive]),
                        tuple([(r, tuple([binding[slot] for slot in places])) for r, places in absent]),
                    )
                )

        return chain.finish(end)

    def _add(self, relation: Relation, row: Row) -> int:
        """Add a new atom and what follows from it at once; return its number."""
        number = NEVER
        if self.recording:
            number = len(self.result.atoms)
            self.result.atoms.append((relation, row))
        relation.rows[row] = number
        self.queue.append((relation, (*row, number)))
        self._add_whole(relation, row, number)
        if self.recording and relation.key[0] in FEEDS:
            self._reach(FEEDS[relation.key[0]], relation, row)
        return number

    def _reach(self, name: str, relation: Relation, row: Row) -> int:
        """Return the `true` or `does` atom of a `next`, `init` or `legal` atom; add it if it is new."""
        target = self.database.relation(name, *relation.key[1:])
        number = target.rows.get(row)
        return self._add(target, row) if number is None else number

    def _add_whole(self, relation: Relation, row: Row, number: int) -> None:
        """Add the atom to the relation of all functors, which literals such as (true ?fluent) use."""
        whole = self.database.relations.get(relation.key[:1])
        if whole is not None and len(relation.key) == 3:
            before = WRAPPERS[relation.key[0]]
            term = self.result.terms.number(relation.key[1], row[before:])
            whole.rows[(*row[:before], term)] = number
            self.queue.append((whole, (*row[:before], term, number)))


def ground(rules: list[Rule], seconds: float, max_instances: int) -> Grounding:
    """Return the ground rules.

    Raises:
        RulesheetError: a limit is exceeded, or relations depend on the state that must not.
    """
    grounder = _Grounder(rules, Budget(seconds, max_instances))
    for rule in grounder.rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if name_of(atom) != "distinct":
                grounder.database.locate(atom)  # so that the relations of all functors exist from the start
    result = grounder.run()
    if not result.roles:
        raise RulesheetError("the game has no roles")
    return result
