"""Games out of PGN files: read one at a time, checked, and told apart from those that cannot be read."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn

from barreleye.analysis.study import Played

KNOWN_VARIANTS = ("", "standard", "chess", "normal", "from position", "chess960", "chess 960", "fischerandom")


def read_text(path: str) -> str:
    """A PGN file as text, `-` for standard input; older files are not in UTF-8."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def count_games(text: str) -> int:
    """About how many games there are, without reading them."""
    return max(1, len(re.findall(r"^\[Event ", text, re.MULTILINE)))


def read_games(text: str, on_problem: Callable[[str], None]) -> Iterator[tuple[int, chess.pgn.Game]]:
    """Every game with its number from 1. One that cannot be played through is told to on_problem and left out."""
    file, number = io.StringIO(text), 0
    while (game := chess.pgn.read_game(file, Visitor=Quiet)) is not None:
        number += 1
        problem = trouble(game)
        if problem:
            on_problem(f"game {number} ({title(game)}): {problem}")
        else:
            yield number, game


class Quiet(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong with a game in the game, and says nothing."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def trouble(game: chess.pgn.Game) -> str | None:
    """What keeps us from analysing a game, None when nothing does."""
    variant = game.headers.get("Variant", "").lower()
    if variant not in KNOWN_VARIANTS:
        return f"{variant} is not a kind of chess that Barreleye plays"
    if game.errors:
        return " ".join(str(game.errors[0]).split())
    if game.next() is None:
        return "there are no moves in it"
    status = game.board().status()
    if status & ~chess.STATUS_BAD_CASTLING_RIGHTS:
        return f"it begins from a position that cannot be: {game.board().fen()}"
    return None


def title(game: chess.pgn.Game) -> str:
    """Who played it."""
    headers = game.headers
    return f"{headers.get('White') or '?'} - {headers.get('Black') or '?'}"


def played(game: chess.pgn.Game) -> Played:
    """A game as the engine needs it."""
    board = game.board()
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
    start = game.board()
    return Played(start.fen(), tuple(moves), start.chess960)
