"""What the engine says of moves that it misses: positions of a suite that few nodes miss and many find.

For each, "why not the right move?" is asked at the few nodes. The reason must be true: looked at for itself to the same
depth the move really is worse, or it is better and the recorded search shows that it was not reached, reduced or cut.
The switches that are said to hide the move must let the same search find it, and none of them may be spared.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

import chess

import barreleye
from barreleye.explain.inquiry import Finding, Inquiry
from barreleye.explain.refutation import is_close
from barreleye.explain.why_not import MISSED, Reason, WhyNot, why_not

SUITE = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "suites" / "wacnew.epd"


def is_true(answer: WhyNot, inquiry: Inquiry, found: Finding) -> bool:
    """Whether the reason holds, by searches of our own and by what was recorded."""
    forced = inquiry.search(only=[answer.move], depth=answer.depth)
    close = is_close(found.score, forced.score)
    worse = forced.score < found.score
    if answer.reason is Reason.EQUAL:
        return close
    if answer.reason is Reason.WORSE:
        return worse and not close
    if answer.reason not in MISSED or worse or close:
        return False
    looks = inquiry.record(found, plies=1).find(answer.move)
    done = [visit for visit in looks if visit.ending != "stopped"]
    if answer.reason is Reason.UNREACHED:
        return not done or done[-1].iteration < found.ledger.depth
    assert done and done[-1].parent is not None
    short = done[-1].parent.depth - 1 - done[-1].depth
    return short > 0 if answer.reason is Reason.REDUCED else short <= 0


def finds(answer: WhyNot, inquiry: Inquiry, nodes: int) -> str:
    """Whether the switches that were named really find the move: yes, no, needless, or none were named."""
    blamed = answer.culprits
    assert blamed is not None
    if not blamed.switches:
        return "none"
    if inquiry.search(nodes=nodes, without=blamed.switches).best_move != answer.move:
        return "no"
    for name in blamed.switches:
        others = [other for other in blamed.switches if other != name]
        if inquiry.search(nodes=nodes, without=others).best_move == answer.move:
            return "needless"
    return "yes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--few", type=int, default=20_000, help="nodes that miss (default %(default)s)")
    parser.add_argument("--many", type=int, default=2_000_000, help="nodes that find (default %(default)s)")
    parser.add_argument("--suite", type=Path, default=SUITE, help="positions with best moves, as EPD")
    parser.add_argument("--count", type=int, default=1000, help="positions to stop after")
    args = parser.parse_args()
    engine, strong = barreleye.Engine(Hash=16), barreleye.Engine(Hash=64)
    reasons, switches, true, asked, began = Counter[str](), Counter[str](), 0, 0, time.perf_counter()
    for text in args.suite.read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(text)
        named = operations.get("bm")
        right = [move.uci() for move in named] if isinstance(named, list) else []
        engine.position(board.fen())
        inquiry = Inquiry(engine, nodes=args.few)
        found = inquiry.search()
        if not right or found.best_move in right:
            continue
        strong.new_game()
        strong.position(board.fen())
        wanted = strong.search(nodes=args.many).best_move
        if wanted not in right:
            continue
        answer = why_not(inquiry, found, wanted, culprit=True)
        holds, verdict = is_true(answer, inquiry, found), finds(answer, inquiry, args.few)
        asked, true = asked + 1, true + holds
        reasons[answer.reason.value] += 1
        switches[verdict] += 1
        blamed = answer.culprits
        assert blamed is not None
        print(f"{operations.get('id', ''):<8} {board.san(board.parse_uci(wanted)):<7} {answer.reason.value:<13} "
              f"{'true' if holds else 'FALSE':<5} {verdict:<8} {', '.join(blamed.switches)}", flush=True)
        if asked == args.count:
            break
    print(f"{asked} positions missed at {args.few:,} nodes and found at {args.many:,}: {true} reasons are true "
          f"({', '.join(f'{count} {name}' for name, count in reasons.most_common())}); switches that find the move: "
          f"{', '.join(f'{name} {count}' for name, count in switches.most_common())}; "
          f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
