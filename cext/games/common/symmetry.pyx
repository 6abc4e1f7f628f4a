"""The tables of `symmetry.pxd`, one for each shape of board."""
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from functools import cache


cdef class BoardSymmetries:
    """The symmetries of a board of `rows` and `columns`. A square may also be rotated, unless `turns` is False.

    Raises:
        ValueError: the board has no cells, or more than 64.
    """

    def __cinit__(self, int rows, int columns, bint turns=True):
        cdef int cell, row, column, group, subset, symmetry, i
        if not (1 <= rows <= MAX_CELLS and 1 <= columns <= MAX_CELLS and rows * columns <= MAX_CELLS):
            raise ValueError(f"a board of {rows} rows and {columns} columns; valid: 1 to {MAX_CELLS} cells")
        self.table.cells = rows * columns
        self.table.groups = (rows * columns + GROUP - 1) // GROUP
        self.table.count = 8 if turns and rows == columns else 4
        self.table.images = <uint64_t *> calloc(<size_t> self.table.groups * SUBSETS * IMAGES, sizeof(uint64_t))
        if self.table.images == NULL:
            raise MemoryError
        for symmetry in range(IMAGES):
            for cell in range(rows * columns):
                row, column = divmod(cell, columns)
                i = symmetry % self.table.count
                if i & 1:
                    column = columns - 1 - column
                if i & 2:
                    row = rows - 1 - row
                if i & 4:
                    row, column = column, row
                self.table.cell[symmetry][cell] = row * columns + column
            for group in range(self.table.groups):
                for subset in range(SUBSETS):
                    for i in range(min(GROUP, rows * columns - group * GROUP)):
                        if (subset >> i) & 1:
                            self.table.images[(group * SUBSETS + subset) * IMAGES + symmetry] |= (
                                <uint64_t> 1 << self.table.cell[symmetry][group * GROUP + i])

    def __dealloc__(self):
        free(self.table.images)


@cache
def board_symmetries(rows, columns, turns=True):
    """Return the cached BoardSymmetries of these arguments. A game must keep it as long as it uses its table."""
    return BoardSymmetries(rows, columns, turns)
