"""What strict testers reject in a search's answer, python-chess being the judge of the rules of chess."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import chess

MOVE = "[a-h][1-8][a-h][1-8][qrbn]?"
INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<score>-?\d+)(?: (?P<bound>lowerbound|upperbound))?(?: wdl (?P<wdl>\d+ \d+ \d+))?"
    r" nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+) tbhits (?P<tbhits>\d+) time (?P<time>\d+)"
    rf" pv(?P<pv>(?: {MOVE})+)"
)
NO_MOVES = re.compile(r"info depth 0 score (cp 0|mate 0)")
CURRENT = re.compile(rf"info depth \d+ currmove ({MOVE}) currmovenumber ([1-9]\d*)")
BEST = re.compile(rf"bestmove ({MOVE}|\(none\))(?: ponder ({MOVE}))?")


@dataclass(frozen=True)
class Info:
    """One line of the search, in numbers and moves."""

    depth: int
    seldepth: int
    multipv: int
    kind: str
    score: int
    bound: str | None
    wdl: tuple[int, ...] | None
    nodes: int
    hashfull: int
    time: int
    pv: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        return self.bound is None

    @property
    def rank(self) -> int:
        """A number that orders scores: a short mate is better than a long one, being mated late better than soon."""
        if self.kind == "cp":
            return self.score
        return 10**6 - self.score if self.score > 0 else -(10**6) - self.score


def parse_info(line: str) -> Info | None:
    """The line of a search in `info`, None for its other lines; ValueError when it is none of those we know."""
    if line.startswith("info string ") or CURRENT.fullmatch(line) or NO_MOVES.fullmatch(line):
        return None
    found = INFO.fullmatch(line)
    if not found:
        raise ValueError(f"malformed: {line}")
    number = {name: int(found[name]) for name in ("depth", "seldepth", "multipv", "score", "nodes", "hashfull", "time")}
    wdl = tuple(map(int, found["wdl"].split())) if found["wdl"] else None
    return Info(**number, kind=found["kind"], bound=found["bound"], wdl=wdl, pv=tuple(found["pv"].split()))


def end_of_game(board: chess.Board) -> str | None:
    """Why no move may follow, or None."""
    if not any(board.generate_legal_moves()):
        return "mate" if board.is_check() else "stalemate"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "threefold"
    return None


def line_violations(board: chess.Board, info: Info) -> Iterator[str]:
    """What is wrong with one line's moves and score."""
    after = board.copy()
    end = None
    for number, text in enumerate(info.pv, 1):
        if end:
            yield f"the line goes on after {end} at ply {number - 1}"
            return
        try:
            move = after.parse_uci(text)
        except ValueError:
            yield f"illegal move {text} at ply {number}"
            return
        if after.uci(move) != text:
            yield f"{text} is not how {after.uci(move)} is written"
        after.push(move)
        end = end_of_game(after)
    if info.kind == "mate" and info.score == 0:
        yield "mate 0 with moves"
    elif info.kind == "mate" and info.is_exact:
        length = 2 * info.score - 1 if info.score > 0 else -2 * info.score
        if len(info.pv) != length:
            yield f"mate {info.score} with a line of {len(info.pv)} plies instead of {length}"
        elif not after.is_checkmate():
            yield f"mate {info.score} with a line that does not mate"
    elif info.kind == "cp" and end == "mate" and info.is_exact:
        yield f"cp {info.score} with a line that mates"
    if info.wdl is not None and (sum(info.wdl) != 1000 or len(info.wdl) != 3):
        yield f"wdl {info.wdl} is not 1000 together"
    if info.hashfull > 1000:
        yield f"hashfull {info.hashfull}"


def search_violations(board: chess.Board, lines: Iterable[str], *, one_thread: bool = True) -> Iterator[str]:
    """What is wrong with all that one `go` was answered with, bestmove last. Each with the line it is about."""
    infos: list[Info] = []
    block: dict[int, Info] = {}
    disorder: list[str] = []
    *talk, last = lines
    for line in talk:
        try:
            info = parse_info(line)
        except ValueError as malformed:
            yield str(malformed)
            continue
        if info is None:
            continue
        for problem in line_violations(board, info):
            yield f"{problem}: {line}"
        if infos and info.nodes < infos[-1].nodes:
            yield f"nodes went back from {infos[-1].nodes}: {line}"
        if infos and info.time < infos[-1].time:
            yield f"time went back from {infos[-1].time}: {line}"
        if one_thread and info.multipv in block and info.depth < block[info.multipv].depth:
            yield f"depth went back from {block[info.multipv].depth}: {line}"
        if info.seldepth < 1 and info.nodes > len(list(board.legal_moves)):
            yield f"seldepth {info.seldepth}: {line}"
        infos.append(info)
        if info.multipv == 1:
            yield from disorder          # the lines of an iteration that was cut short are as they are
            disorder = []
            block = {}
        elif info.multipv - 1 not in block:
            yield f"multipv {info.multipv} without {info.multipv - 1}: {line}"
        block[info.multipv] = info
        above = block.get(info.multipv - 1)
        if above and above.depth == info.depth and above.is_exact and info.is_exact and above.rank < info.rank:
            disorder.append(f"multipv {info.multipv} is better than the line above it: {line}")
        if info.pv[0] in {other.pv[0] for number, other in block.items() if number != info.multipv}:
            yield f"multipv {info.multipv} repeats a move: {line}"
    yield from best_violations(board, infos, last)


def best_violations(board: chess.Board, infos: list[Info], line: str) -> Iterator[str]:
    """What is wrong with the last line of a search."""
    found = BEST.fullmatch(line)
    if not found:
        yield f"malformed: {line}"
        return
    best, ponder = found.groups()
    if best == "(none)":
        if any(board.legal_moves):
            yield f"no move where there are some: {line}"
        return
    after = board.copy()
    try:
        after.push(after.parse_uci(best))
    except ValueError:
        yield f"illegal: {line}"
        return
    first = [info for info in infos if info.multipv == 1]
    if not first:
        yield f"no info before {line}"
    elif first[-1].pv[0] != best:
        yield f"the last line began with {first[-1].pv[0]}, not as {line}"
    if ponder:
        try:
            after.parse_uci(ponder)
        except ValueError:
            yield f"illegal ponder move: {line}"
        if end_of_game(after):
            yield f"a ponder move after {end_of_game(after)}: {line}"
        if first and len(first[-1].pv) > 1 and first[-1].pv[1] != ponder:
            yield f"the ponder move is not of the line {' '.join(first[-1].pv)}: {line}"
