"""The `bench` command, its arguments in the order that scripts written for Stockfish use."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from barreleye.core.origin import CORE
from barreleye.engine import Engine, Limits, options
from barreleye.engine.bench import DEPTH, HASH, POSITIONS, THREADS, bench

USAGE = "expected: bench [hash] [threads] [limit] [default, current or a file of FENs] [depth, nodes or movetime]"
KINDS = ("depth", "nodes", "movetime")


def run_bench(words: list[str], engine: Engine, say: Callable[[str], None]) -> None:
    """Run it with the switches and the network of an engine, but without its tables; progress goes to stderr."""
    given = [*words[:5], *map(str, (HASH, THREADS, DEPTH, "default", "depth")[len(words):])]
    try:
        hash_mb, threads, limit = map(int, given[:3])
    except ValueError:
        raise ValueError(f"hash, threads and limit are numbers, not {' '.join(words[:3])!r}; {USAGE}") from None
    if given[4] not in KINDS:
        raise ValueError(f"{given[4]!r} is not a kind of limit; {USAGE}")
    limits = Limits.of({given[4]: limit})
    positions = positions_of(given[3], engine)

    def progress(number: int, fen: str, nodes: int) -> None:
        print(f"position {number:2}/{len(positions)}  {nodes:9} nodes  {fen}", file=sys.stderr)

    engine.finish()
    fresh = Engine()
    for option in options.OPTIONS:
        if option.is_of_search:
            fresh.set_option(option.name, engine.values[option.name])
    result = bench(limits, threads, hash_mb, engine=fresh, positions=positions, on_position=progress)
    print(f"\nCore            : {CORE}\nTotal time (ms) : {result.time_ms}\nNodes searched  : {result.nodes}\n"
          f"Nodes/second    : {result.nps}", file=sys.stderr, flush=True)
    say(f"{result.nodes} nodes {result.nps} nps")


def positions_of(where: str, engine: Engine) -> tuple[str, ...]:
    """The positions to search: ours, the one on the board, or one a line from a file."""
    if where == "default":
        return POSITIONS
    if where == "current":
        return (engine.board.fen(),)
    fens = tuple(line.strip() for line in Path(where).read_text(encoding="utf-8").splitlines() if line.strip())
    if not fens:
        raise ValueError(f"{where} has no positions")
    return fens
