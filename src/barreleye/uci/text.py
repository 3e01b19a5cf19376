"""What the UCI loop says: info lines for GUIs; for people help, the board, and what a search did."""

from __future__ import annotations

from typing import Any

from barreleye import wdl
from barreleye.core.notation import line_names, move_name
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo

HELP = """\
Barreleye speaks UCI, the language of chess GUIs. Some of what you can type:
  uci                               name and options            isready   answer when ready
  setoption name Hash value 64      set an option               ucinewgame   forget earlier games
  position startpos moves e2e4      or: position fen FEN moves ...
  go movetime 1000                  or: depth 12, nodes 100000, wtime 60000 btime 60000 winc 1000 binc 1000,
                                    movestogo 20, mate 3, infinite, ponder, searchmoves e2e4 d2d4, perft 5
  stop   ponderhit   quit
And beyond the protocol, much of it as in Stockfish:
  d   show the board                eval   explain the evaluation       flip   change sides
  stats   what the last search did  bench [hash] [threads] [depth]      compiler   how this was built
  genfens 10 seed 1 book None       openings to play from, for OpenBench
'barreleye --help' in a terminal lists what else Barreleye can do.
"""


def format_info(info: SearchInfo, board: Position, show_wdl: bool = False) -> str:
    """An info line, its words in the order GUIs expect."""
    chess960 = board.chess960
    if info.currmove:
        return (f"info depth {info.depth} currmove {move_name(info.currmove, chess960)} "
                f"currmovenumber {info.currmovenumber}")
    mate = wdl.mate_moves(info.score)
    score = f"cp {wdl.centipawns(info.score)}" if mate is None else f"mate {mate}"
    if info.depth == 0:
        return f"info depth 0 score {score}"
    bound = (" upperbound", "", " lowerbound")[info.bound + 1]
    chances = " wdl {} {} {}".format(*wdl.chances(info.score, wdl.material(board.fen()))) if show_wdl else ""
    nps = info.nodes * 1_000_000 // max(1, info.time_us)
    return (f"info depth {info.depth} seldepth {info.sel_depth} multipv {info.multipv} score {score}{bound}{chances} "
            f"nodes {info.nodes} nps {nps} hashfull {info.hashfull} tbhits {info.tbhits} "
            f"time {info.time_us // 1000} pv {line_names(info.pv, chess960)}")


def board_text(board: Position) -> str:
    """The board as a picture, with its FEN, key and checkers."""
    fen = board.fen(shredder=board.chess960)
    ranks = fen.split()[0]
    for digit in "12345678":
        ranks = ranks.replace(digit, " " * int(digit))
    edge = " +---+---+---+---+---+---+---+---+"
    lines = [edge]
    for number, rank in zip(range(8, 0, -1), ranks.split("/"), strict=True):
        lines += [" | " + " | ".join(rank) + f" | {number}", edge]
    return "\n".join([*lines, "   a   b   c   d   e   f   g   h", "", f"Fen: {fen}", f"Key: {board.key:016X}",
                      f"Checkers: {' '.join(checkers(board))}"])


def checkers(board: Position) -> list[str]:
    """The squares of the pieces that give check."""
    if not board.is_check():
        return []
    import chess

    return [chess.square_name(square) for square in chess.Board(board.fen(), chess960=board.chess960).checkers()]


def flipped(fen: str) -> str:
    """The same position with colours and sides exchanged."""
    board, side, castling, en_passant, *clocks = fen.split()
    ranks = "/".join(rank.swapcase() for rank in reversed(board.split("/")))
    if en_passant != "-":
        en_passant = en_passant[0] + ("6" if en_passant[1] == "3" else "3")
    rights = "".join(sorted(castling.swapcase(), key=lambda right: (right.islower(), right)))
    return " ".join([ranks, "b" if side == "w" else "w", rights, en_passant, *clocks])


def stats_text(stats: dict[str, Any]) -> str:
    """What the last search did: shares first, then every technique with its counters."""
    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f} %" if whole else "-"

    nodes, depth = stats["nodes"], stats["depth"]
    lines = [
        f"nodes {nodes}  depth {depth}  branching factor {nodes ** (1 / depth) if depth and nodes else 0:.2f}",
        f"quiescence {share(stats['quiescence_nodes'], stats['quiescence_nodes'] + stats['main_nodes'])} of visits"
        f"  table hits {share(stats['tt_hits'], stats['tt_probes'])}"
        f"  first-move cutoffs {share(stats['first_move_cutoffs'], stats['beta_cutoffs'])}"
        f"  evaluations {stats['evaluations']}",
        "", f"{'technique':<24}{'tried':>12}{'succeeded':>12}{'re-searched':>12}",
    ]
    for name, row in stats["techniques"].items():
        off = "" if row["enabled"] else "  (off)"
        lines.append(f"{name:<24}{row['tried']:>12}{row['succeeded']:>12}{row['researched']:>12}{off}")
    return "\n".join(lines)
