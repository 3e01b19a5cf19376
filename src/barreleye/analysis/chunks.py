"""Work in pieces: games and positions, whatever they are given as, cut into the chunks that one thread searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.engine.python_chess import line_of, move_text, played

if TYPE_CHECKING:
    import chess.pgn

    from barreleye.engine.python_chess import Place

    Item: TypeAlias = Place | "Game" | chess.pgn.Game
    Problem: TypeAlias = Callable[[int, "Item", ValueError], None]

GAME_CHUNK = 7        # positions searched in a row, the one that overlaps included
LOOSE_CHUNK = 128     # the same where positions have nothing to do with each other


@dataclass(frozen=True, slots=True)
class Game:
    """Every position of a game, from a first one on; moves in UCI text."""

    moves: Sequence[str]
    fen: str = START_FEN
    chess960: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)        # for tables


@dataclass(frozen=True, slots=True)
class Chunk:
    """Positions that are searched in a row: a run of one game, or loose ones."""

    first: int                       # index of the first record
    number: int                      # item of the input that it comes from, or begins with
    start: int                       # ply of its first position
    size: int
    places: tuple[Game | Position, ...]        # a loose position is the last one of its moves
    is_loose: bool = False
    overlap: bool = False


def as_game(item: Item) -> Game | None:
    """The game that an item is, None when it is a single position."""
    if isinstance(item, Game):
        return item
    if isinstance(item, (str, tuple, Position)) or not hasattr(item, "mainline_moves"):
        return None
    return of_pgn(cast("chess.pgn.Game", item))


def of_pgn(game: chess.pgn.Game) -> Game:
    """The main line of a game of python-chess."""
    board = game.board()
    return Game([move_text(move) for move in game.mainline_moves()], board.fen(shredder=board.chess960), board.chess960,
                dict(game.headers))


def as_it_is(item: Any) -> Game | Position:
    """A single position as it is now, whatever its owner does with the board later."""
    if isinstance(item, Position):
        return item.copy()
    fen, moves, chess960 = line_of(item)
    return Game(moves, fen, chess960)


def count(item: Item) -> int:
    """How many positions an item has."""
    game = as_game(item)
    return 1 if game is None else len(game.moves) + 1


def chunks_of(items: Iterable[Item], size: int | None = None, on_problem: Problem | None = None) -> Iterator[Chunk]:
    """The chunks of the input, first to last. A game's are counted from its end, so that only the first is short.

    An item that cannot be played through is told to on_problem and left out; without that it is a ValueError.
    """
    index = 0
    loose: list[Game | Position] = []
    number = -1
    for number, item in enumerate(items):
        try:
            game = as_game(item)
            place = as_it_is(item) if game is None else game
            position_at(place)
        except ValueError as error:
            if on_problem is None:
                raise ValueError(f"item {number}: {error}") from None
            on_problem(number, item, error)
            place = None
        if loose and not (place is not None and game is None and len(loose) < (size or LOOSE_CHUNK)):
            yield Chunk(index, number - len(loose), 0, len(loose), tuple(loose), is_loose=True)
            index += len(loose)
            loose = []
        if place is None:
            continue
        if game is None:
            loose.append(place)
            continue
        positions, step = len(game.moves) + 1, max(1, (size or GAME_CHUNK) - 1)
        start = 0
        while start < positions:
            length = (positions - start - 1) % step + 1
            overlap = size != 1 and start + length < positions
            yield Chunk(index, number, start, length, (game,), overlap=overlap)
            index += length
            start += length
    if loose:
        yield Chunk(index, number - len(loose) + 1, 0, len(loose), tuple(loose), is_loose=True)


def position_at(place: Game | Position, ply: int | None = None) -> Position:
    """A game's position after so many moves or at its end, with the moves before it."""
    if isinstance(place, Position):
        return place
    return played(Position(place.fen, place.chess960), place.moves if ply is None else place.moves[:ply])


def portable(chunk: Chunk) -> Chunk:
    """A chunk that can be sent to another process: positions as the moves that led to them."""
    return replace(chunk, places=tuple(place if isinstance(place, Game) else as_line(place) for place in chunk.places))


def as_line(position: Position) -> Game:
    """A position as a game that ends with it. A passed move is no move of chess: what came before it is left out."""
    fen, moves = position.line()
    return Game(moves, fen, position.chess960)
