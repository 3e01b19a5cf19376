"""Between python-chess's words and the search's: boards and reports, each way once. Loads chess when used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo

if TYPE_CHECKING:
    import chess
    import chess.engine

    Place: TypeAlias = chess.Board | Position | str | tuple[str, Iterable[chess.Move | str]]

    class InfoDict(chess.engine.InfoDict, total=False):
        """python-chess's dictionary, with what it does not know: whether the score is exact or only a bound."""

        exact: bool
        lowerbound: bool
        upperbound: bool
else:
    InfoDict = dict

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
        raise TypeError(f"{place!r} is not a position: give a chess.Board, a FEN, a FEN with moves or a Position")
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


def legal_move(position: Position, move: chess.Move | str) -> str:
    """The UCI text of a legal move given as SAN, as UCI or as a move of python-chess; ValueError when it is none."""
    import chess

    board = chess.Board(position.fen(shredder=position.chess960), chess960=position.chess960)
    text = move_text(move)
    for parse in (board.parse_uci, board.parse_san) if isinstance(move, str) else (board.parse_uci,):
        try:
            if found := parse(text):
                return found.uci()
        except ValueError:
            pass
    raise ValueError(f"{text!r} is not a legal move in {board.fen()}: write it like Nf3, exd5, O-O, e8=Q or g1f3")


def legal_moves_of(position: Position, moves: chess.Move | str | Iterable[chess.Move | str]) -> list[str]:
    """One or several legal moves of a position as UCI texts; a text is one move, not its letters."""
    named = [moves] if isinstance(moves, str) or not isinstance(moves, Iterable) else list(moves)
    return [legal_move(position, move) for move in named]


def move_of(text: str | None) -> chess.Move | None:
    """UCI text as a move of python-chess; None stays None."""
    import chess

    return None if text is None else chess.Move.from_uci(text)


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
            said["wdl"] = PovWdl(Wdl(*wdl.chances(info.score, wdl.material(position.fen()))), position.turn)
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
