"""Lines of cells on boards, by walking over the board: the plain rule that the games' own tables are compared with."""

import itertools

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def lines(columns, rows, length, torus=False):
    """Return the set of all lines as frozensets of cells, counted row by row; on a torus they go over the edges."""
    found = set()
    for row, column, (down, right) in itertools.product(range(rows), range(columns), DIRECTIONS):
        cells = [(row + i * down, column + i * right) for i in range(length)]
        if torus:
            cells = [(r % rows, c % columns) for r, c in cells]
        if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
            found.add(frozenset(r * columns + c for r, c in cells))
    return found


LINES_3X3 = lines(3, 3, 3)


def has_line(board, mark, among=LINES_3X3):
    """Return True if all cells of some line have a mark."""
    return any(all(board[cell] == mark for cell in line) for line in among)
