"""A fixed set of positions searched to a fixed depth: the engine's signature and its speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from barreleye.core.notation import START_FEN
from barreleye.engine import Engine, Limits

DEPTH, THREADS, HASH = 13, 1, 16
POSITIONS = (
    START_FEN,
    # openings
    "rnbqkb1r/pp2pppp/3p1n2/2p5/3PP3/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4",
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 4 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r1bqkb1r/pp3ppp/2nppn2/8/3NP3/2N5/PPP1BPPP/R1BQK2R w KQkq - 0 7",
    "rnbqkbnr/pp3ppp/4p3/2ppP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 0 4",
    # middlegames
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 12",
    "r2q1rk1/1b1nbppp/pp1ppn2/8/2PQP3/1PN2NP1/PB3PBP/R3R1K1 w - - 2 13",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 1 13",
    "r4rk1/pp1b1ppp/1qnbpn2/3p4/2PP4/1PN1PN2/1B2BPPP/R2Q1RK1 w - - 1 12",
    "3r1rk1/p1q2pp1/1p2pn1p/2pn4/3P4/P1PBPN2/1BQ2PPP/3R1RK1 b - - 0 18",
    "r3r1k1/1pqb1pbp/p2p1np1/3Pn3/P1P5/2N1BN1P/1P1QBPP1/R4RK1 w - - 4 17",
    "2kr3r/ppq2ppp/2nbpn2/3p4/3P1P2/2PBPQ2/PP1N2PP/R1B2RK1 w - - 3 12",
    "r2qr1k1/pp1n1pp1/2pb1n1p/3p4/3P3B/2NBPN2/PPQ2PPP/1R3RK1 b - - 1 13",
    "1r3rk1/2qnbppp/p2ppn2/1p6/3NPP2/P1N1B3/1PP1Q1PP/R4R1K w - - 3 15",
    "r1bqr1k1/1p1n1pb1/p2p1npp/P1pP4/4PP2/2N2N1P/1P2B1P1/R1BQ1RK1 b - - 0 14",
    "5rk1/1p1q1p1p/p1rp2p1/3Np1n1/2P1P1b1/1P1Q2B1/P5PP/3R1RK1 b - - 4 24",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 18",
    # tactics
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
    "r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - 0 1",
    "r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1",
    # endgames
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5pp1/4p2p/8/3P4/2R1P1P1/r4PKP/8 w - - 0 30",
    "8/5pk1/6p1/R6p/5P1P/6P1/r5K1/8 w - - 4 45",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "8/1p2kp2/p1p1b1p1/4P2p/1P1B3P/P3K1P1/8/8 w - - 0 40",
    "8/pp2k3/3n4/4Pp2/3K1P2/1P3N2/P7/8 w - - 1 38",
    "4k3/8/8/8/4P3/8/3K4/8 w - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "8/3k4/8/8/8/4B3/4KB2/2B5 w - - 0 1",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
    "1r6/1P4bk/3qr1p1/N6p/3pp2P/6R1/3Q1PP1/1R4K1 w - - 1 42",
    # Chess960 and edges of the rules
    "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 80",
    "7k/7P/6K1/8/3B4/8/8/8 b - - 0 1",
    "r6k/8/8/8/8/8/8/R6K w - - 96 120",
)


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Nodes are the signature: the same for every run of a build on one thread."""

    nodes: int
    time_ms: int

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return 1000 * self.nodes // max(1, self.time_ms)


def bench(limit: int | Limits = DEPTH, threads: int = THREADS, hash_mb: int = HASH, *, engine: Engine | None = None,
          positions: Sequence[str] = POSITIONS,
          on_position: Callable[[int, str, int], None] | None = None) -> BenchResult:
    """Search every position from a clean state, and count. A number as limit is a depth.

    on_position hears (number, fen, nodes).
    """
    limits = Limits(depth=limit) if isinstance(limit, int) else limit
    engine = engine or Engine()
    engine.set_option("Threads", threads)
    engine.set_option("Hash", hash_mb)
    nodes, spent = 0, 0.0
    for number, fen in enumerate(positions, 1):
        engine.new_game()
        engine.position(fen)
        start = time.perf_counter()
        found = engine.go(limits).wait().nodes
        spent += time.perf_counter() - start
        nodes += found
        if on_position is not None:
            on_position(number, fen, found)
    return BenchResult(nodes, round(1000 * spent))
