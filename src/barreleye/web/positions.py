"""A position as the page needs it: what may be moved where, what has been played, its name, whether it is over."""

from __future__ import annotations

from typing import Any

import chess

from barreleye.core.position import Position
from barreleye.openings import opening
from barreleye.typed_moves import parse_move
from barreleye.web.messages import Problem, Request

ENDINGS = {
    chess.Termination.CHECKMATE: "Checkmate", chess.Termination.STALEMATE: "Stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "A draw: nobody can mate any more",
    chess.Termination.SEVENTYFIVE_MOVES: "A draw: 75 moves without a capture or a pawn move",
    chess.Termination.FIVEFOLD_REPETITION: "A draw: the position has come up five times",
    chess.Termination.FIFTY_MOVES: "A draw can be claimed: 50 moves without a capture or a pawn move",
    chess.Termination.THREEFOLD_REPETITION: "A draw can be claimed: the position has come up three times",
}


def place_of(request: Request) -> tuple[str, list[str]]:
    """The position a message is about: a FEN and moves from there."""
    fen = request.text("fen", chess.STARTING_FEN, 120).strip()
    return fen or chess.STARTING_FEN, request.words("moves", longest=5)


def board_of(fen: str, moves: list[str]) -> chess.Board:
    """The board after the moves; Problem says what cannot be."""
    try:
        position = Position(fen)
        board = chess.Board(position.fen(shredder=position.chess960), chess960=position.chess960)
    except ValueError as error:
        raise Problem(sentence(str(error))) from None
    for move in moves:
        try:
            board.push_uci(move)
        except ValueError:
            raise Problem(f"{move!r} is not a legal move {'here' if not board.move_stack else 'after the others'}.") \
                from None
    return board


def facts(fen: str, moves: list[str], later: list[str]) -> dict[str, Any]:
    """All the page shows of a position without asking the engine; later are moves that follow in the game."""
    board = board_of(fen, moves)
    walk, played = board.root(), []
    for move in board.move_stack:
        played.append(walk.san_and_push(move))
    legal = [{"uci": move.uci(), "san": board.san(move)} for move in board.legal_moves]
    outcome = board.outcome(claim_draw=True)
    named = opening(board)
    return {
        "fen": board.fen(), "start": board.root().fen(), "turn": "white" if board.turn else "black",
        "legal": legal, "check": board.is_check(), "played": played,
        "later": sans(board, later), "men": chess.popcount(board.occupied),
        "chess960": board.chess960, "opening": str(named) if named else "",
        "over": "" if outcome is None else ENDINGS.get(outcome.termination, "The game is over"),
        "result": "" if outcome is None else outcome.result(), "firstMove": board.root().fullmove_number,
        "whiteFirst": board.root().turn,
    }


def typed(fen: str, moves: list[str], text: str) -> dict[str, Any]:
    """What somebody typed: a move from here, or a whole position."""
    if text.count("/") == 7:
        board = board_of(text.strip(), [])
        return {"fen": board.fen()}
    board = board_of(fen, moves)
    try:
        return {"move": parse_move(board, text).uci()}
    except ValueError as error:
        raise Problem(sentence(str(error))) from None


def sans(board: chess.Board, line: list[str]) -> list[str]:
    """A line from a position on, as people write moves; it ends where a move is not legal."""
    walk, told = board.copy(stack=False), []
    for word in line:
        try:
            told.append(walk.san_and_push(walk.parse_uci(word)))
        except ValueError:
            break
    return told


def sentence(text: str) -> str:
    """What an error says, as a sentence."""
    text = " ".join(text.split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
