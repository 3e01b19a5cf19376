"""What `go` asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from barreleye.engine.limits import RANGES, Limits

GO_WORDS = (*(name for name in RANGES if name != "softnodes"), "perft", "searchmoves", "ponder", "infinite")
PERFT_RANGE = (0, 1 << 30)


@dataclass(frozen=True, slots=True)
class Go:
    """What `go` asks for, and what it got wrong."""

    limits: Limits
    searchmoves: list[str]
    perft: int | None
    problems: list[str]


def parse_go(words: list[str]) -> Go:
    """Read the words after `go`.

    A GUI that says `go` waits for a move, so what cannot be understood is left out and the rest counts; a number
    beyond what is possible counts as the nearest that is. If nothing is left that ends the search, it ends after one
    ply: somebody who got a limit wrong did not ask for a search without one.
    """
    asked: dict[str, Any] = {}
    perft: int | None = None
    searchmoves: list[str] = []
    problems: list[str] = []
    in_moves = False
    rest = words[::-1]
    while rest:
        word = rest.pop()
        if word == "searchmoves":
            in_moves = True
        elif word in ("ponder", "infinite"):
            asked[word] = True
        elif word in GO_WORDS:
            least, most = RANGES.get(word, PERFT_RANGE)
            try:
                number = max(least, min(int(rest[-1]), most))
                rest.pop()
            except (IndexError, ValueError):
                given = f", not {rest.pop()!r}" if rest and rest[-1] not in GO_WORDS else ""
                problems.append(f"go {word} needs a number{given}")
                continue
            if word == "perft":
                perft = number
            else:
                asked[word] = number
        elif in_moves:
            searchmoves.append(word)
        else:
            problems.append(f"go does not know {word!r}; it knows {', '.join(GO_WORDS)}")
    limits = Limits(**asked)
    if not limits.ends and not limits.infinite and ("winc" in asked or "binc" in asked):
        limits = Limits(**asked, wtime=0, btime=0)         # a clock of increments alone
    if problems and perft is None and not limits.ends and not limits.infinite:
        limits = replace(limits, depth=1)
        problems.append("nothing says when to stop: searching one ply")
    return Go(limits, searchmoves, perft, problems)
