"""What `go` asks for."""

from __future__ import annotations

from barreleye.engine import Limits

NUMBER_WORDS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
LEAST = {"depth": 1, "nodes": 1, "mate": 1, "movetime": 1}     # inside the engine 0 means that there is no such limit
ENDLESS = {"ponder", "winc", "binc", "movestogo"}              # alone these end no search
GO_WORDS = (*NUMBER_WORDS, "searchmoves", "ponder", "infinite")


def parse_go(words: list[str]) -> tuple[Limits, list[str], list[str]]:
    """What `go` asks for: limits by their UCI names, the moves it restricts the search to, and what it got wrong.

    A GUI that says `go` waits for a move, so what cannot be understood is left out and the rest counts.
    """
    limits: Limits = {}
    searchmoves: list[str] = []
    problems: list[str] = []
    in_moves = False
    rest = words[::-1]
    while rest:
        word = rest.pop()
        if word == "searchmoves":
            in_moves = True
        elif word in ("ponder", "infinite"):
            limits[word] = True
        elif word in NUMBER_WORDS:
            try:
                limits[word] = max(LEAST.get(word, 0), min(int(rest[-1]), (1 << 62) if word == "nodes" else (1 << 30)))
                rest.pop()
            except (IndexError, ValueError):
                problems.append(f"go {word} is {rest.pop() if rest and rest[-1] not in GO_WORDS else None!r}, "
                                f"expected a number")
        elif in_moves:
            searchmoves.append(word)
        else:
            problems.append(f"go does not know {word!r}; it knows {', '.join(GO_WORDS)}")
    if limits.keys() <= ENDLESS:
        if "winc" in limits or "binc" in limits:
            limits["wtime"] = limits["btime"] = 0          # a clock of increments alone
        else:
            limits["infinite"] = True
    return limits, searchmoves, problems
