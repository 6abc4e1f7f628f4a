"""Rules of board games in plain Python, written from the rules of the games and not from the rulesheets.

Each game is a class whose objects are positions. `acting()` returns the players who move, `moves_of(player)` returns
the moves of one of them as tuples of a name and arguments, `play` takes a move of each and changes the position, and
`result()` returns the returns, or None before the end.
"""

from itertools import product

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
AROUND = STRAIGHT + DIAGONAL
KNIGHT = tuple((a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b))
WON = ((100, 0), (0, 100))
DRAWN = (50, 50)


class Position:
    """A position with cells (row, column) from 1. In games in turns, `mover` moves, and has the moves `moves()`."""

    rows = columns = 8

    def __init__(self):
        self.board = {}
        self.mover = 0

    def acting(self):
        return (self.mover,)

    def moves_of(self, player):
        return self.moves()

    def cells(self):
        return product(range(1, self.rows + 1), range(1, self.columns + 1))

    def inside(self, row, column):
        return 1 <= row <= self.rows and 1 <= column <= self.columns

    def row_of(self, player, length):
        """Return whether a player has a number of cells in a row."""
        return any(
            all(self.board.get((row + step * down, column + step * right)) == player for step in range(length))
            for row, column in self.cells()
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )


class InARow(Position):
    """Stones are placed; a number in a row wins."""

    def __init__(self, rows, columns, length):
        super().__init__()
        self.rows, self.columns, self.length = rows, columns, length

    def moves(self):
        return [("place", *cell) for cell in self.cells() if cell not in self.board]

    def play(self, move):
        self.board[move[1:]] = self.mover
        self.mover = 1 - self.mover

    def result(self):
        for player in (0, 1):
            if self.row_of(player, self.length):
                return WON[player]
        return DRAWN if len(self.board) == self.rows * self.columns else None


class Dropped(InARow):
    """Discs fall into columns. A cell is (column, height)."""

    def moves(self):
        return [("drop", column) for column in range(1, self.rows + 1) if (column, self.columns) not in self.board]

    def play(self, move):
        height = min(height for height in range(1, self.columns + 1) if (move[1], height) not in self.board)
        super().play(("place", move[1], height))


class Hex(InARow):
    """The first player joins the first row with the last, the second the first column with the last."""

    def __init__(self, size):
        super().__init__(size, size, 0)

    def result(self):
        for player in (0, 1):
            reached = [cell for cell in self.cells() if cell[player] == 1 and self.board.get(cell) == player]
            for row, column in reached:
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                    cell = row + down, column + right
                    if self.board.get(cell) == player and cell not in reached:
                        reached.append(cell)
            if any(cell[player] == self.rows for cell in reached):
                return WON[player]
        return None


class Reversi(Position):
    def __init__(self):
        super().__init__()
        self.board = {(4, 4): 1, (5, 5): 1, (4, 5): 0, (5, 4): 0}

    def turned(self, player, row, column):
        """Return the cells that a disc turns over."""
        found = []
        for down, right in AROUND:
            line, at = [], (row + down, column + right)
            while self.board.get(at) == 1 - player:
                line.append(at)
                at = at[0] + down, at[1] + right
            if self.board.get(at) == player:
                found += line
        return found

    def places(self, player):
        return [cell for cell in self.cells() if cell not in self.board and self.turned(player, *cell)]

    def moves(self):
        return [("place", *cell) for cell in self.places(self.mover)] or [("pass",)]

    def play(self, move):
        if move[0] == "place":
            for cell in (*self.turned(self.mover, *move[1:]), move[1:]):
                self.board[cell] = self.mover
        self.mover = 1 - self.mover

    def result(self):
        if self.places(0) or self.places(1):
            return None
        first, second = (list(self.board.values()).count(player) for player in (0, 1))
        return DRAWN if first == second else WON[first < second]


class Breakthrough(Position):
    """The first player begins on the first rows and goes up."""

    def __init__(self, rows=8, columns=8, ranks=2):
        super().__init__()
        self.rows, self.columns = rows, columns
        self.board = {cell: 0 for cell in self.cells() if cell[0] <= ranks}
        self.board |= {cell: 1 for cell in self.cells() if cell[0] > rows - ranks}

    def targets(self, row, column):
        ahead = row + (1, -1)[self.mover]
        for to in (column - 1, column, column + 1):
            found = self.board.get((ahead, to))
            if self.inside(ahead, to) and (found is None if to == column else found != self.mover):
                yield ahead, to

    def moves(self):
        return [
            ("move", *cell, *to)
            for cell in self.cells()
            if self.board.get(cell) == self.mover
            for to in self.targets(*cell)
        ]

    def play(self, move):
        del self.board[move[1:3]]
        self.board[move[3:]] = self.mover
        self.mover = 1 - self.mover

    def result(self):
        for player, last in ((0, self.rows), (1, 1)):
            if any(who == player and cell[0] == last for cell, who in self.board.items()):
                return WON[player]
            if 1 - player not in self.board.values():
                return WON[player]
        return None


class Knightthrough(Breakthrough):
    def targets(self, row, column):
        for down, right in KNIGHT:
            to = row + down, column + right
            if (down > 0) == (self.mover == 0) and self.inside(*to) and self.board.get(to) != self.mover:
                yield to

    def result(self):
        return super().result() or (None if self.moves() else WON[1 - self.mover])


class Hexapawn(Breakthrough):
    """Pawns move and capture as in chess; a player without a move loses."""

    def __init__(self):
        super().__init__(3, 3, 1)

    def targets(self, row, column):
        return [to for to in super().targets(row, column) if (to[1] == column) != (to in self.board)]

    def result(self):
        return super().result() or (None if self.moves() else WON[1 - self.mover])


class Nim(Position):
    """Sticks of heaps are taken, and the last one wins."""

    def __init__(self, players, heaps, most):
        super().__init__()
        self.players, self.most = players, most
        self.board = dict(zip("abc", heaps, strict=True))

    def moves(self):
        return [
            ("take", heap, count)
            for heap, sticks in self.board.items()
            for count in range(1, min(sticks, self.most) + 1)
        ]

    def play(self, move):
        self.board[move[1]] -= move[2]
        self.mover = (self.mover + 1) % self.players

    def result(self):
        last = (self.mover - 1) % self.players
        return None if self.moves() else tuple(100 * (player == last) for player in range(self.players))


class Chomp(Position):
    rows, columns = 4, 7

    def __init__(self):
        super().__init__()
        self.board = dict.fromkeys(self.cells())

    def moves(self):
        return [("eat", *cell) for cell in self.board]

    def play(self, move):
        self.board = {cell: None for cell in self.board if cell[0] < move[1] or cell[1] < move[2]}
        self.mover = 1 - self.mover

    def result(self):
        return None if (1, 1) in self.board else WON[self.mover]


class DroppedByThree(Dropped):
    def __init__(self):
        super().__init__(7, 6, 4)

    def play(self, move):
        mover = self.mover
        super().play(move)
        self.mover = (mover + 1) % 3

    def result(self):
        for player in range(3):
            if self.row_of(player, self.length):
                return tuple(100 * (player == each) for each in range(3))
        return (33, 33, 33) if len(self.board) == self.rows * self.columns else None


class Scissors(Position):
    """Rock, paper, scissors."""

    def __init__(self):
        super().__init__()
        self.wins, self.rounds = [0, 0], 0

    def acting(self):
        return 0, 1

    def moves(self):
        return [("choose", hand) for hand in ("rock", "paper", "scissors")]

    def play(self, first, second):
        order = "rock", "paper", "scissors"
        ahead = (order.index(first[1]) - order.index(second[1])) % 3
        self.rounds += 1
        if ahead:
            self.wins[ahead - 1] += 1

    def result(self):
        if self.rounds < 9 and max(self.wins) < 3:
            return None
        return DRAWN if self.wins[0] == self.wins[1] else WON[self.wins[0] < self.wins[1]]


class Pursuit(Position):
    rows = columns = 5

    def __init__(self):
        super().__init__()
        self.at, self.steps, self.caught = [(1, 1), (5, 4)], 0, False

    def acting(self):
        return 0, 1

    def moves_of(self, player):
        row, column = self.at[player]
        near = [(row + down, column + right) for down, right in (*STRAIGHT, (0, 0))]
        return [("go", *to) for to in near if self.inside(*to) and (to[0] % 2 or to[1] % 2)]

    def play(self, hunter, fox):
        to = [hunter[1:], fox[1:]]
        self.caught = to[0] == to[1] or to == self.at[::-1]
        self.at, self.steps = to, self.steps + 1

    def result(self):
        return WON[0] if self.caught else WON[1] if self.steps == 15 else None


class Checkers(Position):
    """English draughts; a piece is a player and whether it is a king. Each jump is a move of its own."""

    def __init__(self):
        super().__init__()
        dark = [cell for cell in self.cells() if sum(cell) % 2 == 0]
        self.board = {cell: (int(cell[0] > 5), False) for cell in dark if cell[0] not in (4, 5)}
        self.jumping, self.quiet = None, 0

    def targets(self, cell, length):
        """Return the cells that a piece steps to (length 1) or jumps to (2)."""
        player, king = self.board[cell]
        for down, right in DIAGONAL:
            to = cell[0] + length * down, cell[1] + length * right
            mid = self.board.get((cell[0] + down, cell[1] + right))
            fits = length == 1 or (mid is not None and mid[0] != player)
            if (king or down == (1, -1)[player]) and self.inside(*to) and to not in self.board and fits:
                yield to

    def moves(self):
        own = [self.jumping] if self.jumping else [cell for cell in self.board if self.board[cell][0] == self.mover]
        jumps = [("move", *cell, *to) for cell in own for to in self.targets(cell, 2)]
        return jumps or [("move", *cell, *to) for cell in own for to in self.targets(cell, 1)]

    def play(self, move):
        start, to = move[1:3], move[3:]
        player, king = self.board.pop(start)
        crowned = not king and to[0] == (8, 1)[player]
        self.board[to] = player, king or crowned
        jump = abs(start[0] - to[0]) == 2
        if jump:
            del self.board[(start[0] + to[0]) // 2, (start[1] + to[1]) // 2]
        self.quiet = 0 if jump or not king else self.quiet + 1
        self.jumping = to if jump and not crowned and any(self.targets(to, 2)) else None
        if not self.jumping:
            self.mover = 1 - self.mover

    def result(self):
        if not self.moves():
            return WON[1 - self.mover]
        return DRAWN if self.quiet == 40 else None


class Ataxx(Position):
    def __init__(self, size, steps):
        super().__init__()
        self.rows = self.columns = size
        self.steps = steps
        self.board = {(1, 1): 0, (size, size): 0, (1, size): 1, (size, 1): 1}

    def moves(self):
        free = [cell for cell in self.cells() if cell not in self.board]
        own = [cell for cell, player in self.board.items() if player == self.mover]
        found = set()
        for (row, column), (to_row, to_column) in product(own, free):
            distance = max(abs(row - to_row), abs(column - to_column))
            if distance == 1:
                found.add(("grow", to_row, to_column))
            if distance == 2:
                found.add(("jump", row, column, to_row, to_column))
        return list(found) or [("pass",)]

    def play(self, move):
        if move[0] == "jump":
            del self.board[move[1:3]]
        if move[0] != "pass":
            row, column = move[-2:]
            self.board[row, column] = self.mover
            for down, right in AROUND:
                if (row + down, column + right) in self.board:
                    self.board[row + down, column + right] = self.mover
        self.steps -= 1
        self.mover = 1 - self.mover

    def result(self):
        first, second = (list(self.board.values()).count(player) for player in (0, 1))
        if first and second and first + second < self.rows**2 and self.steps:
            return None
        return DRAWN if first == second else WON[first < second]


class Pentago(InARow):
    """A stone is placed, then a block of nine cells is turned."""

    def __init__(self):
        super().__init__(6, 6, 5)
        self.twisting = False

    def moves(self):
        if self.twisting:
            turns = "clockwise", "counterclockwise"
            return [("twist", *middle, turn) for middle in product((2, 5), repeat=2) for turn in turns]
        return super().moves()

    def play(self, move):
        if move[0] == "place":
            self.board[move[1:]] = self.mover
            self.twisting = True
            return
        row, column, turn = move[1:]
        sign = 1 if turn == "clockwise" else -1
        block = list(product((-1, 0, 1), repeat=2))
        before = {(a, b): self.board.pop((row + a, column + b), None) for a, b in block}
        for (a, b), stone in before.items():
            if stone is not None:
                self.board[row + sign * b, column - sign * a] = stone
        self.twisting = False
        self.mover = 1 - self.mover

    def result(self):
        lines = [self.row_of(player, 5) for player in (0, 1)]
        if any(lines):
            return DRAWN if all(lines) else WON[lines[1]]
        return DRAWN if len(self.board) == 36 and not self.twisting else None


class Kalah(Position):
    """Houses of a player are numbered in the order of sowing."""

    def __init__(self, houses, seeds):
        super().__init__()
        self.houses = houses
        self.pits = [[seeds] * houses + [0] for _ in (0, 1)]  # the last pit is the store

    def moves(self):
        return [
            ("sow", 2 - self.mover, house + 1 if self.mover == 0 else self.houses - house)
            for house in range(self.houses)
            if self.pits[self.mover][house]
        ]

    def play(self, move):
        house = move[2] - 1 if self.mover == 0 else self.houses - move[2]
        own, far = self.pits[self.mover], self.pits[1 - self.mover]
        ring = [(own, place) for place in range(self.houses + 1)] + [(far, place) for place in range(self.houses)]
        hand, own[house] = own[house], 0
        for number in range(1, hand + 1):
            side, last = ring[(house + number) % len(ring)]
            side[last] += 1
        if side is own and last == self.houses:
            return
        facing = self.houses - 1 - last
        if side is own and own[last] == 1 and far[facing]:
            own[self.houses] += 1 + far[facing]
            own[last] = far[facing] = 0
        self.mover = 1 - self.mover

    def result(self):
        stores, rest = [pits[-1] for pits in self.pits], [sum(pits[:-1]) for pits in self.pits]
        total = sum(stores) + sum(rest)
        if all(rest) and 2 * max(stores) <= total:
            return None
        first, second = (store + left for store, left in zip(stores, rest, strict=True))
        if 2 * max(stores) > total:
            return WON[stores[1] > stores[0]]
        return DRAWN if first == second else WON[second > first]


class LinesOfAction(Position):
    rows = columns = 6

    def __init__(self):
        super().__init__()
        self.steps = 0
        for cell in self.cells():
            outer = [number in (1, 6) for number in cell]
            if sum(outer) == 1:
                self.board[cell] = outer.index(True)

    def moves(self):
        found = []
        for (row, column), (down, right) in product(self.cells(), AROUND):
            if self.board.get((row, column)) != self.mover:
                continue
            line = [(row + step * down, column + step * right) for step in range(-5, 6)]
            length = sum(cell in self.board for cell in line)
            target = line[5 + length] if length <= 5 else (0, 0)
            between = [self.board.get(cell) for cell in line[6 : 5 + length]]
            if self.inside(*target) and self.board.get(target) != self.mover and 1 - self.mover not in between:
                found.append(("move", row, column, *target))
        return found or [("pass",)]

    def play(self, move):
        if move[0] == "move":
            self.board[move[3:]] = self.board.pop(move[1:3])
        self.steps += 1
        self.mover = 1 - self.mover

    def united(self, player):
        own = {cell for cell, who in self.board.items() if who == player}
        group = [own.pop()] if own else []
        for row, column in group:
            near = own & {(row + down, column + right) for down, right in AROUND}
            group += near
            own -= near
        return not own

    def result(self):
        for player in (1 - self.mover, self.mover):
            if self.united(player):
                return WON[player]
        return DRAWN if self.steps == 100 else None


class Chessmen(Position):
    """Chessmen as pairs of player and type. A king is safe if no move of the opponent captures it."""

    def ahead(self, player):
        return (1, -1)[player]

    def reached(self, cell):
        """Return the cells that a piece moves to, with no regard to the king."""
        player, kind = self.board[cell]
        if kind == "pawn":
            ahead = self.ahead(player)
            found = [to for to in [(cell[0] + ahead, cell[1])] if to not in self.board]
            sides = [(cell[0] + ahead, cell[1] + side) for side in (1, -1)]
            found += [to for to in sides if to in self.board]
        else:
            ways = {"knight": KNIGHT, "bishop": DIAGONAL, "rook": STRAIGHT}.get(kind, AROUND)
            found = []
            for down, right in ways:
                for step in range(1, 2 if kind in ("knight", "king") else self.rows):
                    to = cell[0] + step * down, cell[1] + step * right
                    found.append(to)
                    if to in self.board:
                        break
        return [to for to in found if self.inside(*to) and self.board.get(to, (None,))[0] != player]

    def pieces(self, player):
        return [cell for cell, piece in self.board.items() if piece[0] == player]


class Minichess(Chessmen):
    rows = columns = 5

    def __init__(self):
        super().__init__()
        self.quiet = 0
        for column, kind in enumerate(("rook", "knight", "bishop", "queen", "king"), start=1):
            self.board |= {(1, column): (0, kind), (2, column): (0, "pawn")}
            self.board |= {(5, column): (1, kind), (4, column): (1, "pawn")}

    def safe(self, player):
        """Return whether the king of a player cannot be captured."""
        return all(
            self.board.get(to) != (player, "king") for cell in self.pieces(1 - player) for to in self.reached(cell)
        )

    def moves(self):
        found = []
        for cell in self.pieces(self.mover):
            for to in self.reached(cell):
                before = dict(self.board)
                self.board[to] = self.board.pop(cell)
                if self.safe(self.mover):
                    last = before[cell][1] == "pawn" and to[0] in (1, 5)
                    kinds = ("queen", "rook", "bishop", "knight") if last else ()
                    found += [("promote", *cell, *to, kind) for kind in kinds] or [("move", *cell, *to)]
                self.board = before
        return found

    def play(self, move):
        start, to = move[1:3], move[3:5]
        piece = self.board.pop(start)
        self.quiet = 0 if piece[1] == "pawn" or to in self.board else self.quiet + 1
        self.board[to] = (self.mover, move[5]) if move[0] == "promote" else piece
        self.mover = 1 - self.mover

    def result(self):
        if not self.moves():
            return DRAWN if self.safe(self.mover) else WON[1 - self.mover]
        return DRAWN if self.quiet == 40 else None


class TicTacChec(Chessmen):
    rows = columns = 4

    def __init__(self):
        super().__init__()
        self.steps, self.heading = 0, [1, -1]

    def ahead(self, player):
        return self.heading[player]

    def moves(self):
        out = {kind for player, kind in self.board.values() if player == self.mover}
        hand = [kind for kind in ("pawn", "knight", "bishop", "rook") if kind not in out]
        free = [cell for cell in self.cells() if cell not in self.board]
        found = [("place", kind, *cell) for kind in hand for cell in free]
        if self.steps >= 6:
            found += [("move", *cell, *to) for cell in self.pieces(self.mover) for to in self.reached(cell)]
        return found or [("pass",)]

    def play(self, move):
        if move[0] != "pass":
            piece = self.board.pop(move[1:3]) if move[0] == "move" else (self.mover, move[1])
            to = move[-2:]
            if self.board.get(to, (None, None))[1] == "pawn":
                self.heading[1 - self.mover] = (1, -1)[1 - self.mover]
            if piece[1] == "pawn" and to[0] in (1, 4):
                self.heading[self.mover] = 1 if to[0] == 1 else -1
            self.board[to] = piece
        self.steps += 1
        self.mover = 1 - self.mover

    def result(self):
        board = self.board
        self.board = {cell: piece[0] for cell, piece in board.items()}
        lines = [self.row_of(player, 4) for player in (0, 1)]
        self.board = board
        return WON[lines[1]] if any(lines) else DRAWN if self.steps == 60 else None


class FoxAndHounds(Position):
    def __init__(self):
        super().__init__()
        self.board = {(8, 4): 0, **{(1, column): 1 for column in (1, 3, 5, 7)}}

    def moves(self):
        return [
            ("move", row, column, row + down, column + right)
            for (row, column), player in self.board.items()
            if player == self.mover
            for down, right in DIAGONAL
            if self.inside(row + down, column + right)
            and (row + down, column + right) not in self.board
            and (down == 1 or player == 0)
        ]

    def play(self, move):
        self.board[move[3:]] = self.board.pop(move[1:3])
        self.mover = 1 - self.mover

    def result(self):
        if any(cell[0] == 1 and player == 0 for cell, player in self.board.items()):
            return WON[0]
        return None if self.moves() else WON[1 - self.mover]
