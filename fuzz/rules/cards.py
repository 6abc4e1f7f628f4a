"""The plain rules of games with hidden cards."""

from __future__ import annotations

from math import comb
from typing import Any


class Kuhn:
    """One card each, one bet."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.letters = "JQKA"[: players + 1]

    def start(self) -> dict[str, Any]:
        return {"cards": ["."] * self.players, "calls": []}

    def acting(self, at: dict[str, Any]) -> list[int]:
        first = at["calls"].index("b") if "b" in at["calls"] else 0
        is_over = len(at["calls"]) == self.players + first
        return [] if is_over or "." in at["cards"] else [len(at["calls"]) % self.players]

    def outcomes(self, at: dict[str, Any]) -> dict[str, int]:
        return {f"deal({card})": 1 for card in self.letters if card not in at["cards"]} if "." in at["cards"] else {}

    def after_outcome(self, at: dict[str, Any], text: str) -> dict[str, Any]:
        cards = list(at["cards"])
        cards[cards.index(".")] = text[5]
        return {**at, "cards": cards}

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        return ["pass", "bet"]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        return {**at, "calls": [*at["calls"], *(text[0] for text in texts.values())]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        bets = {number % self.players for number, call in enumerate(at["calls"]) if call == "b"}
        paid = [1 + (player in bets) for player in range(self.players)]
        rest = sorted(bets) or range(self.players)
        winner = max(rest, key=lambda player: self.letters.index(at["cards"][player]))
        return [sum(paid) - chips if player == winner else -chips for player, chips in enumerate(paid)]


class Leduc:
    """A card each, an open card, two rounds of bets."""

    def start(self) -> dict[str, Any]:
        return {"cards": [".", ".", "."], "calls": []}

    def _rounds(self, at: dict[str, Any]) -> list[str]:
        """Return the calls of the rounds that have begun, the last of which may be unfinished."""
        rounds = [""]
        for call in at["calls"]:
            rounds[-1] += call
            if call == "c" and len(rounds[-1]) > 1:
                rounds.append("")
        return rounds

    def _chips(self, at: dict[str, Any]) -> list[int]:
        chips = [1, 1]
        for number, calls in enumerate(self._rounds(at)):
            for place, call in enumerate(calls):
                if call != "f":
                    chips[place % 2] = chips[1 - place % 2] + (2 + 2 * number if call == "r" else 0)
        return chips

    def acting(self, at: dict[str, Any]) -> list[int]:
        rounds = self._rounds(at)
        if self.outcomes(at) or at["calls"][-1:] == ["f"] or len(rounds) == 3:
            return []
        return [len(rounds[-1]) % 2]

    def outcomes(self, at: dict[str, Any]) -> dict[str, int]:
        waits_for_open = len(self._rounds(at)) == 2 and at["cards"][2] == "." and at["calls"][-1:] != ["f"]
        if "." not in at["cards"][:2] and not waits_for_open:
            return {}
        return {f"deal({card})": 1 for card in "JjQqKk" if card not in at["cards"]}

    def after_outcome(self, at: dict[str, Any], text: str) -> dict[str, Any]:
        cards = list(at["cards"])
        cards[cards.index(".")] = text[5]
        return {**at, "cards": cards}

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        chips = self._chips(at)
        fold = ["fold"] if chips[0] != chips[1] else []
        return [*fold, "call", *(["raise"] if self._rounds(at)[-1].count("r") < 2 else [])]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        return {**at, "calls": [*at["calls"], *(text[0] for text in texts.values())]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        chips, rounds = self._chips(at), self._rounds(at)
        first, second, shared = ("JQK".find(card.upper()) for card in at["cards"])
        if at["calls"][-1] == "f":
            winner = len(rounds[-1]) % 2
        elif first == second:
            return [0, 0]
        elif shared in (first, second):
            winner = 0 if first == shared else 1
        else:
            winner = 0 if first > second else 1
        return [chips[1 - winner], -chips[1 - winner]] if winner == 0 else [-chips[0], chips[0]]


class LiarsDice:
    """Hidden dice, rising bids, one challenge. The highest face counts as any."""

    def __init__(self, dice: int, sides: int) -> None:
        self.dice, self.sides = dice, sides

    def start(self) -> dict[str, Any]:
        return {"dice": ["."] * 2 * self.dice, "calls": []}

    def acting(self, at: dict[str, Any]) -> list[int]:
        return [] if "." in at["dice"] or "liar" in at["calls"] else [len(at["calls"]) % 2]

    def outcomes(self, at: dict[str, Any]) -> dict[str, int]:
        return {f"roll({face})": 1 for face in range(1, self.sides + 1)} if "." in at["dice"] else {}

    def after_outcome(self, at: dict[str, Any], text: str) -> dict[str, Any]:
        rolled = [die for die in at["dice"] if die != "."]
        begin = len(rolled) // self.dice * self.dice
        dice = [*rolled[:begin], *sorted([*rolled[begin:], text[5]])]
        return {**at, "dice": dice + ["."] * (2 * self.dice - len(dice))}

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        every = [f"{number}x{face}" for number in range(1, 2 * self.dice + 1) for face in range(1, self.sides + 1)]
        if not at["calls"]:
            return [f"bid({bid})" for bid in every]
        return [f"bid({bid})" for bid in every[every.index(at["calls"][-1]) + 1 :]] + ["liar"]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        return {**at, "calls": [*at["calls"], *(text.removeprefix("bid(").rstrip(")") for text in texts.values())]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        number, face = at["calls"][-2].split("x")
        bidder = (len(at["calls"]) - 2) % 2
        is_true = sum(die in (face, str(self.sides)) for die in at["dice"]) >= int(number)
        winner = bidder if is_true else 1 - bidder
        return [1.0 if player == winner else -1.0 for player in range(2)]


class OhHell:
    """Bids, then tricks. A hand is dealt in ascending order: an outcome counts the hands that begin so."""

    def __init__(self, players: int, suits: int, ranks: int, tricks: int) -> None:
        self.players, self.tricks = players, tricks
        self.ranks = "23456789TJQKA"[-ranks:]
        self.deck = [rank + suit for suit in "cdhs"[:suits] for rank in self.ranks]

    def start(self) -> dict[str, Any]:
        return {"hands": [[] for _ in range(self.players)], "trump": None, "bids": [], "plays": []}

    def _rounds(self, at: dict[str, Any]) -> list[dict[int, str]]:
        """Return player -> card for each trick, in the order of play; the last one is not complete."""
        tricks: list[dict[int, str]] = [{}]
        player = 0
        for card in at["plays"]:
            tricks[-1][player] = card
            player = (player + 1) % self.players
            if len(tricks[-1]) == self.players:
                player = self._winner(at, tricks[-1])
                tricks.append({})
        return tricks

    def _winner(self, at: dict[str, Any], trick: dict[int, str]) -> int:
        led = next(iter(trick.values()))[1]
        trumps = [card for card in trick.values() if card[1] == at["trump"][1]]
        best = max(
            trumps or [card for card in trick.values() if card[1] == led], key=lambda card: self.ranks.index(card[0])
        )
        return next(player for player, card in trick.items() if card == best)

    def acting(self, at: dict[str, Any]) -> list[int]:
        if at["trump"] is None or len(at["plays"]) == self.players * self.tricks:
            return []
        if len(at["bids"]) < self.players:
            return [len(at["bids"])]
        tricks = self._rounds(at)
        if tricks[-1]:
            return [([*tricks[-1]][-1] + 1) % self.players]
        return [self._winner(at, tricks[-2]) if len(tricks) > 1 else 0]

    def _receiver(self, at: dict[str, Any]) -> int | None:
        """Return who is dealt the next card; None for the trump card."""
        return next((player for player, hand in enumerate(at["hands"]) if len(hand) < self.tricks), None)

    def outcomes(self, at: dict[str, Any]) -> dict[str, int]:
        if at["trump"] is not None:
            return {}
        free = [card for card in self.deck if not any(card in hand for hand in at["hands"])]
        player = self._receiver(at)
        if player is None:
            return {f"deal({card})": 1 for card in free}
        hand = at["hands"][player]
        after = [card for card in free if not hand or self.deck.index(card) > self.deck.index(hand[-1])]
        counts = {card: comb(len(after) - place - 1, self.tricks - len(hand) - 1) for place, card in enumerate(after)}
        return {f"deal({card})": count for card, count in counts.items() if count}

    def after_outcome(self, at: dict[str, Any], text: str) -> dict[str, Any]:
        player = self._receiver(at)
        if player is None:
            return {**at, "trump": text[5:7]}
        return {
            **at,
            "hands": [[*hand, text[5:7]] if seat == player else hand for seat, hand in enumerate(at["hands"])],
        }

    def legal(self, at: dict[str, Any], player: int) -> list[str]:
        if len(at["bids"]) < self.players:
            is_last = len(at["bids"]) == self.players - 1
            sum_so_far = sum(map(int, at["bids"]))
            return [f"bid({n})" for n in range(self.tricks + 1) if not (is_last and sum_so_far + n == self.tricks)]
        trick = self._rounds(at)[-1]
        hand = at["hands"][player]
        following = [card for card in hand if trick and card[1] == next(iter(trick.values()))[1]]
        return [f"play({card})" for card in following or hand]

    def after(self, at: dict[str, Any], texts: dict[int, str]) -> dict[str, Any]:
        (text,) = texts.values()
        if text.startswith("bid"):
            return {**at, "bids": [*at["bids"], text[4:-1]]}
        hands = [[card for card in hand if card != text[5:7]] for hand in at["hands"]]
        return {**at, "hands": hands, "plays": [*at["plays"], text[5:7]]}

    def returns(self, at: dict[str, Any]) -> list[float]:
        winners = [self._winner(at, trick) for trick in self._rounds(at)[:-1]]
        won = [winners.count(player) for player in range(self.players)]
        points = [count + 10 * (count == int(bid)) for count, bid in zip(won, at["bids"], strict=True)]
        return [points[0] - points[1], points[1] - points[0]] if self.players == 2 else points
