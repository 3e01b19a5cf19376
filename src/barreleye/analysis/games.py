"""Games out of PGN files: found in the text, read one at a time, and told apart from those that cannot be read."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn

from barreleye import packed

KNOWN_VARIANTS = ("", "standard", "chess", "normal", "from position", "chess960", "chess 960", "fischerandom")
SUFFIXES = (".pgn", ".txt")             # of games in an archive
HEADER = re.compile(r'\s*\[\s*\w+\s+"')
MARK = re.compile(r"[{};]")
BAD_MOVES = {"illegal": "is not a legal move", "ambiguous": "may be one of several moves", "invalid": "is not a move"}
BAD_MOVE = re.compile(rf"(?P<kind>{'|'.join(BAD_MOVES)}) san: '(?P<san>.*)' in \S+ (?P<side>[wb]) .* (?P<number>\d+)")


def read_text(path: str) -> str:
    """The games of a PGN file as text, `-` for standard input; gzipped or zipped files are unpacked."""
    name = "standard input" if path == "-" else path
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    parts = packed.unpacked(data, name, SUFFIXES)
    return "\n\n".join(packed.text(content).replace("\r\n", "\n").replace("\r", "\n") for _, content in parts)


def read_games(text: str, on_problem: Callable[[str], None], on_skipped: Callable[[str], None] | None = None,
               on_read: Callable[[int], None] | None = None) -> Iterator[chess.pgn.Game]:
    """Every game. One that cannot be played through is told to on_problem and not yielded.

    on_skipped gets the text of such a game, as it stands in the file. Of a variation that cannot be played through the
    rest is lost, which is told; the game itself is yielded. on_read hears how many characters have been read.
    """
    place = 0
    for number, source in enumerate(split(text), 1):
        place += len(source)
        if on_read is not None:
            on_read(place)
        game, problem = parse(source)
        if problem:
            on_problem(f"game {number} ({title(game)}): {problem}; {'kept as it is' if on_skipped else 'left out'}")
            if on_skipped is not None:
                on_skipped(source.strip("\n") + "\n\n")
            continue
        for flaw in (error for error in game.errors if isinstance(error, Flaw)):
            on_problem(f"game {number} ({title(game)}): in a variation, {in_words(flaw)}; the rest of it left out")
        yield game


def split(text: str) -> Iterator[str]:
    """The text in pieces with a game each: headers, an empty line, and moves up to the next empty line or header."""
    lines: list[str] = []
    has_moves = in_comment = False
    for line in io.StringIO(text):
        is_end = not in_comment and has_moves and (line.isspace() or HEADER.match(line) is not None)
        if is_end:
            yield "".join(lines)
            lines, has_moves = [], False
        lines.append(line)
        is_between = line.isspace() or HEADER.match(line) or line.startswith("%" if has_moves else ("%", ";"))
        if in_comment or not is_between:
            has_moves = True
            in_comment = ends_in_comment(line, in_comment)
    if has_moves or any(HEADER.match(line) for line in lines):
        yield "".join(lines)


def ends_in_comment(line: str, in_comment: bool) -> bool:
    """Whether a line of moves ends inside of braces."""
    for mark in MARK.finditer(line):
        if mark[0] == ";" and not in_comment:
            break
        in_comment = mark[0] == "{" or (in_comment and mark[0] != "}")
    return in_comment


def parse(source: str) -> tuple[chess.pgn.Game, str | None]:
    """The game of a piece of text, and what keeps us from analysing it, None when nothing does."""
    try:
        game = chess.pgn.read_game(io.StringIO(braced(source)), Visitor=Quiet)
    except Exception:                   # the parser meets text that it was not made for with errors of any kind
        return with_headers(source), what_breaks(source)
    if game is None:
        return chess.pgn.Game.without_tag_roster(), "there is nothing in it"
    return game, trouble(game)


def what_breaks(source: str) -> str:
    """What is wrong with text that the parser gave up on.

    >>> what_breaks("1. e4 e5 2. Nf3) Nc6 *")
    'a variation ends that never began: there is a ) without its ('
    """
    depth = 0
    for mark in re.findall(r"[()]", re.sub(r"\{[^}]*\}|;.*|^\s*\[.*", "", source, flags=re.MULTILINE)):
        depth += 1 if mark == "(" else -1
        if depth < 0:
            return "a variation ends that never began: there is a ) without its ("
    return "its moves are not written as PGN"


def with_headers(source: str) -> chess.pgn.Game:
    """The headers of a game, as far as they can be read."""
    game = chess.pgn.Game.without_tag_roster()
    for name, value in re.findall(r'^\s*\[\s*(\w+)\s+"(.*)"\s*\]', source, re.MULTILINE):
        if name in ("White", "Black", "Event"):
            game.headers[name] = value
    return game


def braced(source: str) -> str:
    """The text with comments to the end of a line, which python-chess drops, as comments in braces.

    >>> braced("1. e4 ; best by test")
    '1. e4 {best by test}'
    """
    if ";" not in source:
        return source
    lines: list[str] = []
    in_comment, in_moves = False, not any(map(HEADER.match, source.splitlines()))
    for line in source.splitlines():
        if not in_moves and lines and not line.strip() and HEADER.match(lines[-1]):
            in_moves = True             # what stands above the headers python-chess would take for moves
        place = 0 if in_comment or (in_moves and not line.startswith("%")) else len(line)
        while mark := MARK.search(line, place):
            place = mark.end()
            if mark[0] == ";" and not in_comment:
                words = line[place:].strip().replace("}", ")")
                line = line[:mark.start()] + (f"{{{words}}}" if words else "")
                break
            in_comment = mark[0] == "{" or (in_comment and mark[0] != "}")
        lines.append(line)
    return "\n".join(lines)


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


def in_words(error: Exception) -> str:
    """What python-chess says of a game, in one line; of a move that cannot be played, as a reader would say it.

    >>> in_words(ValueError("illegal san: 'Ke3' in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"))
    '2. Ke3 is not a legal move'
    """
    said = " ".join(str(error).split())
    if found := BAD_MOVE.fullmatch(said):
        return f"{found['number']}{'.' if found['side'] == 'w' else '...'} {found['san']} {BAD_MOVES[found['kind']]}"
    return said


def trouble(game: chess.pgn.Game) -> str | None:
    """What keeps us from analysing a game, None when nothing does."""
    variant = game.headers.get("Variant", "").lower()
    if variant not in KNOWN_VARIANTS:
        return f"{variant} is not a kind of chess that Barreleye plays"
    if serious := [error for error in game.errors if not isinstance(error, Flaw)]:
        return in_words(serious[0])
    if game.next() is None:
        return "there are no moves in it"
    status = game.board().status()
    if status & ~chess.STATUS_BAD_CASTLING_RIGHTS:
        return f"it begins from a position that cannot be: {game.board().fen()}"
    if null := next((node for node in game.mainline() if not node.move), None):
        number = f"{null.parent.board().fullmove_number}{'...' if null.turn() else '.'}"
        return f"move {number} is a null move, which no game has"
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
