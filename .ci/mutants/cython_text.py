"""Small faults in a text of Cython, of the same kinds as those in Python."""

import io
import re
import tokenize

IN_TEXT = {
    "comparison": {
        "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
    },
    "sign": {
        "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "//": ["*"], "%": ["+"], "<<": [">>"], ">>": ["<<"], "&": ["|"],
        "|": ["&"], "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
    },
    "logic": {"and": ["or"], "or": ["and"], "not": [""]},
    "truth": {"True": ["False"], "False": ["True"]},
    "loop": {"break": ["continue"], "continue": ["break"]},
}  # fmt: skip
"""Kind of fault -> word of Cython -> words in its place."""
DECLARATIONS = re.compile(r"\s*(cdef|cpdef|ctypedef|def|class|from|import|cimport|include|@|#|DEF|IF|elif False)\b")
CALL = re.compile(r"\s+[\w.]+(\[[^]]*\])?(\.\w+)*\(.*\)\s*(#.*)?$")


def cython_faults(text):
    """Return faults as `python_faults` does. Operators have a blank on both sides, as casts and pointers have not."""
    rows = text.splitlines(keepends=True)
    found = {}

    def add(line, kind, start, end, new):
        def change():
            row = rows[line - 1]
            return "".join([*rows[: line - 1], row[:start] + new + row[end:], *rows[line:]])

        found.setdefault(line, {}).setdefault(kind, []).append(change)

    for token in words_of(text):
        (line, start), (end_line, end) = token.start, token.end
        row = rows[line - 1]
        if line != end_line or (DECLARATIONS.match(row) and " = " not in row) or "except" in row:
            continue
        stands_alone = row[start - 1 : start] == " " and row[end : end + 1] in (" ", "\n")
        for kind, words in IN_TEXT.items():
            for new in words.get(token.string, ()) if stands_alone or token.type == tokenize.NAME else ():
                add(line, kind, start, end, new)
    inside = {number for token in words_of(text, tokenize.STRING) for number in range(token.start[0], token.end[0] + 1)}
    for line, row in enumerate(rows, 1):
        if line in inside or DECLARATIONS.match(row):
            continue
        if CALL.match(row) and row.count("(") == row.count(")"):
            begin = len(row) - len(row.lstrip())
            add(line, "call", begin, len(row.rstrip("\n")), "pass")
        condition = re.match(r"\s*(?:if|elif|while|return|and|or) (.*?)(:?)\s*(#.*)?$", row)
        parts = re.split(r"( and | or )", condition[1]) if condition else []
        if len(parts) > 2 and all(part.count("(") == part.count(")") for part in parts):
            for index in range(0, len(parts), 2):
                left = parts[: max(0, index - 1)] + parts[index + (1 if index else 2) :]
                add(line, "condition", condition.start(1), condition.end(1), "".join(left))
    return found


def words_of(text, *kinds):
    """Return the tokens of a text of Cython of some kinds; by default, those that a fault can change."""
    wanted = kinds or (tokenize.NAME, tokenize.OP)
    try:
        return [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in wanted]
    except (tokenize.TokenError, IndentationError):
        return []
