"""Between python-chess's words and the search's: boards, limits and reports, each way once. Loads chess when used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.engine.search_thread import Limits, check_limits

if TYPE_CHECKING:
    import chess
    import chess.engine

    Place: TypeAlias = chess.Board | Position | str | tuple[str, Iterable[chess.Move | str]]

    AnyLimit: TypeAlias = chess.engine.Limit | Mapping[str, int]

    class InfoDict(chess.engine.InfoDict, total=False):
        """python-chess's dictionary, with what it does not know: whether the score is exact or only a bound."""

        exact: bool
        lowerbound: bool
        upperbound: bool
else:
    InfoDict = dict

# What a Limit says, what UCI calls it, and the least that makes sense; seconds become milliseconds.
TIMES = (("white_clock", "wtime", 1), ("black_clock", "btime", 1), ("white_inc", "winc", 0), ("black_inc", "binc", 0),
         ("time", "movetime", 1))
COUNTS = (("depth", "depth"), ("nodes", "nodes"), ("mate", "mate"))


def position_of(place: Place) -> Position:
    """The position that a board, a FEN or a FEN with moves stands for, with the history that is known of it."""
    if isinstance(place, Position):
        return place.copy()
    fen, moves, chess960 = line_of(place)
    return played(Position(fen, chess960), moves)


def line_of(place: chess.Board | str | tuple[str, Iterable[chess.Move | str]]) -> tuple[str, list[str], bool]:
    """A FEN, the moves played from there, and whether castling is written as in Chess960."""
    if isinstance(place, str):
        return place, [], False
    if isinstance(place, tuple):
        return place[0], [move_text(move) for move in place[1]], False
    if not hasattr(place, "uci_variant"):
        raise TypeError(f"{place!r} is no position: give a chess.Board, a FEN, a FEN with moves or a Position")
    if type(place).uci_variant != "chess":
        from chess.engine import EngineError

        raise EngineError(f"Barreleye plays chess and Chess960, not {type(place).uci_variant}")
    # A passed move is no move of chess: what came before it cannot be told.
    tellable = all(place.move_stack)
    fen = (place.root() if tellable else place).fen(shredder=place.chess960, en_passant="fen")
    return fen, [move.uci() for move in place.move_stack] if tellable else [], place.chess960


def played(position: Position, moves: Iterable[str]) -> Position:
    """The position after some moves."""
    for move in moves:
        position.push(move)
    return position


def move_text(move: chess.Move | str) -> str:
    """A move as UCI text."""
    return move if isinstance(move, str) else move.uci()


def move_of(text: str | None) -> chess.Move | None:
    """UCI text as a move of python-chess; None stays None."""
    import chess

    return None if text is None else chess.Move.from_uci(text)


def limits_of(limit: AnyLimit | None) -> Limits:
    """A Limit, or a mapping of UCI's limits, in the words of UCI; without any limit the search is infinite."""
    limits: Limits = {}
    if isinstance(limit, Mapping):
        limits = check_limits(dict(limit))
    elif limit is not None:
        for name, least in (("time", 0), ("depth", 1), ("nodes", 0), ("mate", 0)):
            if (asked := getattr(limit, name)) is not None and asked < least:
                raise ValueError(f"the limit's {name} is {asked}, expected at least {least}")
        for name, word, least in TIMES:
            if (seconds := getattr(limit, name)) is not None:
                limits[word] = max(least, round(1000 * seconds))
        for name, word in COUNTS:
            if (count := getattr(limit, name)) is not None:
                limits[word] = max(1, int(count))
        if limit.remaining_moves is not None and int(limit.remaining_moves) > 0:
            limits["movestogo"] = int(limit.remaining_moves)
    return limits if limits.keys() - {"winc", "binc", "movestogo"} else {**limits, "infinite": True}


def limits_while_pondering(limit: AnyLimit, white: bool, used_s: float) -> Limits:
    """The same clock after our move and the expected reply: increments come in, what we used goes off."""
    limits = limits_of(limit)
    for clock, increment, is_ours in (("wtime", "winc", white), ("btime", "binc", not white)):
        if clock in limits:
            used_ms = round(1000 * used_s) if is_ours else 0
            limits[clock] = max(1, limits[clock] + limits.get(increment, 0) - used_ms)
    if (moves := limits.pop("movestogo", 0)) > 1:
        limits["movestogo"] = moves - 1
    return {**limits, "ponder": True}


def score_of(score: int) -> chess.engine.Score:
    """A search's score for the side to move."""
    from chess.engine import Cp, Mate

    mate = wdl.mate_moves(score)
    return Cp(wdl.centipawns(score)) if mate is None else Mate(mate)


def info_dict(info: SearchInfo, position: Position, selected: int, show_wdl: bool = False) -> InfoDict:
    """A report as python-chess gives it: as much of it as the flags of chess.engine.Info select."""
    import chess
    from chess.engine import INFO_PV, INFO_SCORE, PovScore, PovWdl, Wdl

    said: InfoDict = {"depth": info.depth}
    if info.currmove:
        said["currmove"] = chess.Move.from_uci(move_name(info.currmove, position.chess960))
        said["currmovenumber"] = info.currmovenumber
        return said
    if selected & INFO_SCORE:
        said["score"] = PovScore(score_of(info.score), position.turn)
        said["exact"] = info.bound == 0
        if info.bound:
            said["lowerbound" if info.bound > 0 else "upperbound"] = True
        if show_wdl and info.depth:
            said["wdl"] = PovWdl(Wdl(*wdl.chances(info.score)), position.turn)
    if not info.depth:                     # the game is over: there is nothing else to say
        return said
    said.update({"seldepth": info.sel_depth, "multipv": info.multipv, "nodes": info.nodes, "tbhits": info.tbhits,
                 "nps": info.nodes * 1_000_000 // max(1, info.time_us), "hashfull": info.hashfull,
                 "time": info.time_us / 1e6})
    if selected & INFO_PV:
        said["pv"] = [chess.Move.from_uci(move_name(move, position.chess960)) for move in info.pv]
    return said


def merge(known: InfoDict, news: InfoDict) -> InfoDict:
    """A line brought up to date. A new score takes the bounds of the old one with it."""
    kept = known.copy()
    if "score" in news:
        kept.pop("lowerbound", None)
        kept.pop("upperbound", None)
    kept.update(news)
    return kept
