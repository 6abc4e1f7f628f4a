"""Small faults in the sources: operators of cosmic-ray in Python, and the same kinds by their text in Cython."""

import ast
import difflib
import random
from dataclasses import dataclass

import parso
from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cython_text import cython_faults
from rooms import PACKAGES, ROOT

TURNED = {
    "Eq": ["NotEq"], "NotEq": ["Eq"], "Lt": ["LtE", "Gt"], "LtE": ["Lt", "GtE"], "Gt": ["GtE", "Lt"],
    "GtE": ["Gt", "LtE"], "Is": ["IsNot"], "IsNot": ["Is"],
}  # fmt: skip
CHANGED = {
    "Add": ["Sub"], "Sub": ["Add"], "Mul": ["Add"], "Div": ["Mul"], "FloorDiv": ["Mul"], "Mod": ["Add"],
    "LShift": ["RShift"], "RShift": ["LShift"], "BitAnd": ["BitOr"], "BitOr": ["BitAnd"],
}  # fmt: skip
OF_LIBRARY = {
    "comparison": [f"ReplaceComparisonOperator_{old}_{new}" for old in TURNED for new in TURNED[old]],
    "sign": [
        *(f"ReplaceBinaryOperator_{old}_{new}" for old in CHANGED for new in CHANGED[old]),
        "ReplaceUnaryOperator_Delete_USub",
    ],
    "logic": ["ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceUnaryOperator_Delete_Not", "AddNot"],
    "truth": ["ReplaceTrueWithFalse", "ReplaceFalseWithTrue"],
    "loop": ["ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"],
}
"""Kind of fault -> operators of cosmic-ray."""


class DroppedCall(Operator):
    """Drops a call whose result is not used."""

    def mutation_positions(self, node):
        if node.type == "atom_expr" and node.parent.type == "simple_stmt":
            last = node.children[-1]
            if last.type == "trailer" and last.children[0] == "(":
                yield node.start_pos, node.end_pos

    def mutate(self, node, index):
        return parso.python.tree.Name("pass", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls):
        return ()


class DroppedOperand(Operator):
    """Drops one operand of `and` or `or`."""

    def mutation_positions(self, node):
        if node.type in ("and_test", "or_test"):
            for operand in node.children[::2]:
                yield operand.start_pos, operand.end_pos

    def mutate(self, node, index):
        left = node.children[: max(0, 2 * index - 1)] + node.children[2 * index + (1 if index else 2) :]
        return parso.parse("".join(child.get_code() for child in left))

    @classmethod
    def examples(cls):
        return ()


OPERATORS = {kind: [plugins.get_operator(f"core/{name}")() for name in names] for kind, names in OF_LIBRARY.items()}
OPERATORS |= {"call": [DroppedCall()], "condition": [DroppedOperand()]}


@dataclass(frozen=True)
class Fault:
    path: str
    """File, from the top of the checkout."""
    line: int
    kind: str
    text: str
    """The whole file with the fault."""

    @property
    def is_compiled(self):
        return not self.path.endswith(".py")

    @property
    def diff(self):
        """Return the changed lines, as a unified diff without its header."""
        old = (ROOT / self.path).read_text(encoding="utf-8").splitlines()
        lines = list(difflib.unified_diff(old, self.text.splitlines(), lineterm="", n=1))
        return "\n".join(lines[2:])


def files():
    """Return the paths of all sources that may get a fault, sorted."""
    found = [
        path
        for package in PACKAGES
        for pattern in ("*.py", "*.pyx", "*.pxd")
        for path in (ROOT / package).rglob(pattern)
    ]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def draw(seed, lines=None):
    """Yield faults without end: each a kind of a line of a file, all drawn; a file by its lines of code.

    Args:
        seed: decides the sequence.
        lines: path -> the lines that may get a fault; by default all of all files.
    """
    source = random.Random(seed)
    names = [name for name in files() if lines is None or name in lines]
    possible, weights, used = {}, [], set()
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8").splitlines()
        code = [number for number, line in enumerate(text, 1) if line.strip() and not line.strip().startswith("#")]
        weights.append(len(code) if lines is None else len(lines[name].intersection(code)))
    for _ in range(100_000 if any(weights) else 0):
        name = source.choices(names, weights)[0]
        if name not in possible:
            possible[name] = faults_of(name)
        rows = [line for line in possible[name] if lines is None or line in lines[name]]
        if not rows:
            continue
        line = source.choice(rows)
        kind = source.choice(sorted(possible[name][line]))
        change = source.choice(possible[name][line][kind])
        text = change() if (name, line) not in used else None
        used.add((name, line))
        if text is not None:
            yield Fault(name, line, kind, text)


def faults_of(name):
    """Return line -> kind -> functions that return the text of the file with a fault, or None."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return python_faults(text) if name.endswith(".py") else cython_faults(text)


def python_faults(text):
    found, left_out = {}, lines_without_effect(text)
    nodes = list(ast_nodes(get_ast(text)))
    for kind, operators in OPERATORS.items():
        for operator in operators:
            places = [start for node in nodes for start, _ in operator.mutation_positions(node)]
            for occurrence, (line, column) in enumerate(places):
                if not any(start <= (line, column) < end for start, end in left_out):

                    def change(operator=operator, occurrence=occurrence):
                        return mutate_code(text, operator, occurrence)

                    found.setdefault(line, {}).setdefault(kind, []).append(change)
    return found


def lines_without_effect(text):
    """Return (start, end) of annotations, aliases of types, decorators, `if TYPE_CHECKING` and `strict` of `zip`."""
    places = []
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) or (isinstance(node, ast.arg) and node.annotation):
            places.append(node.annotation)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            places.append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            places += [*node.decorator_list, *filter(None, [getattr(node, "returns", None)])]
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'"):
            places.append(node)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr):
            places.append(node)
    return [((each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)) for each in places]
