"""Random rulesheets: a few roles with a few moves, and facts that follow from moves, facts and helper relations."""

import random

MOVES = 3
FACTS = 6
STEPS = 4


def random_rulesheet(seed):
    """The text of a rulesheet that always ends, has a move for every role, and one goal for each."""
    rng = random.Random(seed)
    roles = ["a", "b", "c"][: rng.choice([1, 2, 2, 2, 3])]
    facts = [f"(f {number})" for number in range(FACTS)]
    lines = [*(f"(role {role})" for role in roles), "(init (step 0))"]
    lines += [f"(after {number} {number + 1})" for number in range(STEPS)]
    lines += [f"(init {fact})" for fact in facts if rng.random() < 0.3]
    lines += ["(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))", f"(<= terminal (true (step {STEPS})))"]
    helpers = []

    def condition(moves, depth=0):
        """A condition; one with moves only where rules for `next` and relations below them use it."""
        kind = rng.random()
        if depth < 2 and kind < 0.12:
            return f"(or {condition(moves, depth + 1)} {condition(moves, depth + 1)})"
        if depth < 2 and kind < 0.2:
            parts = " ".join(condition(moves, depth + 1) for _ in range(2))
            return f"(not (and {parts}))" if rng.random() < 0.5 else f"(and {parts})"
        if moves and kind < 0.6:
            role, move = rng.choice(roles), rng.randrange(MOVES)
            text = f"(does {role} (m {move}))"
        elif kind < 0.7:
            known = [name for name, has_moves in helpers if moves or not has_moves]
            text = f"({rng.choice(known)})" if known else f"(true {rng.choice(facts)})"
        else:
            text = f"(true {rng.choice(facts)})"
        return f"(not {text})" if rng.random() < 0.45 else text

    def rule(head, moves):
        body = " ".join(condition(moves) for _ in range(rng.choice([1, 2, 2, 3])))
        return f"(<= {head} {body})"

    for number in range(3):
        has_moves = number == 2
        lines += [rule(f"(h{number})", has_moves) for _ in range(rng.choice([1, 2]))]
        helpers.append((f"h{number}", has_moves))
    if rng.random() < 0.5:
        lines.append("(<= (any ?r ?s) (does ?r ?x) (does ?s ?x) (distinct ?r ?s))")
        lines.append(f"(<= (next {rng.choice(facts)}) (any ?r ?s))")
    for role in roles:
        lines.append(f"(legal {role} (m 0))")
        for move in range(1, MOVES):
            lines.append(
                f"(legal {role} (m {move}))" if rng.random() < 0.4 else rule(f"(legal {role} (m {move}))", False)
            )
        lines.append(f"(<= (goal {role} 100) (true {facts[0]}))")
        lines.append(f"(<= (goal {role} 0) (not (true {facts[0]})))")
    for fact in facts:
        for _ in range(rng.choice([1, 2, 3])):
            lines.append(rule(f"(next {fact})", True))
        if rng.random() < 0.5:
            lines.append(f"(<= (next {fact}) (true {fact}) {condition(True)})")
    return "\n".join(lines)
