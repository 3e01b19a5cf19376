"""Games out of PGN files: read one at a time, checked, and told apart from those that cannot be read."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn

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


def read_games(text: str, on_problem: Callable[[str], None], on_skipped: Callable[[str], None] | None = None,
               ) -> Iterator[chess.pgn.Game]:
    """Every game. One that cannot be played through is told to on_problem and not yielded.

    on_skipped gets the text of such a game, as it stands in the file. Of a variation that cannot be played through the
    rest is lost, which is told; the game itself is yielded.
    """
    file, number, start = io.StringIO(text), 0, 0
    while (game := chess.pgn.read_game(file, Visitor=Quiet)) is not None:
        number += 1
        start, source = file.tell(), text[start:file.tell()]
        flaws = [error for error in game.errors if isinstance(error, Flaw)]
        problem = trouble(game)
        if problem:
            on_problem(f"game {number} ({title(game)}): {problem}; {'kept as it is' if on_skipped else 'left out'}")
            if on_skipped is not None:
                on_skipped(source.replace("\r\n", "\n").strip("\n") + "\n\n")
            continue
        for flaw in flaws:
            on_problem(f"game {number} ({title(game)}): in a variation, {one_line(flaw)}; the rest of it left out")
        yield game


class Flaw(ValueError):
    """Something wrong in a variation; the game itself can be played through."""


class Quiet(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong with a game in the game, and says nothing.

    python-chess loses its place after an error in a variation, so such errors are met before it meets them: the rest of
    the variation is passed over, with the variations in it.
    """

    def begin_game(self) -> None:
        super().begin_game()
        self.broken_depth = 0           # of the variation being passed over, 0 when there is none

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        if len(self.variation_stack) == 1:
            return None
        if not self.broken_depth:
            try:
                self.parse_san(board, san)
                return None
            except ValueError as error:
                self.game.errors.append(Flaw(str(error)))
                self.broken_depth = len(self.variation_stack)
        return chess.pgn.SKIP

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]
        if not self.broken_depth:
            super().begin_variation()
            return None
        self.variation_stack.append(self.variation_stack[-1])
        return chess.pgn.SKIP

    def end_variation(self) -> None:
        super().end_variation()
        if len(self.variation_stack) < self.broken_depth:
            self.broken_depth = 0
            self.in_variation = True

    def visit_comment(self, comment: str) -> None:
        if not self.broken_depth:
            super().visit_comment(comment)

    def visit_nag(self, nag: int) -> None:
        if not self.broken_depth:
            super().visit_nag(nag)


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def trouble(game: chess.pgn.Game) -> str | None:
    """What keeps us from analysing a game, None when nothing does."""
    variant = game.headers.get("Variant", "").lower()
    if variant not in KNOWN_VARIANTS:
        return f"{variant} is not a kind of chess that Barreleye plays"
    if serious := [error for error in game.errors if not isinstance(error, Flaw)]:
        return one_line(serious[0])
    if game.next() is None:
        return "there are no moves in it"
    status = game.board().status()
    if status & ~chess.STATUS_BAD_CASTLING_RIGHTS:
        return f"it begins from a position that cannot be: {game.board().fen()}"
    return None


def title(game: chess.pgn.Game) -> str:
    """Who played it, or where when nobody is named."""
    white, black, event = (plain(game.headers.get(name, "")) or "?" for name in ("White", "Black", "Event"))
    return event if white == black == "?" and event != "?" else f"{white} - {black}"


def plain(text: str) -> str:
    """A header without the backslashes that PGN puts before quotes and backslashes.

    >>> plain('Joe ' + chr(92) + '"Big' + chr(92) + '" Doe')
    'Joe "Big" Doe'
    """
    return re.sub(r'\\(["\\])', r"\1", text)
